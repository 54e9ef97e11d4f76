/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The next hop, asked once a second for each flow and direction (or destination)
 * instead of for every packet, so a changed route or neighbour is followed after
 * at most ROUTE_KEEP_NS. The packet that asked uses the neighbour the system's
 * way, which keeps the system's entry for it alive.
 *
 * A kept hop may be read by one core while another renews it; both write the
 * same bytes unless the route changed in that very moment. */
#ifndef DATAPATH_ROUTE_H
#define DATAPATH_ROUTE_H

#include "firewall-ref/datapath/layer.h"

#define ROUTE_KEEP_NS 1000000000ull

/* Fills d->hop for a packet that leaves with this key. kept: where to keep the
 * answer, or a null pointer. */
LAYER_INLINE enum route_result route_new(struct layer *layer, struct descriptor *d,
					 const struct flow_key *key, struct next_hop *kept,
					 __u64 now_ns)
{
	enum route_result result = route_ask(layer, d, key, &d->hop);

	if (result != ROUTE_FORWARD)
		return result;
	if (!(d->hop.flags & HOP_RESOLVE)) {
		d->hop.until_ns = now_ns + ROUTE_KEEP_NS;
		if (kept)
			*kept = d->hop;
		else
			route_keep(layer, key, &d->hop);
		d->hop.flags |= HOP_CONFIRM;
	}
	return ROUTE_FORWARD;
}

/* For a packet without a flow: kept by destination. */
LAYER_INLINE enum route_result route_of_destination(struct layer *layer, struct descriptor *d,
						    const struct flow_key *key, __u64 now_ns)
{
	const struct next_hop *kept = route_kept(layer, key);

	if (kept && now_ns < kept->until_ns) {
		d->hop = *kept;
		return ROUTE_FORWARD;
	}
	return route_new(layer, d, key, 0, now_ns);
}

#endif
