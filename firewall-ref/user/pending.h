/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that wait for their next hop's link address: judged, counted and
 * rewritten already, copies of their frames kept for a moment. */
#ifndef USER_PENDING_H
#define USER_PENDING_H

#include "firewall-ref/datapath/descriptor.h"
#include "firewall-ref/datapath/tables.h"
#include "firewall-ref/user/port.h"
#include "firewall-ref/user/router.h"

enum { PENDING_MAX = 256, PENDING_FRAME_BYTES = 2048 };
#define PENDING_NS 1000000000ull

struct pending_packet {
	struct flow_key key;            /* destination and family: where to */
	struct packets_bytes what;
	uint64_t since_ns;
	uint32_t bytes;                 /* of the frame */
	struct virtio_net_hdr vnet;     /* directly before the frame */
	uint8_t frame[PENDING_FRAME_BYTES];
};

struct pending {
	uint32_t count;
	uint32_t generation;            /* of the router when it was last asked */
	struct pending_packet *packets; /* PENDING_MAX */
};

/* Keeps a copy; false if there is no room or the frame is too large. */
bool pending_keep(struct pending *pending, const struct port_frame *frame,
		  const struct descriptor *d, struct packets_bytes what, uint64_t now_ns);
/* Asks for every packet's next hop again: those that have one are handed to send
 * with their link addresses written (the frame is valid until it returns), those
 * that waited too long to lost. Cheap while nothing has changed. */
void pending_retry(struct pending *pending, struct router *router, uint64_t now_ns,
		   void (*send)(void *context, const struct port_frame *frame,
				const struct next_hop *hop, struct packets_bytes what),
		   void (*lost)(void *context, struct packets_bytes what), void *context);

#endif
