/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/user/pending.h"

#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(struct pending_packet, frame) ==
	       offsetof(struct pending_packet, vnet) + sizeof(struct virtio_net_hdr),
	       "the header stands directly before the frame");

/* Where the frame goes to, as it is now: its addresses may have been translated. */
static void pending_key(struct flow_key *key, const struct port_frame *frame,
			const struct descriptor *d)
{
	*key = (struct flow_key){ .family = d->key.family };
	if (key->family == 4)
		memcpy(key->destination, frame->frame + 30, 4);
	else
		memcpy(key->destination, frame->frame + 38, 16);
}

bool pending_keep(struct pending *pending, const struct port_frame *frame,
		  const struct descriptor *d, struct packets_bytes what, uint64_t now_ns)
{
	struct pending_packet *p;

	if (pending->count == PENDING_MAX || frame->bytes > PENDING_FRAME_BYTES ||
	    frame->captured < frame->bytes ||
	    frame->bytes < (d->key.family == 4 ? 34u : 54u))
		return false;
	p = &pending->packets[pending->count++];
	pending_key(&p->key, frame, d);
	p->what = what;
	p->since_ns = now_ns;
	p->bytes = frame->bytes;
	p->vnet = *frame->vnet;
	memcpy(p->frame, frame->frame, frame->bytes);
	return true;
}

void pending_retry(struct pending *pending, struct router *router, uint64_t now_ns,
		   void (*send)(void *context, const struct port_frame *frame,
				const struct next_hop *hop, struct packets_bytes what),
		   void (*lost)(void *context, struct packets_bytes what), void *context)
{
	uint32_t kept = 0;
	bool changed = pending->generation != router->generation;

	pending->generation = router->generation;
	for (uint32_t i = 0; i < pending->count; i++) {
		struct pending_packet *p = &pending->packets[i];
		struct port_frame frame = { .vnet = &p->vnet, .frame = p->frame, .bytes = p->bytes,
					    .captured = p->bytes };
		struct next_hop hop;

		if (changed && router_ask(router, &p->key, now_ns, &hop) == ROUTE_FORWARD &&
		    !(hop.flags & HOP_RESOLVE)) {
			memcpy(p->frame, hop.destination, 6);
			memcpy(p->frame + 6, hop.source, 6);
			send(context, &frame, &hop, p->what);
		} else if (now_ns - p->since_ns > PENDING_NS) {
			lost(context, p->what);
		} else {
			pending->packets[kept++] = *p;
		}
	}
	pending->count = kept;
}
