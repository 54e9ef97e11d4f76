/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of address pools, and which addresses a connection gets. */
#ifndef TRAFFICGEN_POOL_H
#define TRAFFICGEN_POOL_H

#include <stdint.h>

#include "common/address.h"

#define POOLS_MAX 64

/* Addresses in the order written; total is the sum of the counts. */
struct pools {
	uint32_t count;
	uint32_t total;
	struct pool pool[POOLS_MAX];
};

/* "A", "A-B", "A/len" or a comma list of those; a name is resolved (one address
 * of the family wanted: 4, 6 or 0 for any). Returns 0, or -EINVAL, -E2BIG,
 * -ENOENT (name not found) and leaves *out untouched; nothing is logged. */
int pools_read(const char *text, int family, struct pools *out);
/* Address number n of the list, n < total. */
struct address pools_at(const struct pools *pools, uint32_t n);
/* 4 or 6 where every address is of that family, 0 where they are mixed or none. */
int pools_family(const struct pools *pools);

/* Who talks to whom: connection i belongs to client i mod clients, and client c
 * starts at server c mod servers and takes the next one with each connection of
 * its own (RFC 3511, 4.5, counted from 0). */
struct pairing {
	uint32_t client, server;
};

struct pairing pool_pair(uint32_t connection, uint32_t clients, uint32_t servers);

/* How many of the connections find a local port when each pair of client and
 * server address has so many: the kernel tells connections apart by both ends. */
uint64_t pool_ports_suffice_for(uint32_t connections, uint32_t clients, uint32_t servers,
				uint32_t ports);

#endif
