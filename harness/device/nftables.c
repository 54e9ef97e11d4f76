/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's nftables in the device node. Its empty form is kernel routing
 * without a rule, the same as device none. */
#include "harness/device/device.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/device/nftables_text.h"

static bool nftables_installed(void)
{
	OWN_MEM char *path = strdup(getenv("PATH") ? getenv("PATH") : "");
	char *rest = path, *folder;
	char file[4096];

	while ((folder = strsep(&rest, ":"))) {
		snprintf(file, sizeof(file), "%s/nft", folder);
		if (!access(file, X_OK))
			return true;
	}
	return !access("/usr/sbin/nft", X_OK);
}

static int nftables_supports(const struct settings *settings, const struct lab_host *host, char *why,
			     size_t why_size)
{
	(void)host;
	if (settings->lab.topology != TOPOLOGY_ROUTED) {
		snprintf(why, why_size, "nftables: only topology routed: the rules are those of a router");
		return -ENOTSUP;
	}
	if (!nftables_installed()) {
		snprintf(why, why_size, "nftables: no nft program; install the package nftables");
		return -ENOTSUP;
	}
	return 0;
}

/* One number of a file in the node, or 0. */
static uint64_t nftables_number(const struct lab *lab, const char *file)
{
	const char *const argv[] = { "cat", file, NULL };
	OWN_MEM char *out = NULL;
	OWN_MEM char *err = NULL;

	if (lab_run(lab, NODE_DEVICE, argv, NULL, &out, &err))
		return 0;
	return strtoull(out, NULL, 10);
}

static int nftables_load(const struct lab *lab, const char *text)
{
	const char *const argv[] = { "nft", "-f", "-", NULL };
	OWN_MEM char *out = NULL;
	OWN_MEM char *err = NULL;
	int code = lab_run(lab, NODE_DEVICE, argv, text, &out, &err);

	if (code)
		return log_err(code < 0 ? code : -EIO, "nftables: the ruleset was refused: %.*s",
			       (int)strcspn(err ? err : "", "\n"), err ? err : "");
	return 0;
}

/* Connection tracking as strict as fwref's: with inspection segments outside the
 * window are invalid and no flow is taken up in its middle; without it only the
 * translation is tracked. The table's size is host-wide in Linux and read-only
 * in a namespace: it is left alone and told. */
static int nftables_conntrack(struct device *device, const struct policy *p, FILE *said)
{
	const struct {
		const char *path;
		unsigned value;
	} set[] = {
		{ "net/netfilter/nf_conntrack_tcp_be_liberal", p->inspect != INSPECT_TCP },
		{ "net/netfilter/nf_conntrack_tcp_loose", 0 },
		{ "net/netfilter/nf_conntrack_tcp_timeout_established", p->established_timeout_s },
	};
	uint64_t size = nftables_number(device->lab, "/proc/sys/net/netfilter/nf_conntrack_max");
	uint64_t buckets = nftables_number(device->lab, "/proc/sys/net/netfilter/nf_conntrack_buckets");

	for (size_t i = 0; i < ARRAY_LEN(set); i++) {
		char value[16];
		int code;

		snprintf(value, sizeof(value), "%u", set[i].value);
		code = lab_sysctl(device->lab, NODE_DEVICE, set[i].path, value);
		if (code)
			return code;
		fprintf(said, "# %s = %s\n", set[i].path, value);
	}
	fprintf(said, "# conntrack table (host-wide, as found): %" PRIu64 " flows, %" PRIu64 " buckets",
		size, buckets);
	if (size && size < p->flow_table_size)
		fprintf(said, "; asked for %u", p->flow_table_size);
	fprintf(said, "\n");
	if (size && size < 2ull * device->settings->load.connections)
		return log_err(-ENOSPC,
			       "nftables: the conntrack table of this host holds %" PRIu64
			       " flows; for %u connections type: sysctl -w net.netfilter.nf_conntrack_max=%u",
			       size, device->settings->load.connections, p->flow_table_size);
	return 0;
}

static int nftables_install(struct device *device, const struct policy *policy, FILE *said)
{
	OWN_MEM char *rules = nftables_text(policy, device->settings->device.style);
	int code;

	if (!rules)
		return log_err(-ENOMEM, "nftables: out of memory");
	code = nftables_load(device->lab, rules);
	if (policy->filter_count)
		device->bucket_bytes = nftables_bucket_bytes(policy);
	if (!code && nftables_tracks(policy))
		code = nftables_conntrack(device, policy, said);
	fputs(rules, said);
	return code;
}

