/* SPDX-License-Identifier: BSD-2-Clause */
/* One short check a rule; each message states both facts and the way out. */
#include "harness/scenario/rules.h"

#include <errno.h>
#include <string.h>

#include "common/own.h"
#include "harness/lab/addresses.h"

/* Ports that a client address has for one server port (net.ipv4.ip_local_port_range). */
#define PORTS_OF_A_PAIR 28000ull
#define IPV6_MTU_MIN 1280u

struct rule {
	const char *keys[2];           /* where the message points, the first written one */
	int (*check)(const struct values *v, const struct mark *at);
};

static int clients_and_connections(const struct values *v, const struct mark *at)
{
	const struct load_settings *l = &v->settings.load;

	if (l->clients <= l->connections)
		return 0;
	return mark_err(at, "load.clients is %u but load.connections is %u: every client address needs a connection",
			l->clients, l->connections);
}

static int servers_and_connections(const struct values *v, const struct mark *at)
{
	const struct load_settings *l = &v->settings.load;

	if (l->servers <= l->connections)
		return 0;
	return mark_err(at, "load.servers is %u but load.connections is %u: every server address needs a connection",
			l->servers, l->connections);
}

static int client_addresses(const struct values *v, const struct mark *at)
{
	if (v->settings.load.clients <= LAB_CLIENTS_MAX)
		return 0;
	return mark_err(at, "load.clients is %u but the lab has %u client addresses",
			v->settings.load.clients, LAB_CLIENTS_MAX);
}

static int server_addresses(const struct values *v, const struct mark *at)
{
	if (v->settings.load.servers <= LAB_SERVERS_MAX)
		return 0;
	return mark_err(at, "load.servers is %u but the lab has %u server addresses",
			v->settings.load.servers, LAB_SERVERS_MAX);
}

static int filter_addresses(const struct values *v, const struct mark *at)
{
	if (v->settings.policy.filters <= LAB_CLIENTS_MAX)
		return 0;
	return mark_err(at, "policy.filters is %u but the lab has %u client addresses to filter",
			v->settings.policy.filters, LAB_CLIENTS_MAX);
}

static int filters_and_clients(const struct values *v, const struct mark *at)
{
	const struct policy_settings *p = &v->settings.policy;
	uint32_t clients = v->settings.load.clients;

	if (!p->present || !p->filters || clients <= p->filters)
		return 0;
	return mark_err(at, "load.clients is %u but policy.filters is %u: %u clients would get nothing",
			clients, p->filters, clients - p->filters);
}

static int limit_and_filters(const struct values *v, const struct mark *at)
{
	const struct policy_settings *p = &v->settings.policy;

	if (!p->present || !p->limit_bps || p->filters)
		return 0;
	return mark_err(at, "policy.limit is given but policy.filters is 0: a limit belongs to a filter");
}

static int burst_and_limit(const struct values *v, const struct mark *at)
{
	const struct policy_settings *p = &v->settings.policy;

	if (!p->present || !p->burst_bytes || p->limit_bps)
		return 0;
	return mark_err(at, "policy.burst is given but policy.limit is off: a burst belongs to a limit");
}

static int topology_and_device(const struct values *v, const struct mark *at)
{
	if (v->settings.lab.topology != TOPOLOGY_DIRECT || !strcmp(v->settings.device.kind, "none"))
		return 0;
	return mark_err(at, "lab.topology is direct but device is %s: direct has no device in the middle, say device: none",
			v->settings.device.kind);
}

static int mtu_and_ip(const struct values *v, const struct mark *at)
{
	if (v->settings.ip != 6 || v->settings.lab.mtu_bytes >= IPV6_MTU_MIN)
		return 0;
	return mark_err(at, "lab.mtu is %u but ip is 6: IPv6 needs %u at least",
			v->settings.lab.mtu_bytes, IPV6_MTU_MIN);
}

static int cores_apart(const struct values *v, const struct mark *at)
{
	const struct cores *device = &v->settings.lab.device_cores;
	const struct cores *generator = &v->settings.lab.generator_cores;

	for (unsigned i = 0; i < device->count; i++)
		for (unsigned j = 0; j < generator->count; j++)
			if (device->core[i] == generator->core[j])
				return mark_err(at, "core %u is in lab.device-cores and in lab.generator-cores: the device's CPU could not be told apart",
						device->core[i]);
	return 0;
}

static int ports(const struct values *v, const struct mark *at)
{
	const struct load_settings *l = &v->settings.load;
	uint64_t most = PORTS_OF_A_PAIR * l->clients * l->servers;

	if (l->connections <= most)
		return 0;
	return mark_err(at, "load.connections is %u but %u client and %u server addresses have ports for %llu",
			l->connections, l->clients, l->servers, (unsigned long long)most);
}

static int nat_ports(const struct values *v, const struct mark *at)
{
	const struct load_settings *l = &v->settings.load;
	uint64_t most = PORTS_OF_A_PAIR * l->servers;

	if (!v->settings.policy.present || !v->settings.policy.nat || l->connections <= most)
		return 0;
	return mark_err(at, "load.connections is %u but one NAT address to %u server addresses is sure of ports for %llu; more load.servers help",
			l->connections, l->servers, (unsigned long long)most);
}

static const struct rule rules[] = {
	{ { "load.clients" }, client_addresses },
	{ { "load.servers" }, server_addresses },
	{ { "policy.filters" }, filter_addresses },
	{ { "load.clients", "load.connections" }, clients_and_connections },
	{ { "load.servers", "load.connections" }, servers_and_connections },
	{ { "load.connections", "load.clients" }, ports },
	{ { "policy.filters", "load.clients" }, filters_and_clients },
	{ { "policy.limit", "policy.filters" }, limit_and_filters },
	{ { "policy.burst", "policy.limit" }, burst_and_limit },
	{ { "policy.nat", "load.connections" }, nat_ports },
	{ { "lab.topology", "device.kind" }, topology_and_device },
	{ { "lab.mtu", "ip" }, mtu_and_ip },
	{ { "lab.device-cores", "lab.generator-cores" }, cores_apart },
};

int rules_check(const struct values *values, const struct mark *marks, const struct mark *row)
{
	for (unsigned i = 0; i < ARRAY_LEN(rules); i++) {
		const struct mark *at = row;

		for (unsigned k = ARRAY_LEN(rules[i].keys); k-- > 0;) {
			const char *path = rules[i].keys[k];
			const struct mark *written = path ? &marks[key_find(path) - key_table] : NULL;

			if (written && written->file)
				at = written;
		}
		if (rules[i].check(values, at))
			return -EINVAL;
	}
	return 0;
}
