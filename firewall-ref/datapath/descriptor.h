/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* A packet as the stages see it: parsed once, each field written by the one
 * stage named above its group, read by those that follow. Numbers are in host
 * order, the key is in network order. */
#ifndef DATAPATH_DESCRIPTOR_H
#define DATAPATH_DESCRIPTOR_H

#include <linux/types.h>

#include "firewall-ref/datapath/flow.h"
#include "firewall-ref/datapath/verdict.h"

enum tcp_flag {
	TCP_FIN = 0x01,
	TCP_SYN = 0x02,
	TCP_RST = 0x04,
	TCP_PSH = 0x08,
	TCP_ACK = 0x10,
	TCP_URG = 0x20,
};

enum icmp_kind { ICMP_KIND_NONE, ICMP_KIND_REQUEST, ICMP_KIND_REPLY, ICMP_KIND_OTHER };

struct descriptor {
	/* parse */
	struct flow_key key;     /* as on the wire */
	__u32 wire_bytes;        /* IP bytes of all segments, their headers included */
	__u32 packets;           /* segments it stands for; 1 but for super-packets */
	__u32 segment_bytes;     /* largest IP packet on the wire, for the MTU */
	__u32 payload_bytes;     /* behind the TCP header, all segments */
	__u32 sequence, acknowledgement;
	__u16 window;            /* unscaled */
	__u8 tcp_flags;
	__u8 tcp_header_bytes;   /* 20-60 */
	__u8 ttl;                /* or hop limit */
	__u8 icmp;               /* enum icmp_kind */
	/* SYN options; read for SYN segments only */
	__u8 syn_scale;          /* 0-14 */
	__u8 syn_scales;         /* 1: it offers window scaling */
	/* flow look-up, or the stage that made the flow */
	__u8 direction;          /* 0 original, 1 reply */
	__u32 flow;              /* index; FLOW_INDEX_NONE without */
	__u32 serial;            /* of that record, when it was found */
	/* look-up or NAT choice: the same packet with the addresses of the inside */
	struct flow_key inside;
	/* classify */
	__u32 filter;            /* RULES_NONE: default deny */
	__u32 limited;           /* that filter has a limit */
	/* route */
	struct next_hop hop;
	/* whichever stage dropped it */
	__u32 reason;            /* enum drop_reason */
};

#define FLOW_INDEX_NONE 0xffffffffu

#endif
