/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* TCP tracking: is a segment one that this connection could send now? Bounds
 * after Rooij, "Real Stateful TCP Packet Filtering in IP Filter" (SANE 2000):
 * with what each side sent, what it acknowledged and the window it gave,
 *
 *   I    sequence <= the right edge the other side granted
 *   II   end >= what it sent before, less the other side's largest window
 *   III  acknowledgement <= what the other side has sent
 *   IV   acknowledgement >= that, less its own largest window (at least 66000)
 *
 * A segment that breaks one is dropped. Deliberately not done: SACK (the right
 * edge is acknowledgement + window by RFC 9293, SACK cannot move it), pick-up of
 * connections in the middle, check of timestamps.
 *
 * A flow begins with a SYN only. The caller holds the flow's lock. */
#ifndef DATAPATH_TRACK_H
#define DATAPATH_TRACK_H

#include "firewall-ref/datapath/layer.h"
#include "firewall-ref/datapath/track_open.h"

#define TRACK_ACK_WINDOW_MIN 66000u
#define TRACK_SCALE_MAX 14

/* The combinations of FIN, SYN, RST and ACK that stacks send; the rest is free. */
LAYER_INLINE int track_flags_valid(__u8 flags)
{
	const __u32 valid = 1u << TCP_SYN | 1u << (TCP_SYN | TCP_ACK) | 1u << TCP_RST |
			    1u << (TCP_RST | TCP_ACK) | 1u << (TCP_FIN | TCP_ACK) | 1u << TCP_ACK;

	return valid >> (flags & (TCP_FIN | TCP_SYN | TCP_RST | TCP_ACK)) & 1;
}

/* RST: within the window it passes; it closes the flow only if the receiver may
 * be waiting for just this number (RFC 5961 3: any other is answered by a
 * challenge ACK, and the connection lives). */
LAYER_INLINE __u32 track_reset(struct flow *flow, const struct descriptor *d)
{
	struct flow_peer *me = &flow->peer[d->direction & 1];
	const struct flow_peer *other = &flow->peer[!d->direction];

	if (flow->state == FLOW_SYN_SENT)
		return track_reset_opening(flow, d);
	if ((other->flags & PEER_ACKED) && track_after(other->ack_max, d->sequence))
		return DROP_TCP_RST;
	if (track_after(d->sequence, me->end_max))
		return DROP_TCP_RST;
	if (track_after(d->sequence, me->end))
		return 0;
	me->flags |= PEER_RESET;
	flow->state = FLOW_CLOSED;
	return 0;
}

LAYER_INLINE int track_in_window(const struct flow_peer *me, const struct flow_peer *other,
				 const struct descriptor *d)
{
	__u32 back = me->window_max > TRACK_ACK_WINDOW_MIN ? me->window_max : TRACK_ACK_WINDOW_MIN;

	return !track_after(d->sequence, me->end_max) &&
	       !track_after(me->end - other->window_max, track_end(d)) &&
	       !track_after(d->acknowledgement, other->end) &&
	       !track_after(other->end - back, d->acknowledgement);
}

/* What an accepted segment tells about both sides. */
LAYER_INLINE void track_learn(struct flow_peer *me, struct flow_peer *other,
			      const struct descriptor *d)
{
	__u32 end = track_end(d), edge;
	__u32 window = d->tcp_flags & TCP_SYN ? d->window : (__u32)d->window << (me->scale & 15);

	if (window > me->window_max)
		me->window_max = window;
	if (track_after(end, me->end))
		me->end = end;
	if (track_after(end, me->end_max)) {
		other->window_max += end - me->end_max;
		me->end_max = end;
	}
	edge = d->acknowledgement + (window ? window : 1); /* a closed window is probed */
	if (track_after(edge, other->end_max))
		other->end_max = edge;
	if (!(me->flags & PEER_ACKED) || track_after(d->acknowledgement, me->ack_max))
		me->ack_max = d->acknowledgement;
	me->flags |= PEER_ACKED;
	if (d->tcp_flags & TCP_FIN) {
		me->flags |= PEER_FIN;
		me->fin_end = end;
	}
}

LAYER_INLINE int track_fin_acked(const struct flow_peer *closer, const struct flow_peer *other)
{
	return (closer->flags & PEER_FIN) && !track_after(closer->fin_end, other->ack_max);
}

