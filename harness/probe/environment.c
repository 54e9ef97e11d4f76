/* SPDX-License-Identifier: BSD-2-Clause */
#include <fcntl.h>
#include <string.h>

#include "common/own.h"
#include "harness/lab/namespace.h"
#include "harness/lab/offload.h"
#include "harness/probe/machine.h"
#include "harness/probe/probe.h"

#define OFFLOADS_MAX 16

static const char *const topology_names[] = {
	[TOPOLOGY_DIRECT] = "direct", [TOPOLOGY_BRIDGED] = "bridged", [TOPOLOGY_ROUTED] = "routed",
};

static json_t *environment_programs(void)
{
	static const char *const programs[][3] = {
		{ "ip", "-V", NULL },          { "nft", "--version", NULL },
		{ "iptables", "--version", NULL }, { "ethtool", "--version", NULL },
		{ "gnuplot", "--version", NULL },
	};
	json_t *found = json_object();

	for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
		OWN_MEM char *version = machine_version(programs[i]);

		json_object_set_new(found, programs[i][0], machine_text(version));
	}
	return found;
}

/* -1: the host, from this process's namespace. */
static json_t *environment_sysctls(int netns_fd, const char *const *paths)
{
	json_t *found = json_object();

	for (; *paths; paths++) {
		char value[128];
		char name[128];
		int code = namespace_sysctl_read(netns_fd, *paths, value, sizeof(value));

		snprintf(name, sizeof(name), "%s", *paths);
		for (char *p = name; *p; p++)
			if (*p == '/')
				*p = '.';
		/* Several numbers stand with tabs between them. */
		for (char *p = value; !code && *p; p++)
			if (*p == '\t')
				*p = ' ';
		json_object_set_new(found, name, code ? json_null() : machine_text(value));
	}
	return found;
}

static json_t *environment_interface(const struct lab *lab, enum lab_node node, const char *name)
{
	int on[OFFLOADS_MAX];
	json_t *found;

	_Static_assert(OFFLOADS_MAX >= 6, "as many as offload_table has");
	if (offload_count > OFFLOADS_MAX || offload_read(lab->netns_fd[node], name, on))
		return json_null();
	found = json_object();
	for (size_t i = 0; i < offload_count; i++)
		json_object_set_new(found, offload_table[i].name,
				    on[i] < 0 ? json_null() : json_string(on[i] ? "on" : "off"));
	return found;
}

static json_t *environment_offloads(const struct lab *lab)
{
	json_t *found = json_object();

	for (enum lab_node node = 0; node < NODE_COUNT; node++) {
		if (lab->netns_fd[node] < 0)
			continue;
		for (int side = 0; side < (node == NODE_DEVICE ? 2 : 1); side++) {
			const char *name = lab_interface(node, side);

			json_object_set_new(found, name, environment_interface(lab, node, name));
		}
	}
	return found;
}

/* What a trial depends on and what may differ from node to node. */
static json_t *environment_nodes(const struct lab *lab)
{
	static const char *const paths[] = {
		"net/ipv4/ip_forward", "net/ipv6/conf/all/forwarding",
		"net/ipv4/tcp_congestion_control", "net/ipv4/ip_local_port_range",
		"net/ipv4/tcp_rmem", "net/ipv4/tcp_wmem", "net/ipv4/tcp_limit_output_bytes",
		"net/ipv4/tcp_timestamps", "net/ipv4/tcp_sack", "net/core/somaxconn", NULL,
	};
	json_t *found = json_object();

	for (enum lab_node node = 0; node < NODE_COUNT; node++)
		if (lab->netns_fd[node] >= 0)
			json_object_set_new(found, lab_node_names[node],
					    environment_sysctls(lab->netns_fd[node], paths));
	return found;
}

static json_t *environment_cores(const struct cores *cores)
{
	char text[512];

	return cores->count ? machine_text(cores_print(text, sizeof(text), cores)) : json_null();
}

static json_t *environment_lab(const struct lab *lab)
{
	json_t *found = json_object();

	json_object_set_new(found, "topology", json_string(topology_names[lab->settings.topology]));
	json_object_set_new(found, "segmentation_offload",
			    json_string(lab->settings.segmentation_offload ? "on" : "off"));
	json_object_set_new(found, "mtu_bytes", json_integer(lab->settings.mtu_bytes));
	json_object_set_new(found, "cpu_shares", json_boolean(lab->cpu_shares));
	json_object_set_new(found, "device_cores",
			    lab->cpu_shares ? environment_cores(&lab->device_cores) : json_null());
	json_object_set_new(found, "generator_cores",
			    lab->cpu_shares ? environment_cores(&lab->generator_cores) : json_null());
	json_object_set_new(found, "congestion_control", json_string(lab->congestion_control));
	json_object_set_new(found, "offloads", environment_offloads(lab));
	json_object_set_new(found, "sysctls", environment_nodes(lab));
	return found;
}

json_t *environment_read(const struct lab *lab)
{
	static const char *const host_paths[] = {
		"net/core/netdev_max_backlog", "net/core/netdev_budget", "net/core/netdev_budget_usecs",
		"net/core/bpf_jit_enable", "net/core/rmem_max", "net/core/wmem_max", NULL,
	};
	json_t *e = json_object();

	json_object_set_new(e, "fwbench", json_string(VERSION));
	machine_read(e);
	json_object_set_new(e, "programs", environment_programs());
	json_object_set_new(e, "compiler", json_string("gcc " __VERSION__));
#ifdef HAVE_BPF
	json_object_set_new(e, "built_with_bpf", json_true());
#else
	json_object_set_new(e, "built_with_bpf", json_false());
#endif
	json_object_set_new(e, "sysctls", environment_sysctls(-1, host_paths));
	if (lab) {
		json_object_set_new(e, "root", json_boolean(lab->host_root));
		json_object_set_new(e, "lab", environment_lab(lab));
	}
	return e;
}
