/* SPDX-License-Identifier: BSD-2-Clause */
/* Next hops on the user path: the kernel's routes and neighbours, asked by
 * rtnetlink and kept until the kernel reports a change. A neighbour that is not
 * known is probed by the kernel (NTF_USE); one in use is probed again when the
 * kernel's knowledge of it grows stale.
 *
 * Threads: owned by the worker, but for router_open and router_close. */
#ifndef USER_ROUTER_H
#define USER_ROUTER_H

#include <stdbool.h>
#include <stdint.h>

#include "firewall-ref/datapath/flow.h"
#include "firewall-ref/user/netlink.h"

enum { ROUTER_KEPT = 8192, ROUTER_NEIGHBOURS = 1024 };

struct router_kept {
	uint32_t destination[4];
	uint32_t generation;            /* of the router; another: void */
	uint8_t family, result;         /* enum route_result */
	uint64_t until_ns;
	struct next_hop hop;
};

struct router_neighbour {
	uint32_t address[4];
	uint32_t interface;             /* 0: empty */
	uint16_t state;                 /* NUD_* */
	uint8_t family;
	bool used;                      /* since the last tick */
	uint8_t link[6];
};

struct router {
	struct netlink ask, watch;
	uint32_t interface[2];          /* by side */
	uint8_t link[2][6];
	uint32_t mtu[2];
	uint32_t generation;
	struct router_kept *kept;
	struct router_neighbour *neighbours;
	bool addresses_changed;         /* for whoever clears it */
};

/* names: of the two interfaces, by side. 0 or -errno, logged. */
int router_open(struct router *router, const char *const names[2]);
void router_close(struct router *router);
/* The way to key->destination. Unknown neighbours come with HOP_RESOLVE. */
enum route_result router_ask(struct router *router, const struct flow_key *key, uint64_t now_ns,
			     struct next_hop *hop);
/* Reads the kernel's reports; call it when watch.fd is readable, or now and then. */
void router_watch(struct router *router);
/* Once a second: has stale neighbours in use probed. */
void router_tick(struct router *router);

#endif
