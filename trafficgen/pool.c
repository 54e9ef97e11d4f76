/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/pool.h"

#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"

static int pool_resolve(const char *name, int family, struct pool *out)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *list = NULL;
	struct sockaddr_storage ss = { 0 };

	hints.ai_family = family == 4 ? AF_INET : family == 6 ? AF_INET6 : AF_UNSPEC;
	if (!*name || getaddrinfo(name, NULL, &hints, &list) || !list)
		return -ENOENT;
	memcpy(&ss, list->ai_addr, list->ai_addrlen);
	freeaddrinfo(list);
	out->first = address_of_sockaddr(&ss);
	out->count = 1;
	return 0;
}

/* Digits, dots, colons and slashes are an address that went wrong, not a name
 * to bother a name server with. */
static int pools_read_one(const char *text, int family, struct pool *out)
{
	if (!pool_read(text, out))
		return 0;
	if (!*text || strchr(text, ':') || strchr(text, '/') ||
	    strspn(text, "0123456789.-") == strlen(text))
		return -EINVAL;
	return pool_resolve(text, family, out);
}

int pools_read(const char *text, int family, struct pools *out)
{
	OWN_MEM char *copy = strdup(text);
	struct pools pools = { 0 };
	char *rest = copy;

	if (!copy)
		return -ENOMEM;
	for (char *item; (item = strsep(&rest, ","));) {
		int code;

		if (pools.count == POOLS_MAX)
			return -E2BIG;
		code = pools_read_one(item, family, &pools.pool[pools.count]);
		if (code)
			return code;
		if (pools.pool[pools.count].count > UINT32_MAX - pools.total)
			return -E2BIG;
		pools.total += pools.pool[pools.count++].count;
	}
	*out = pools;
	return 0;
}

struct address pools_at(const struct pools *pools, uint32_t n)
{
	for (uint32_t i = 0; i < pools->count; i++) {
		if (n < pools->pool[i].count)
			return address_add(&pools->pool[i].first, n);
		n -= pools->pool[i].count;
	}
	return (struct address){ 0 };
}

int pools_family(const struct pools *pools)
{
	int family = 0;

	for (uint32_t i = 0; i < pools->count; i++) {
		if (family && family != pools->pool[i].first.family)
			return 0;
		family = pools->pool[i].first.family;
	}
	return family;
}

struct pairing pool_pair(uint32_t connection, uint32_t clients, uint32_t servers)
{
	uint32_t client = connection % clients;

	return (struct pairing){ client, (uint32_t)(((uint64_t)client + connection / clients) %
						    servers) };
}

/* n connections dealt to pairs in turn: the fuller pairs have one more. */
static uint64_t pool_deal(uint64_t n, uint32_t pairs, uint32_t ports)
{
	uint64_t each = n / pairs, fuller = n % pairs;
	uint64_t low = each < ports ? each : ports, high = each + 1 < ports ? each + 1 : ports;

	return fuller * high + (pairs - fuller) * low;
}

uint64_t pool_ports_suffice_for(uint32_t connections, uint32_t clients, uint32_t servers,
				uint32_t ports)
{
	uint32_t each = connections / clients, fuller = connections % clients;

	return fuller * pool_deal((uint64_t)each + 1, servers, ports) +
	       (clients - fuller) * pool_deal(each, servers, ports);
}
