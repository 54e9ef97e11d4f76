/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/scenario/keys.h"

#include <string.h>

#include "common/own.h"
#include "harness/device/device.h"

static const char *const topology_words[] = {
	[TOPOLOGY_DIRECT] = "direct", [TOPOLOGY_BRIDGED] = "bridged",
	[TOPOLOGY_ROUTED] = "routed", NULL };
static const char *const direction_words[] = {
	[DIRECTION_UP] = "up", [DIRECTION_DOWN] = "down", [DIRECTION_BOTH] = "both", NULL };
static const char *const inspect_words[] = { [INSPECT_OFF] = "off", [INSPECT_TCP] = "tcp", NULL };
static const char *const require_words[] = {
	[REQUIRE_NOTHING] = "nothing", [REQUIRE_SATURATED] = "saturated", NULL };
static const char *const path_words[] = {
	[PATH_AUTO] = "auto", [PATH_KERNEL] = "kernel", [PATH_USER] = "user", NULL };
static const char *const style_words[] = { [STYLE_BEST] = "best", [STYLE_LINEAR] = "linear", NULL };
static const char *const classifier_words[] = {
	[CLASSIFIER_TUPLE] = "tuple", [CLASSIFIER_LINEAR] = "linear", NULL };

/* Names that the design keeps for devices to come. */
static const char *const later_devices[] = { "iptables", "bridge", "external", NULL };

static const char *lab_names(unsigned i) { return i ? NULL : "netns"; }
static const char *workload_names(unsigned i) { return i ? NULL : "stream"; }
static const char *device_names(unsigned i) { return device_table[i] ? device_table[i]->name : NULL; }

#define AT(member) .offset = offsetof(struct values, member)
#define TEXT(member) AT(member), .most = sizeof(((struct values *)0)->member) - 1

#define SECOND 1000000000ull

