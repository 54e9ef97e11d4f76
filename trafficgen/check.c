/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/check.h"

#include <errno.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"
#include "trafficgen/workload/workload.h"

static int check_choices(struct options *o)
{
	if (o->only4 && o->only6)
		return log_err(-EINVAL, "-4 or -6, not both");
	if (o->reverse && o->bidir)
		return log_err(-EINVAL, "--reverse or --bidir, not both");
	if (o->duration_ns && o->amount_bytes)
		return log_err(-EINVAL, "--time or --bytes, not both");
	if (o->amount_bytes && o->warm_up_ns)
		return log_err(-EINVAL, "--omit needs --time: with --bytes everything is measured");
	if (o->interval_ns && o->interval_ns < 10 * NS_PER_MS)
		return log_err(-EINVAL, "--interval must be 0 or 0.01 and more");
	if (o->role == ROLE_CLIENT && !o->amount_bytes && !o->duration_ns)
		o->duration_ns = 10 * NS_PER_S;
	if (o->verify)
		o->copy = true;
	return 0;
}

/* asks: the option that family comes from. */
static int check_pool(const char *name, const char *text, int family, const char *asks,
		      struct pools *out)
{
	int code = pools_read(text, family, out);

	if (code == -ENOENT)
		return log_err(code, "--%s %s: no such name%s", name, text,
			       family ? " of this IP version" : "");
	if (code)
		return log_err(code, "--%s %s: not addresses such as 198.18.64.1, 198.18.64.1-198.18.64.200, "
				     "2001:2:0:40::/112 or a comma list of at most %d of them",
			       name, text, POOLS_MAX);
	for (uint32_t i = 0; family && i < out->count; i++)
		if (out->pool[i].first.family != family)
			return log_err(-EINVAL, "--%s %s: not all IPv%d, as %s asks", name, text, family,
				       asks);
	return 0;
}

/* The addresses of isolated networks: loopback, link-local, private (RFC 1918, 4193,
 * 6598), benchmarking (RFC 2544, 5180), documentation (RFC 5737, 3849). */
static bool check_isolated(const struct pool *pool)
{
	static const char *const networks[] = {
		"127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
		"100.64.0.0/10", "198.18.0.0/15", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",
		"::1", "fe80::/10", "fc00::/7", "2001:2::/48", "2001:db8::/32",
	};
	struct address last = address_add(&pool->first, pool->count - 1);
	struct prefix p;

	for (size_t i = 0; i < ARRAY_LEN(networks); i++)
		if (!prefix_read(networks[i], &p) && prefix_contains(&p, &pool->first) &&
		    prefix_contains(&p, &last))
			return true;
	return false;
}

/* RFC 6815: a benchmark's load belongs on an isolated network. */
static int check_public(const struct options *o)
{
	char text[ADDRESS_TEXT_BYTES];

	for (uint32_t i = 0; !o->public && i < o->servers.count; i++)
		if (!check_isolated(&o->servers.pool[i]))
			return log_err(-EINVAL, "-c %s: a public address; saturating load belongs on an "
						"isolated network (RFC 6815). Where it is yours: --public",
				       address_print(text, sizeof(text), &o->servers.pool[i].first));
	return 0;
}

static int check_pools(struct options *o)
{
	int family = o->only4 ? 4 : o->only6 ? 6 : 0;
	const char *asks = o->only4 ? "-4" : "-6";

	if (o->role == ROLE_CLIENT && !*o->servers_text)
		return log_err(-EINVAL, "say where to: fwgen client -c ADDRESS");
	if (*o->bind_text && check_pool("bind", o->bind_text, family, asks, &o->bind))
		return -EINVAL;
	if (o->role == ROLE_SERVER)
		return 0;
	if (!family && o->bind.count) {
		family = pools_family(&o->bind);
		asks = "--bind";
	}
	if (check_pool("client", o->servers_text, family, asks, &o->servers))
		return -EINVAL;
	if (!pools_family(&o->servers) || (o->bind.count && !pools_family(&o->bind)))
		return log_err(-EINVAL, "IPv4 or IPv6 in one run, not both: -c %s -B %s",
			       o->servers_text, o->bind_text);
	return check_public(o);
}

static int check_cores(struct options *o)
{
	struct cores allowed;

	if (cores_allowed(&allowed))
		return log_err(-EINVAL, "cannot tell the cores this process may run on");
	if (!o->cores.count)
		o->cores = allowed;
	for (unsigned i = 0; i < o->cores.count; i++) {
		bool found = false;

		for (unsigned j = 0; j < allowed.count; j++)
			found |= allowed.core[j] == o->cores.core[i];
		if (!found) {
			char text[256];

			return log_err(-EINVAL, "--cores: core %u is not one this process may use (%s)",
				       o->cores.core[i], cores_print(text, sizeof(text), &allowed));
		}
	}
	return 0;
}

int options_check(struct options *o)
{
	if (check_choices(o) || check_pools(o) || check_cores(o))
		return -EINVAL;
	return o->workload->check ? o->workload->check(o) : 0;
}
