/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* A flow is one state reached from two keys: the one its first packet bore and
 * the one its replies bear. NAT is the difference between the two.
 *
 * Life: flow_take() a record, fill it, insert the reply key, then the original
 * key (create.h); from then on both directions find it. It ends
 * when its timer has run out: a packet that meets it then removes it, and the
 * sweep from user space removes those that no packet meets.
 *
 * Threads: several cores may run packets of one flow. What the TCP tracker
 * writes is under flow->lock; seen_ns, next hops and the generation are plain
 * stores of values that any core may write. A record may be given back and taken
 * again while another core still holds its index: serial tells the two apart.
 */
#ifndef DATAPATH_FLOW_H
#define DATAPATH_FLOW_H

#include <linux/types.h>

/* All in network byte order; IPv4 uses word 0 of an address, the rest is zero.
 * ICMP echo: the identifier is in both ports. No padding: keys are compared and
 * hashed as bytes. */
struct flow_key {
	__be32 source[4];
	__be32 destination[4];
	__be16 source_port;
	__be16 destination_port;
	__u8 protocol;
	__u8 family; /* 4 or 6 */
	__u16 zero;
};

/* What a key leads to. */
struct flow_ref {
	__u32 index;       /* of the flow record */
	__u32 serial : 31; /* must equal the record's, else the key is stale */
	__u32 reply : 1;   /* the key of the reply direction */
};

#define FLOW_STATES(X) \
	X(FLOW_FREE, "free") \
	X(FLOW_SYN_SENT, "syn-sent") \
	X(FLOW_SYN_RECEIVED, "syn-received") \
	X(FLOW_ESTABLISHED, "established") \
	X(FLOW_FIN_WAIT, "fin-wait") \
	X(FLOW_CLOSE_WAIT, "close-wait") \
	X(FLOW_LAST_ACK, "last-ack") \
	X(FLOW_TIME_WAIT, "time-wait") \
	X(FLOW_CLOSED, "closed") \
	X(FLOW_UDP_NEW, "udp-unreplied") \
	X(FLOW_UDP, "udp") \
	X(FLOW_ICMP, "icmp") \
	X(FLOW_OTHER, "other")

enum flow_state {
#define X(id, name) id,
	FLOW_STATES(X)
#undef X
	FLOW_STATE_COUNT
};

static const char *const flow_state_names[] __attribute__((unused)) = {
#define X(id, name) [id] = name,
	FLOW_STATES(X)
#undef X
};
_Static_assert(sizeof(flow_state_names) / sizeof(flow_state_names[0]) == FLOW_STATE_COUNT,
	       "one name for every flow state");

/* One direction of a TCP connection as the tracker sees it (Rooij, SANE 2000). */
struct flow_peer {
	__u32 end;          /* highest sequence number sent, plus one */
	__u32 end_max;      /* right edge of the window the other side gave it */
	__u32 window_max;   /* largest window it advertised, scaled, in bytes */
	__u32 ack_max;      /* highest acknowledgement it sent */
	__u32 fin_end;      /* end of its FIN */
	__u8 scale;         /* its window scale, 0-14 */
	__u8 flags;         /* PEER_* */
	__u16 zero;
};

enum peer_flag {
	PEER_SCALE = 1,      /* its SYN offered window scaling */
	PEER_ACKED = 2,      /* ack_max is set */
	PEER_FIN = 4,        /* it sent a FIN, fin_end is set */
	PEER_RESET = 8,      /* it sent the RST that closed the flow */
	PEER_SEEN = 16,      /* it sent a SYN or was picked up */
};

/* Where packets go out, kept so that the route is not asked for every packet. */
struct next_hop {
	__u64 until_ns;      /* ask again after this; 0: not known */
	__u32 interface;     /* index */
	__u32 mtu;           /* IP bytes */
	__u8 destination[6]; /* link addresses */
	__u8 source[6];
	__u32 flags;         /* HOP_* */
};

enum route_result {
	ROUTE_FORWARD,  /* *hop is filled */
	ROUTE_LOCAL,    /* not to be forwarded: the firewall's own address, broadcast */
	ROUTE_NONE,     /* no route, forwarding off, or neither of the two interfaces */
};

enum hop_flag {
	HOP_RESOLVE = 1,     /* the neighbour is not known yet: the system resolves it */
	HOP_CONFIRM = 2,     /* known, but the system may use it once to see that it lives */
};

enum flow_flag {
	FLOW_NAT = 1,        /* the keys differ: packets are rewritten */
	FLOW_INSPECTED = 2,  /* tracked from its first SYN */
	FLOW_LIMITED = 4,    /* its filter has a limit */
};

struct flow {
	__u32 lock;
	__u32 serial;        /* changes whenever the record is given back */
	__u64 seen_ns;       /* last packet, coarse clock */
	__u32 timeout_s;     /* idle time after which it has ended */
	__u32 generation;    /* of the policy that judged it last */
	__u32 filter;        /* of that policy */
	__u8 state;          /* enum flow_state */
	__u8 flags;          /* FLOW_* */
	__u8 restart_scale;  /* of a SYN seen in mid-connection, with restart_flags */
	__u8 restart_flags;
	__u32 restart_end;   /* its end; answered by a SYN/ACK it starts the flow anew */
	__u32 restart_window;
	struct flow_peer peer[2];    /* 0: the side that opened the flow */
	struct next_hop hop[2];      /* for packets of the original, the reply direction */
	struct flow_key key[2];      /* original, reply */
};

static inline __attribute__((always_inline, unused)) void flow_key_reverse(struct flow_key *to,
									   const struct flow_key *from)
{
	for (int i = 0; i < 4; i++) {
		to->source[i] = from->destination[i];
		to->destination[i] = from->source[i];
	}
	to->source_port = from->destination_port;
	to->destination_port = from->source_port;
	to->protocol = from->protocol;
	to->family = from->family;
	to->zero = 0;
}

#endif