LAYER_INLINE __u8 track_closing(const struct flow *flow)
{
	const struct flow_peer *a = &flow->peer[0], *b = &flow->peer[1];

	if (a->flags & b->flags & PEER_FIN)
		return track_fin_acked(a, b) && track_fin_acked(b, a) ? FLOW_TIME_WAIT
								      : FLOW_LAST_ACK;
	return track_fin_acked(a, b) || track_fin_acked(b, a) ? FLOW_CLOSE_WAIT : FLOW_FIN_WAIT;
}

/* ACK, data, FIN and repeated SYN/ACKs. */
LAYER_INLINE __u32 track_ordinary(struct flow *flow, const struct descriptor *d)
{
	struct flow_peer *me = &flow->peer[d->direction & 1], *other = &flow->peer[!d->direction];

	if (!track_in_window(me, other, d))
		return DROP_TCP_WINDOW;
	track_learn(me, other, d);
	if ((me->flags | other->flags) & PEER_FIN) {
		if (flow->state != FLOW_CLOSED)
			flow->state = track_closing(flow);
	} else if (flow->state == FLOW_SYN_RECEIVED ? !d->direction
						    : flow->state == FLOW_CLOSED &&
							      (me->flags & PEER_RESET)) {
		/* The second: whoever sent that RST did not end the connection. */
		me->flags = (__u8)(me->flags & ~PEER_RESET);
		flow->state = FLOW_ESTABLISHED;
	}
	return 0;
}

LAYER_INLINE __u32 track_syn_ack(struct flow *flow, const struct descriptor *d)
{
	const struct flow_peer *opener = &flow->peer[0];

	switch (flow->state) {
	case FLOW_SYN_SENT:
		if (!d->direction || track_after(opener->fin_end, d->acknowledgement) ||
		    track_after(d->acknowledgement, opener->end))
			return DROP_TCP_STATE;
		track_answer(flow, d);
		return 0;
	case FLOW_TIME_WAIT:
	case FLOW_CLOSED:
		return DROP_TCP_STATE;
	default:
		if (d->direction && flow->restart_flags &&
		    d->acknowledgement == flow->restart_end) {
			track_restart(flow, d);
			return 0;
		}
		return track_ordinary(flow, d);
	}
}

/* A segment of a known flow. Returns 0 to pass, a drop reason or TRACK_RESTART. */
LAYER_INLINE __u32 track_segment(struct flow *flow, const struct descriptor *d)
{
	if (!track_flags_valid(d->tcp_flags))
		return DROP_TCP_FLAGS;
	if (d->tcp_flags & TCP_RST)
		return track_reset(flow, d);
	if (d->tcp_flags & TCP_SYN)
		return d->tcp_flags & TCP_ACK ? track_syn_ack(flow, d) : track_syn(flow, d);
	if (flow->state != FLOW_SYN_SENT)
		return track_ordinary(flow, d);
	/* Nothing but the challenge ACK of a server that knows an older connection. */
	if (!d->direction || d->payload_bytes || d->tcp_flags & TCP_FIN)
		return DROP_TCP_STATE;
	flow->peer[1].ack_max = d->acknowledgement;
	flow->peer[1].flags |= PEER_ACKED;
	return 0;
}

/* Without inspection nothing is dropped; the state is followed for the timers
 * alone. Returns 0 or TRACK_RESTART. */
LAYER_INLINE __u32 track_observe(struct flow *flow, const struct descriptor *d)
{
	struct flow_peer *me = &flow->peer[d->direction & 1], *other = &flow->peer[!d->direction];

	if ((d->tcp_flags & (TCP_SYN | TCP_ACK)) == TCP_SYN) {
		if (flow->state == FLOW_TIME_WAIT || flow->state == FLOW_CLOSED)
			return TRACK_RESTART;
	} else if (d->tcp_flags & TCP_RST) {
		flow->state = FLOW_CLOSED;
	} else if (d->tcp_flags & TCP_FIN) {
		me->flags |= PEER_FIN;
		flow->state = other->flags & PEER_FIN ? FLOW_TIME_WAIT : FLOW_FIN_WAIT;
	} else if (flow->state == FLOW_SYN_SENT && d->direction) {
		flow->state = FLOW_SYN_RECEIVED;
	} else if (flow->state == FLOW_SYN_RECEIVED && !d->direction) {
		flow->state = FLOW_ESTABLISHED;
	}
	return 0;
}

#endif
