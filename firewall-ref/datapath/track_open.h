/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* How a tracked TCP connection begins, and begins anew in a flow that is known: SYN,
 * SYN/ACK, and the RST that answers them. For track.h; the caller holds the flow's
 * lock. */
#ifndef DATAPATH_TRACK_OPEN_H
#define DATAPATH_TRACK_OPEN_H

#include "firewall-ref/datapath/layer.h"

/* What becomes of a segment: a drop reason, 0, or: */
#define TRACK_RESTART 0x100u /* a SYN after the end: the flow is over, a new one begins */

LAYER_INLINE int track_after(__u32 a, __u32 b)
{
	return (__s32)(a - b) > 0;
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

#endif
