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

#define TRACK_ACK_WINDOW_MIN 66000u
#define TRACK_SCALE_MAX 14

/* What becomes of a segment: a drop reason, 0, or: */
#define TRACK_RESTART 0x100u /* a SYN after the end: the flow is over, a new one begins */

LAYER_INLINE int track_after(__u32 a, __u32 b)
{
	return (__s32)(a - b) > 0;
}

/* The combinations of FIN, SYN, RST and ACK that stacks send; the rest is free. */
LAYER_INLINE int track_flags_valid(__u8 flags)
{
	const __u32 valid = 1u << TCP_SYN | 1u << (TCP_SYN | TCP_ACK) | 1u << TCP_RST |
			    1u << (TCP_RST | TCP_ACK) | 1u << (TCP_FIN | TCP_ACK) | 1u << TCP_ACK;

	return valid >> (flags & (TCP_FIN | TCP_SYN | TCP_RST | TCP_ACK)) & 1;
}

LAYER_INLINE __u32 track_end(const struct descriptor *d)
{
	return d->sequence + d->payload_bytes + !!(d->tcp_flags & TCP_SYN) +
	       !!(d->tcp_flags & TCP_FIN);
}

/* A side's first SYN. Until it is answered, fin_end holds the end of the SYN
 * alone: a SYN/ACK need not acknowledge the data of a Fast Open. */
LAYER_INLINE void track_peer_open(struct flow_peer *peer, const struct descriptor *d)
{
	peer->end = track_end(d);
	peer->end_max = peer->end;
	peer->window_max = d->window ? d->window : 1;
	peer->ack_max = 0;
	peer->fin_end = d->sequence + 1;
	peer->scale = d->syn_scale;
	peer->flags = (__u8)(PEER_SEEN | (d->syn_scales ? PEER_SCALE : 0));
}

/* Scaling holds only if both sides offered it. */
LAYER_INLINE void track_scale_settle(struct flow *flow)
{
	if (flow->peer[0].flags & flow->peer[1].flags & PEER_SCALE)
		return;
	flow->peer[0].scale = 0;
	flow->peer[1].scale = 0;
}

/* The answer to a SYN: both sides are known. Windows of SYNs are not scaled. */
LAYER_INLINE void track_answer(struct flow *flow, const struct descriptor *d)
{
	struct flow_peer *opener = &flow->peer[0], *answerer = &flow->peer[1];
	__u32 edge = d->acknowledgement + d->window;

	track_peer_open(answerer, d);
	answerer->end_max = answerer->end + opener->window_max;
	answerer->ack_max = d->acknowledgement;
	answerer->flags |= PEER_ACKED;
	if (track_after(edge, opener->end_max))
		opener->end_max = edge;
	track_scale_settle(flow);
	flow->restart_flags = 0;
	flow->state = FLOW_SYN_RECEIVED;
}

/* A SYN in the middle of a connection passes without effect: the other end
 * answers it with a challenge ACK (RFC 5961 4). It is remembered, because an end
 * that has lost the connection answers with a SYN/ACK instead. */
LAYER_INLINE __u32 track_syn(struct flow *flow, const struct descriptor *d)
{
	switch (flow->state) {
	case FLOW_SYN_SENT:
		track_peer_open(&flow->peer[d->direction], d);
		if (d->direction) { /* simultaneous open */
			flow->peer[1].end_max += flow->peer[0].window_max;
			flow->peer[0].end_max += d->window;
			track_scale_settle(flow);
			flow->state = FLOW_SYN_RECEIVED;
		}
		return 0;
	case FLOW_TIME_WAIT:
	case FLOW_CLOSED:
		return TRACK_RESTART;
	default:
		if (d->direction || flow->state == FLOW_SYN_RECEIVED)
			return 0;
		flow->restart_end = track_end(d);
		flow->restart_window = d->window;
		flow->restart_scale = d->syn_scale;
		flow->restart_flags = (__u8)(PEER_SEEN | (d->syn_scales ? PEER_SCALE : 0));
		return 0;
	}
}

/* SYN/ACK to the remembered SYN: the connection starts anew in the same flow. */
LAYER_INLINE void track_restart(struct flow *flow, const struct descriptor *d)
{
	struct flow_peer *opener = &flow->peer[0];

	opener->end = flow->restart_end;
	opener->end_max = flow->restart_end;
	opener->window_max = flow->restart_window ? flow->restart_window : 1;
	opener->ack_max = 0;
	opener->fin_end = 0;
	opener->scale = flow->restart_scale;
	opener->flags = flow->restart_flags;
	track_answer(flow, d);
}

/* RST before the connection is open: it must answer the SYN, or end an older
 * connection that the server reminded the client of (peer[1].ack_max). */
LAYER_INLINE __u32 track_reset_opening(struct flow *flow, const struct descriptor *d)
{
	const struct flow_peer *opener = &flow->peer[0], *answerer = &flow->peer[1];
	__u32 at = d->direction ? d->acknowledgement : d->sequence;

	if (!d->direction && (answerer->flags & PEER_ACKED) && at == answerer->ack_max)
		return 0;
	if (d->direction && !(d->tcp_flags & TCP_ACK))
		return DROP_TCP_RST;
	if (track_after(opener->fin_end, at) || track_after(at, opener->end))
		return DROP_TCP_RST;
	flow->state = FLOW_CLOSED;
	return 0;
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
