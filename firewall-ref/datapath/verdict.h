/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* What the data path decides about a packet, and why it drops one. Every drop
 * has exactly one reason and is counted under it with packets and wire bytes. */
#ifndef DATAPATH_VERDICT_H
#define DATAPATH_VERDICT_H

#include <linux/types.h>

enum verdict {
	VERDICT_FORWARD, /* rewritten; goes out by the descriptor's next hop */
	VERDICT_STACK,   /* for the firewall itself: left untouched to the kernel's stack */
	VERDICT_DROP,    /* the descriptor's reason says why */
};

/* One line a reason: enumerator, name in `fwref ctl stats`, meaning. */
#define DROP_REASONS(X) \
	X(DROP_NONE, "none", "not dropped") \
	X(DROP_TRUNCATED, "truncated", "frame ends inside a header") \
	X(DROP_MALFORMED, "malformed", "lengths, version or header fields contradict each other; a source that cannot be") \
	X(DROP_VLAN, "vlan", "VLAN tag: only untagged frames are forwarded") \
	X(DROP_IP_OPTIONS, "ip-options", "IPv4 options") \
	X(DROP_EXTENSION, "extension-header", "IPv6 extension header") \
	X(DROP_FRAGMENT, "fragment", "IP fragment") \
	X(DROP_TTL, "ttl", "TTL or hop limit used up") \
	X(DROP_ICMP, "icmp", "ICMP other than echo") \
	X(DROP_DENIED, "denied", "no rule permits it, or one denies it") \
	X(DROP_LIMITED, "limited", "the filter's limit is used up") \
	X(DROP_TCP_FLAGS, "tcp-flags", "a combination of TCP flags that no stack sends") \
	X(DROP_TCP_STATE, "tcp-out-of-state", "segment that fits no connection's state") \
	X(DROP_TCP_WINDOW, "tcp-out-of-window", "segment outside the tracked window") \
	X(DROP_TCP_RST, "tcp-reset-out-of-window", "RST outside the tracked window") \
	X(DROP_TABLE_FULL, "flow-table-full", "new flow, no room in the flow table") \
	X(DROP_NO_PORT, "no-nat-port", "new flow, no free NAT port found") \
	X(DROP_NAT_PROTOCOL, "nat-protocol", "protocol that NAT cannot translate") \
	X(DROP_NO_FLOW, "no-flow", "echo reply to no request") \
	X(DROP_RACE, "race", "two cores were at its flow at once; this packet lost") \
	X(DROP_NO_ROUTE, "no-route", "no route through the two interfaces") \
	X(DROP_TOO_BIG, "too-big", "larger than the MTU of the way out") \
	X(DROP_NO_POLICY, "no-policy", "no policy is loaded") \
	X(DROP_NO_NEIGHBOUR, "no-neighbour", "user path: the next hop's link address is not known yet") \
	X(DROP_OUTPUT, "output", "user path: the interface did not take it") \
	X(DROP_RING, "receive-ring-full", "user path: came faster than it was read; bytes not known")

enum drop_reason {
#define X(id, name, meaning) id,
	DROP_REASONS(X)
#undef X
	DROP_COUNT
};

/* Names in the order of the enum; for the control side, not for BPF. */
static const char *const drop_reason_names[] __attribute__((unused)) = {
#define X(id, name, meaning) [id] = name,
	DROP_REASONS(X)
#undef X
};
_Static_assert(sizeof(drop_reason_names) / sizeof(drop_reason_names[0]) == DROP_COUNT,
	       "one name for every drop reason");

#endif
