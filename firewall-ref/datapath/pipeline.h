/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The order in which a packet meets the stages. Stages do not call each other. */
#ifndef DATAPATH_PIPELINE_H
#define DATAPATH_PIPELINE_H

#include "firewall-ref/datapath/layer.h"

/* Judges one frame, rewrites it if it is to be forwarded and counts it. On
 * VERDICT_FORWARD d->hop says where it goes; with HOP_RESOLVE in its flags the
 * link addresses are not written and the build's output lets the system find
 * them. On VERDICT_DROP d->reason says why. */
LAYER_INLINE enum verdict pipeline_run(struct layer *layer, struct descriptor *d);

#endif