static void nftables_stop(struct device *device)
{
	const char *const argv[] = { "nft", "flush", "ruleset", NULL };

	lab_run(device->lab, NODE_DEVICE, argv, NULL, NULL, NULL);
	free(device->policy_text);
	device->policy_text = NULL;
}

static int nftables_start(struct device *device, const struct policy *policy)
{
	OWN_MEM char *text = NULL;
	size_t size;
	FILE *said = open_memstream(&text, &size);
	int code = 0;

	if (!said)
		return log_err(-ENOMEM, "nftables: out of memory");
	if (device->settings->device.empty)
		fprintf(said, "# kernel routing, no rule\n");
	else
		code = nftables_install(device, policy, said);
	if (fclose(said) && !code)
		code = log_err(-ENOMEM, "nftables: out of memory");
	strcpy(device->path, "kernel");
	device->policy_text = TAKE_PTR(text);
	if (!code)
		code = device_forwarding(device->lab, true);
	if (code)
		nftables_stop(device);
	return code;
}

/* Sums one column of /proc/net/stat/nf_conntrack: a head line, then hexadecimal
 * figures, one line a CPU. */
static uint64_t nftables_column(const char *table, const char *name)
{
	OWN_MEM char *copy = strdup(table);
	char *lines = copy, *line = strsep(&lines, "\n"), *word;
	unsigned column = 0, wanted = UINT32_MAX;
	uint64_t sum = 0;

	for (; line && (word = strsep(&line, " "));)
		if (*word) {
			if (!strcmp(word, name))
				wanted = column;
			column++;
		}
	while (wanted != UINT32_MAX && (line = strsep(&lines, "\n"))) {
		for (column = 0; (word = strsep(&line, " "));)
			if (*word && column++ == wanted)
				sum += strtoull(word, NULL, 16);
	}
	return sum;
}

static void nftables_conntrack_stats(struct device *device, json_t *stats, json_t *drops)
{
	const char *const argv[] = { "cat", "/proc/net/stat/nf_conntrack", NULL };
	OWN_MEM char *out = NULL;
	OWN_MEM char *err = NULL;

	json_object_set_new(stats, "flows",
			    json_integer((json_int_t)nftables_number(
				    device->lab, "/proc/sys/net/netfilter/nf_conntrack_count")));
	if (lab_run(device->lab, NODE_DEVICE, argv, NULL, &out, &err))
		return;
	json_object_set_new(drops, "flow_table_full",
			    json_integer((json_int_t)nftables_column(out, "drop")));
}

/* Counters drop_REASON as drops{REASON} and drop_bytes{REASON}; bytes are those
 * of the IP packets as the hook sees them, a super-packet's headers once. */
static json_t *nftables_stats(struct device *device)
{
	const char *const argv[] = { "nft", "-j", "list", "counters", NULL };
	OWN_MEM char *out = NULL;
	OWN_MEM char *err = NULL;
	json_t *stats, *drops, *bytes, *list, *item, *counter;
	size_t i;

	if (lab_run(device->lab, NODE_DEVICE, argv, NULL, &out, &err))
		return json_null();
	list = json_loads(out, 0, NULL);
	stats = json_object();
	drops = json_object();
	bytes = json_object();
	json_array_foreach(json_object_get(list, "nftables"), i, item) {
		const char *name;

		counter = json_object_get(item, "counter");
		name = json_string_value(json_object_get(counter, "name"));
		if (!name || strncmp(name, "drop_", 5))
			continue;
		json_object_set(drops, name + 5, json_object_get(counter, "packets"));
		json_object_set(bytes, name + 5, json_object_get(counter, "bytes"));
	}
	json_decref(list);
	if (strstr(device->policy_text, "ct state"))
		nftables_conntrack_stats(device, stats, drops);
	json_object_set_new(stats, "drops", drops);
	json_object_set_new(stats, "drop_bytes", bytes);
	return stats;
}

const struct device_kind device_nftables = {
	.name = "nftables",
	.help = "nftables in its best form (set of addresses, established first), or style: linear",
	.supports = nftables_supports,
	.start = nftables_start,
	.stats = nftables_stats,
	.stop = nftables_stop,
};
