/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The order in which a packet meets the stages; stages do not call each other.
 *
 *   parse ─▶ flow look-up ──hit──▶ TCP window ─┐
 *                 └─miss─▶ route, state checks ─┴▶ classify* ─▶ limit ─▶ new flow* ─▶
 *   next hop ─▶ rewrite ─▶ count
 *
 * classify: on a miss, for a flow that an older generation judged, and for every
 * packet with inspection off. New flow: on a miss with inspection or NAT. A packet
 * that a limit refuses makes no flow. */
#ifndef DATAPATH_PIPELINE_H
#define DATAPATH_PIPELINE_H

#include "firewall-ref/datapath/create.h"
#include "firewall-ref/datapath/judge.h"
#include "firewall-ref/datapath/layer.h"
#include "firewall-ref/datapath/lookup.h"
#include "firewall-ref/datapath/option.h"
#include "firewall-ref/datapath/parse.h"
#include "firewall-ref/datapath/rewrite.h"
#include "firewall-ref/datapath/route.h"
#include "firewall-ref/datapath/track.h"

/* A packet of a known flow against the flow's state: 0, a drop reason or
 * TRACK_RESTART. */
LAYER_INLINE __u32 pipeline_track(struct flow *flow, const struct descriptor *d,
				  const struct setting *setting)
{
	__u32 result;
	__u8 state;

	if (d->key.protocol != PROTOCOL_TCP) {
		if (flow->state == FLOW_UDP_NEW && d->direction)
			flow->state = FLOW_UDP;
		return 0;
	}
	if (lock_take(&flow->lock))
		return DROP_RACE;
	state = flow->state;
	if (flow->serial != d->serial) /* ended by another core, perhaps taken again */
		result = DROP_RACE;
	else if (setting->flags & SETTING_INSPECT)
		result = track_segment(flow, d);
	else
		result = track_observe(flow, d);
	if (flow->state != state)
		flow->timeout_s = timer_of(setting, flow->state);
	lock_give(&flow->lock);
	return result;
}

/* A source that cannot be: the destination itself (LAND), unspecified or loopback
 * (RFC 4291 2.5.2, 2.5.3; IPv4's are parse.h's), or the address that NAT gives out,
 * whose ports a stranger could use up. */
LAYER_INLINE int pipeline_spoofed(const struct descriptor *d, const struct setting *setting)
{
	const __be32 *from = d->key.source, *to = d->key.destination;

	if (d->key.family == 4 && (setting->flags & SETTING_NAT) && from[0] == setting->nat_address)
		return 1;
	if (d->key.family == 6 && !(from[0] | from[1] | from[2]) && HEADER_BE32(from[3]) <= 1)
		return 1;
	return !((from[0] ^ to[0]) | (from[1] ^ to[1]) | (from[2] ^ to[2]) | (from[3] ^ to[3]));
}

/* May a packet without a flow begin one? 0 or a drop reason. */
LAYER_INLINE __u32 pipeline_first(struct layer *layer, const struct descriptor *d,
				  const struct setting *setting)
{
	int inspect = setting->flags & SETTING_INSPECT;

	if (pipeline_spoofed(d, setting))
		return DROP_MALFORMED;
	if (d->icmp == ICMP_KIND_OTHER)
		return DROP_ICMP;
	if (d->icmp == ICMP_KIND_REPLY && inspect)
		return DROP_NO_FLOW;
	if (d->key.protocol == PROTOCOL_TCP && inspect) {
		if (!track_flags_valid(d->tcp_flags))
			return DROP_TCP_FLAGS;
		if ((d->tcp_flags & (TCP_SYN | TCP_ACK | TCP_RST)) != TCP_SYN)
			return DROP_TCP_STATE;
	}
	if (create_translates(layer, d, setting)) {
		if (d->icmp == ICMP_KIND_REPLY)
			return DROP_NO_FLOW;
		if (d->key.protocol != PROTOCOL_TCP && d->key.protocol != PROTOCOL_UDP && !d->icmp)
			return DROP_NAT_PROTOCOL;
	}
	return 0;
}

