/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* Key -> flow, and the end of a flow. */
#ifndef DATAPATH_LOOKUP_H
#define DATAPATH_LOOKUP_H

#include "firewall-ref/datapath/layer.h"
#include "firewall-ref/datapath/timer.h"

#define FLOW_SERIAL_MASK 0x7fffffffu

/* Ends the flow if it still is the one of this serial: of several cores one
 * wins, removes the keys and gives the record back. */
LAYER_INLINE int flow_remove(struct layer *layer, struct flow *flow, __u32 index, __u32 serial)
{
	int won = 0;

	if (lock_take(&flow->lock))
		return 0;
	if (flow->serial == serial && flow->state != FLOW_FREE) {
		flow->serial = (serial + 1) & FLOW_SERIAL_MASK;
		flow->state = FLOW_FREE;
		won = 1;
	}
	lock_give(&flow->lock);
	if (!won)
		return 0;
	flow_key_delete(layer, &flow->key[0]);
	flow_key_delete(layer, &flow->key[1]);
	flow_give(layer, index);
	return 1;
}

/* The live flow of the packet, d->flow and d->direction set; else a null
 * pointer. A flow whose time is over ends here. */
LAYER_INLINE struct flow *flow_find(struct layer *layer, struct descriptor *d, __u64 now_ns)
{
	const struct flow_ref *found = flow_key_find(layer, &d->key);
	struct flow_ref ref;
	struct flow *flow;

	if (!found)
		return 0;
	ref = *found;
	flow = flow_at(layer, ref.index);
	if (!flow || flow->serial != ref.serial || flow->state == FLOW_FREE)
		return 0;
	if (timer_over(flow, now_ns)) {
		flow_remove(layer, flow, ref.index, ref.serial);
		return 0;
	}
	d->flow = ref.index;
	d->serial = ref.serial;
	d->direction = ref.reply;
	return flow;
}

#endif