const struct key key_table[] = {
	{ "title", KEY_TEXT, KEY_FILE, TEXT(title), .fallback = "",
	  .help = "The question this scenario answers; heads the report. Default: the file's name." },

	{ "lab.kind", KEY_NAME, KEY_FILE, TEXT(lab_kind), .names = lab_names, .fallback = "netns",
	  .help = "Where it runs: network namespaces on this machine." },
	{ "lab.topology", KEY_WORD, KEY_ROW, AT(settings.lab.topology), .words = topology_words,
	  .fallback = "routed",
	  .help = "direct: no device between client and server; bridged, routed: the device in the middle." },
	{ "lab.segmentation-offload", KEY_SWITCH, KEY_ROW, AT(settings.lab.segmentation_offload),
	  .fallback = "off",
	  .help = "off: every packet on the wire is MTU-size; on: super-packets of up to 64 KB, as on a modern host." },
	{ "lab.mtu", KEY_SIZE, KEY_ROW, AT(settings.lab.mtu_bytes), .least = 576, .most = 65535,
	  .fallback = "1500", .help = "MTU of every link, in bytes." },
	{ "lab.device-cores", KEY_CORES, KEY_ROW, AT(settings.lab.device_cores), .zero = "auto",
	  .fallback = "auto", .help = "CPU cores of the device, such as 0 or 2-3. auto: the lab chooses." },
	{ "lab.generator-cores", KEY_CORES, KEY_ROW, AT(settings.lab.generator_cores), .zero = "auto",
	  .fallback = "auto", .help = "CPU cores of client and server. auto: those that are not the device's." },

	{ "load.workload", KEY_NAME, KEY_ROW, TEXT(settings.load.workload), .names = workload_names,
	  .fallback = "stream",
	  .help = "stream: every TCP connection sends as fast as it can." },
	{ "load.direction", KEY_WORD, KEY_ROW, AT(settings.load.direction), .words = direction_words,
	  .fallback = "both", .help = "Who sends. up: the client, down: the server, both: both at once." },
	{ "load.connections", KEY_COUNT, KEY_ROW, AT(settings.load.connections), .least = 1,
	  .most = 1000000, .fallback = "200", .help = "Connections open at the same time." },
	{ "load.clients", KEY_COUNT, KEY_ROW, AT(settings.load.clients), .least = 1,
	  .most = 1000000, .zero = "auto", .fallback = "auto",
	  .help = "Client addresses. auto: as many as filters, without filters 500, and never more than connections." },
	{ "load.servers", KEY_COUNT, KEY_ROW, AT(settings.load.servers), .least = 1,
	  .most = 1000000, .fallback = "1", .help = "Server addresses." },
	{ "load.warm-up", KEY_TIME, KEY_ROW, AT(settings.load.warm_up_ns), .least = SECOND / 10,
	  .most = 600 * SECOND, .fallback = "2s",
	  .help = "Left out of every figure; lasts longer until every connection has moved data." },
	{ "load.duration", KEY_TIME, KEY_ROW, AT(settings.load.duration_ns), .least = SECOND,
	  .most = 86400 * SECOND, .fallback = "10s", .help = "The measured time of a trial." },
	{ "load.write-size", KEY_SIZE, KEY_ROW, AT(settings.load.write_size_bytes), .least = 1,
	  .most = 16u << 20, .zero = "auto", .fallback = "auto",
	  .help = "Bytes a write of the generator. auto: the generator's own choice." },
	{ "load.window", KEY_SIZE, KEY_ROW, AT(settings.load.window_bytes), .least = 4096,
	  .most = 1u << 30, .zero = "auto", .fallback = "auto",
	  .help = "Socket buffers of both ends of every connection. Small ones drain sooner under a limit. auto: the kernel's own choice." },

	{ "ip", KEY_IP, KEY_ROW, AT(settings.ip), .fallback = "4", .help = "IP version, 4 or 6." },

	{ "device.name", KEY_TEXT, KEY_ROW, TEXT(device_name), .fallback = "",
	  .help = "What the tables call it. Default: made from its kind and settings." },
	{ "device.kind", KEY_NAME, KEY_ROW, TEXT(settings.device.kind), .names = device_names,
	  .later = later_devices, .fallback = "fwref", .help = "What is tested; `fwbench list` says what each is." },
	{ "device.path", KEY_WORD, KEY_ROW, AT(settings.device.path), .words = path_words,
	  .fallback = "auto", .device = "fwref",
	  .help = "fwref: the kernel's tc hook, user space, or the best that works here." },
	{ "device.style", KEY_WORD, KEY_ROW, AT(settings.device.style), .words = style_words,
	  .fallback = "best", .device = "nftables",
	  .help = "nftables: best uses established-first and a set; linear is one rule a filter." },
	{ "device.classifier", KEY_WORD, KEY_ROW, AT(settings.device.classifier),
	  .words = classifier_words, .fallback = "tuple", .device = "fwref",
	  .help = "fwref: how filters are searched." },

	{ "policy.name", KEY_TEXT, KEY_ROW, TEXT(policy_name), .fallback = "",
	  .help = "What the tables call it. Default: made from its settings." },
	{ "policy.filters", KEY_COUNT, KEY_ROW, AT(settings.policy.filters), .least = 0, .most = 100000,
	  .fallback = "0",
	  .help = "Filters, one a client address, default deny; those that match nothing come first. 0: everything is permitted." },
	{ "policy.inspect", KEY_WORD, KEY_ROW, AT(settings.policy.inspect), .words = inspect_words,
	  .fallback = "off", .help = "tcp: connections are tracked; off: every packet is searched." },
	{ "policy.nat", KEY_SWITCH, KEY_ROW, AT(settings.policy.nat), .fallback = "off",
	  .help = "Translates the clients' addresses to the device's (IPv4)." },
	{ "policy.limit", KEY_RATE, KEY_ROW, AT(settings.policy.limit_bps), .least = 1000,
	  .most = 1000000000000ull, .zero = "off", .fallback = "off",
	  .help = "Rate limit of every filter, both directions together, in IP bytes on the wire." },
	{ "policy.burst", KEY_SIZE, KEY_ROW, .wide = true, AT(settings.policy.burst_bytes), .least = 1500,
	  .most = (1ull << 30) - 1, .zero = "auto", .fallback = "auto",
	  .help = "Burst of every limit. auto: what the rate gives in a second, at least 64 KiB." },

	{ "require", KEY_WORD, KEY_ROW, AT(settings.require), .words = require_words,
	  .fallback = "nothing",
	  .help = "saturated: exit code 4 where the device was not what limited a row." },
	{ "repeat", KEY_COUNT, KEY_FILE, AT(repeat), .least = 1, .most = 1000, .fallback = "5",
	  .help = "Trials of every row." },
	{ "seed", KEY_NUMBER, KEY_FILE, AT(seed), .most = 1ull << 53, .fallback = "1",
	  .help = "Seed of the shuffled order; the same seed gives the same order." },
	{ "baseline", KEY_TEXT, KEY_FILE, TEXT(baseline), .fallback = "none",
	  .help = "Name of the device that the others are compared with." },

	{ "name", KEY_TEXT, KEY_ROWS_ONLY, TEXT(row_name), .fallback = "",
	  .help = "What the tables call this row." },
	{ "published", KEY_RATE, KEY_ROWS_ONLY, AT(settings.published_bps), .least = 1,
	  .most = 1000000000000000ull, .zero = "off", .fallback = "off",
	  .help = "The published figure that this row is compared with." },
};
const unsigned key_count = ARRAY_LEN(key_table);

_Static_assert(ARRAY_LEN(topology_words) == TOPOLOGY_ROUTED + 2, "a word for every topology");
_Static_assert(ARRAY_LEN(direction_words) == DIRECTION_BOTH + 2, "a word for every direction");
_Static_assert(ARRAY_LEN(inspect_words) == INSPECT_TCP + 2, "a word for every inspection");
_Static_assert(ARRAY_LEN(require_words) == REQUIRE_SATURATED + 2, "a word for every requirement");
_Static_assert(ARRAY_LEN(path_words) == PATH_USER + 2, "a word for every path");
_Static_assert(ARRAY_LEN(style_words) == STYLE_LINEAR + 2, "a word for every style");
_Static_assert(ARRAY_LEN(classifier_words) == CLASSIFIER_LINEAR + 2, "a word for every classifier");

const char *key_leaf(const struct key *key)
{
	const char *dot = strrchr(key->path, '.');

	return dot ? dot + 1 : key->path;
}

const struct key *key_find(const char *path)
{
	for (unsigned i = 0; i < key_count; i++)
		if (!strcmp(key_table[i].path, path))
			return &key_table[i];
	return NULL;
}