/* The flow's next hop in the packet's direction, renewed if it is too old. */
LAYER_INLINE __u32 pipeline_flow_hop(struct layer *layer, struct descriptor *d, struct flow *flow,
				     __u64 now_ns)
{
	struct next_hop *kept = &flow->hop[d->direction & 1];

	if (now_ns < kept->until_ns) {
		d->hop = *kept;
		return 0;
	}
	flow_key_reverse(&d->inside, &flow->key[!d->direction]);
	return route_new(layer, d, &d->inside, kept, now_ns) == ROUTE_FORWARD ? 0 : DROP_NO_ROUTE;
}

/* Removes the flow for good reason; the packet goes on as if it had none. */
LAYER_INLINE struct flow *pipeline_forget(struct layer *layer, struct descriptor *d,
					  struct flow *flow)
{
	flow_remove(layer, flow, d->flow, d->serial);
	d->flow = FLOW_INDEX_NONE;
	d->direction = 0;
	return 0;
}

/* Finds the flow and tracks the packet in it. *flow: a null pointer without. */
LAYER_INLINE __u32 pipeline_known(struct layer *layer, struct descriptor *d,
				  const struct setting *setting, struct flow **out, __u64 now_ns)
{
	struct flow *flow;
	__u32 result;

	*out = 0;
	if (d->key.protocol == PROTOCOL_TCP && d->tcp_flags & TCP_SYN)
		option_read(layer, d);
	flow = flow_find(layer, d, now_ns);
	if (!flow)
		return 0;
	if (d->ttl <= 1)
		return DROP_TTL;
	/* Made while inspection was off: its windows are not known. */
	if ((setting->flags & SETTING_INSPECT) && !(flow->flags & FLOW_INSPECTED)) {
		pipeline_forget(layer, d, flow);
		return 0;
	}
	result = pipeline_track(flow, d, setting);
	if (result == TRACK_RESTART) {
		pipeline_forget(layer, d, flow);
		return 0;
	}
	*out = flow;
	return result;
}

/* A packet of no flow: where to, and may it be forwarded? VERDICT_FORWARD: go on. */
LAYER_INLINE enum verdict pipeline_unknown(struct layer *layer, struct descriptor *d,
					   const struct setting *setting, __u64 now_ns)
{
	enum route_result route = route_of_destination(layer, d, &d->key, now_ns);
	__u32 reason;

	if (route == ROUTE_LOCAL)
		return VERDICT_STACK;
	if (route == ROUTE_NONE)
		return parse_drop(d, DROP_NO_ROUTE);
	if (d->ttl <= 1)
		return parse_drop(d, DROP_TTL);
	reason = pipeline_first(layer, d, setting);
	return reason ? parse_drop(d, reason) : VERDICT_FORWARD;
}

/* The filter of the packet: the flow's, if it still holds, else the rules'. 0 or
 * a drop reason. */
LAYER_INLINE __u32 pipeline_filter(struct layer *layer, struct descriptor *d,
				   const struct setting *setting, __u32 slot, struct flow *flow)
{
	int inspect = setting->flags & SETTING_INSPECT;

	if (flow && inspect && flow->generation == setting->generation) {
		d->filter = flow->filter;
		d->limited = flow->flags & FLOW_LIMITED;
		return 0;
	}
	if (!judge_rules(layer, d, setting, slot, flow))
		return 0;
	/* With inspection off the flow is but a translation: other packets may pass. */
	if (flow && inspect)
		pipeline_forget(layer, d, flow);
	return DROP_DENIED;
}

