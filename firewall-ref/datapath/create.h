/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* A new flow: its record, its translation, its two keys.
 *
 * NAPT: the reply key bears the NAT address and a port that makes the key
 * unique; the table of keys is the table of ports in use, so a port serves as
 * many peers as there are. The source's own port is kept if it is free; else the
 * search starts at random and tries CREATE_PORT_TRIES in a row. Nothing is ever
 * removed to make room. Deliberately not done: endpoint-independent mapping, port
 * parity. */
#ifndef DATAPATH_CREATE_H
#define DATAPATH_CREATE_H

#include "firewall-ref/datapath/header.h"
#include "firewall-ref/datapath/layer.h"
#include "firewall-ref/datapath/lookup.h"
#include "firewall-ref/datapath/track.h"

#define CREATE_PORT_TRIES 256u
#define CREATE_PORT_FIRST 1024u
#define CREATE_PORTS (65536u - CREATE_PORT_FIRST)

/* Is the packet one that NAT translates? Sources of the prefix, from the inside. */
LAYER_INLINE int create_translates(struct layer *layer, const struct descriptor *d,
				   const struct setting *setting)
{
	return (setting->flags & SETTING_NAT) && d->key.family == 4 &&
	       packet_side(layer) == SIDE_INSIDE &&
	       (d->key.source[0] & setting->nat_source_mask) == setting->nat_source;
}

struct create_search {
	struct layer *layer;
	struct flow *flow;
	struct flow_ref ref;
	__u32 start;   /* offset of the first port to try */
	int result;    /* of the last insertion */
};

LAYER_INLINE void create_port_set(struct flow_key *reply, __u32 port)
{
	reply->destination_port = HEADER_BE16(port);
	if (reply->protocol == PROTOCOL_ICMP)
		reply->source_port = reply->destination_port;
}

/* Tries one port; 1 ends the loop: it was free, or there is no room at all. */
static long create_port_step(__u32 index, void *context)
{
	struct create_search *s = context;
	struct flow *flow = s->flow;

	create_port_set(&flow->key[1], CREATE_PORT_FIRST + (s->start + index) % CREATE_PORTS);
	s->result = flow_key_insert(s->layer, &flow->key[1], &s->ref);
	return s->result != -1;
}

/* Inserts the reply key, with another port if that is needed and allowed. */
LAYER_INLINE int create_reply_key(struct layer *layer, struct flow *flow, const struct flow_ref *ref)
{
	struct create_search s = { .layer = layer, .flow = flow, .ref = *ref };

	s.result = flow_key_insert(layer, &flow->key[1], ref);
	if (s.result != -1 || !(flow->flags & FLOW_NAT))
		return s.result;
	s.start = random_u32(layer) % CREATE_PORTS;
	loop(CREATE_PORT_TRIES, create_port_step, &s);
	return s.result;
}

LAYER_INLINE __u8 create_state(const struct descriptor *d)
{
	switch (d->key.protocol) {
	case PROTOCOL_TCP:
		if ((d->tcp_flags & (TCP_SYN | TCP_ACK | TCP_RST)) == TCP_SYN)
			return FLOW_SYN_SENT;
		return d->tcp_flags & TCP_RST ? FLOW_CLOSED : FLOW_ESTABLISHED;
	case PROTOCOL_UDP:
		return FLOW_UDP_NEW;
	case PROTOCOL_ICMP:
	case PROTOCOL_ICMP6:
		return FLOW_ICMP;
	default:
		return FLOW_OTHER;
	}
}

/* What every new record holds, whatever it held before. */
LAYER_INLINE void create_fill(struct flow *flow, const struct descriptor *d,
			      const struct setting *setting, __u64 now_ns)
{
	__u8 state = create_state(d);

	flow->seen_ns = now_ns;
	flow->timeout_s = timer_of(setting, state);
	flow->generation = setting->generation;
	flow->filter = d->filter;
	flow->flags = (__u8)((setting->flags & SETTING_INSPECT ? FLOW_INSPECTED : 0) |
			     (d->limited ? FLOW_LIMITED : 0));
	flow->restart_flags = 0;
	__builtin_memset(flow->peer, 0, sizeof(flow->peer));
	track_peer_open(&flow->peer[0], d);
	flow->hop[0] = d->hop;
	flow->hop[0].flags = 0;
	flow->hop[1].until_ns = 0;
	flow->key[0] = d->key;
	flow_key_reverse(&flow->key[1], &d->key);
	flow->state = state;
}

LAYER_INLINE __u32 create_undo(struct layer *layer, struct flow *flow, __u32 index, int result)
{
	flow->serial = (flow->serial + 1) & FLOW_SERIAL_MASK;
	flow->state = FLOW_FREE;
	flow_give(layer, index);
	return result == -1 ? flow->flags & FLOW_NAT ? DROP_NO_PORT : DROP_RACE : DROP_TABLE_FULL;
}

/* Makes the flow of a permitted packet and gives it to *out. Returns 0 or a drop
 * reason; then nothing is left of it. */
LAYER_INLINE __u32 flow_create(struct layer *layer, struct descriptor *d,
			       const struct setting *setting, struct flow **out, __u64 now_ns)
{
	__u32 index = flow_take(layer);
	struct flow *flow = index == FLOW_INDEX_NONE ? 0 : flow_at(layer, index);
	struct flow_ref ref = { .index = index, .reply = 1 };
	int result;

	if (!flow)
		return DROP_TABLE_FULL;
	create_fill(flow, d, setting, now_ns);
	ref.serial = flow->serial & FLOW_SERIAL_MASK;
	if (create_translates(layer, d, setting)) {
		flow->flags |= FLOW_NAT;
		flow->key[1].destination[0] = setting->nat_address;
	}
	result = create_reply_key(layer, flow, &ref);
	if (result)
		return create_undo(layer, flow, index, result);
	ref.reply = 0;
	result = flow_key_insert(layer, &flow->key[0], &ref);
	if (result) {
		flow_key_delete(layer, &flow->key[1]);
		flow->flags = 0;
		return create_undo(layer, flow, index, result);
	}
	d->flow = index;
	d->direction = 0;
	*out = flow;
	return 0;
}

#endif
