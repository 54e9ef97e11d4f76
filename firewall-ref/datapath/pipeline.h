/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The order in which a packet meets the stages. Stages do not call each other. */
#ifndef DATAPATH_PIPELINE_H
#define DATAPATH_PIPELINE_H

#include "firewall-ref/datapath/layer.h"

/* classify.h: the first filter that matches a packet with this key, or RULES_NONE.
 * The key bears the addresses of the inside. */
LAYER_INLINE __u32 classify(struct layer *layer, __u32 slot, const struct setting *setting,
			    const struct flow_key *key);

/* Judges one frame, rewrites it if it is to be forwarded and counts it. On
 * VERDICT_FORWARD d->hop says where it goes; with HOP_RESOLVE in its flags the
 * link addresses are not written and the build's output lets the system find
 * them. On VERDICT_DROP d->reason says why. */
LAYER_INLINE enum verdict pipeline_run(struct layer *layer, struct descriptor *d);

#endif