LAYER_INLINE enum verdict pipeline_forward(struct layer *layer, struct descriptor *d,
					   const struct setting *setting, __u32 slot)
{
	__u64 now_ns = time_coarse_ns(layer);
	struct flow *flow = 0;
	__u32 reason = 0;
	int fresh = 0;

	d->flow = FLOW_INDEX_NONE;
	if (setting->flags & (SETTING_INSPECT | SETTING_NAT))
		reason = pipeline_known(layer, d, setting, &flow, now_ns);
	if (reason)
		return parse_drop(d, reason);
	if (!flow) {
		enum verdict verdict = pipeline_unknown(layer, d, setting, now_ns);

		if (verdict != VERDICT_FORWARD)
			return verdict;
		fresh = (setting->flags & SETTING_INSPECT) || create_translates(layer, d, setting);
	}
	reason = pipeline_filter(layer, d, setting, slot, flow);
	if (!reason)
		reason = judge_pay(layer, d, slot);
	if (!reason && fresh)
		reason = flow_create(layer, d, setting, &flow, now_ns);
	else if (!reason && flow)
		reason = pipeline_flow_hop(layer, d, flow, now_ns);
	if (reason)
		return parse_drop(d, reason);
	if (flow && flow->seen_ns != now_ns)
		flow->seen_ns = now_ns;
	if (d->hop.mtu && d->segment_bytes > d->hop.mtu)
		return parse_drop(d, DROP_TOO_BIG);
	return rewrite(layer, d, flow) ? parse_drop(d, DROP_TRUNCATED) : VERDICT_FORWARD;
}

/* --empty: the next hop and nothing else, the floor under the real thing. */
LAYER_INLINE enum verdict pipeline_empty(struct layer *layer, struct descriptor *d)
{
	enum route_result route = route_of_destination(layer, d, &d->key, time_coarse_ns(layer));

	if (route != ROUTE_FORWARD)
		return route == ROUTE_LOCAL ? VERDICT_STACK : parse_drop(d, DROP_NO_ROUTE);
	if (d->ttl <= 1)
		return parse_drop(d, DROP_TTL);
	return rewrite(layer, d, 0) ? parse_drop(d, DROP_TRUNCATED) : VERDICT_FORWARD;
}

LAYER_INLINE enum verdict pipeline_decide(struct layer *layer, struct descriptor *d)
{
	__u32 slot = 0;
	const struct setting *setting = setting_active(layer, &slot);
	enum verdict verdict = parse_network(layer, d);

	if (verdict != VERDICT_FORWARD)
		return verdict;
	if (!setting)
		return parse_drop(d, DROP_NO_POLICY);
	if (setting->flags & SETTING_EMPTY)
		return pipeline_empty(layer, d);
	verdict = parse_transport(layer, d);
	return verdict == VERDICT_FORWARD ? pipeline_forward(layer, d, setting, slot) : verdict;
}

LAYER_INLINE void pipeline_count(struct layer *layer, const struct descriptor *d,
				 enum verdict verdict)
{
	struct totals *totals = totals_at(layer);
	struct packets_bytes *count;
	__u32 reason = d->reason;

	if (!totals)
		return;
	if (verdict == VERDICT_FORWARD)
		count = &totals->forwarded;
	else if (verdict == VERDICT_STACK)
		count = &totals->stack;
	else
		count = &totals->drop[reason < DROP_COUNT ? reason : 0];
	count->packets += d->packets;
	count->bytes += d->wire_bytes;
}

/* Judges one frame, rewrites it if it is to be forwarded and counts it. *d is all
 * zero before. On VERDICT_FORWARD d->hop says where it goes; with HOP_RESOLVE in
 * its flags the link addresses are not written and the build's output lets the
 * system find them. On VERDICT_DROP d->reason says why. */
LAYER_INLINE enum verdict pipeline_run(struct layer *layer, struct descriptor *d)
{
	enum verdict verdict = pipeline_decide(layer, d);

	pipeline_count(layer, d, verdict);
	return verdict;
}

#endif
