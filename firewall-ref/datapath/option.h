/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The options of a SYN: window scaling is all the tracker wants. */
#ifndef DATAPATH_OPTION_H
#define DATAPATH_OPTION_H

#include "firewall-ref/datapath/parse.h"
#include "firewall-ref/datapath/track.h"

enum { OPTION_END = 0, OPTION_NOP = 1, OPTION_SCALE = 3, OPTION_BYTES_MAX = 40 };

struct option_walk {
	struct layer *layer;
	__u32 at, end; /* offsets in the frame */
	int scale;     /* -1: not offered */
};

/* One option; 1 ends the walk. A malformed one ends it too, as hosts do. */
static long option_step(__u32 index, void *context)
{
	struct option_walk *w = context;
	int kind, length;

	(void)index;
	if (w->at >= w->end)
		return 1;
	kind = packet_byte(w->layer, w->at);
	if (kind <= OPTION_END)
		return 1;
	if (kind == OPTION_NOP) {
		w->at++;
		return 0;
	}
	length = packet_byte(w->layer, w->at + 1);
	if (length < 2 || w->at + (__u32)length > w->end)
		return 1;
	if (kind == OPTION_SCALE && length == 3)
		w->scale = packet_byte(w->layer, w->at + 2);
	w->at += (__u32)length;
	return 0;
}

LAYER_INLINE void option_read(struct layer *layer, struct descriptor *d)
{
	__u32 start = d->key.family == 4 ? PARSE_L4_IPV4 : PARSE_L4_IPV6;
	struct option_walk w = { .layer = layer, .at = start + sizeof(struct header_tcp),
				 .end = start + d->tcp_header_bytes, .scale = -1 };

	loop(OPTION_BYTES_MAX, option_step, &w);
	d->syn_scales = w.scale >= 0;
	d->syn_scale = (__u8)(w.scale < 0 ? 0 : w.scale > TRACK_SCALE_MAX ? TRACK_SCALE_MAX : w.scale);
}

#endif
