/* SPDX-License-Identifier: BSD-2-Clause */
/* What one trial is told: every key of a scenario, resolved and checked. Plain
 * data, const after scenario.c and plan.c; owned by the plan. Each key's type,
 * range, default and help is a row of the table in keys.c, nowhere else. */
#ifndef HARNESS_SETTINGS_H
#define HARNESS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/cores.h"

enum topology { TOPOLOGY_DIRECT, TOPOLOGY_BRIDGED, TOPOLOGY_ROUTED };
enum direction { DIRECTION_UP, DIRECTION_DOWN, DIRECTION_BOTH }; /* up: client to server */
enum inspect { INSPECT_OFF, INSPECT_TCP };
enum require { REQUIRE_NOTHING, REQUIRE_SATURATED };
enum device_path { PATH_AUTO, PATH_KERNEL, PATH_USER };
enum nft_style { STYLE_BEST, STYLE_LINEAR };
enum classifier { CLASSIFIER_TUPLE, CLASSIFIER_LINEAR };

struct lab_settings {
	enum topology topology;
	bool segmentation_offload;     /* off: every packet on the wire is MTU-size */
	uint32_t mtu_bytes;
	struct cores device_cores;     /* count 0: chosen by the lab */
	struct cores generator_cores;
};

struct load_settings {
	char workload[16];             /* "stream" */
	enum direction direction;
	uint32_t connections;
	uint32_t clients;              /* client addresses; 0: as many as filters, else min(connections, 500) */
	uint32_t servers;              /* server addresses */
	uint64_t warm_up_ns;
	uint64_t duration_ns;
	uint32_t write_size_bytes;     /* 0: fwgen's default */
	uint32_t window_bytes;         /* socket buffers of a connection's ends; 0: the kernel's */
};

struct device_settings {
	char kind[16];                 /* a name of the device table: "none", "nftables", "fwref" */
	enum device_path path;         /* fwref */
	enum nft_style style;          /* nftables */
	enum classifier classifier;    /* fwref */
	bool empty;                    /* the device's empty form: forwards, no policy (own cost) */
};

struct policy_settings {
	bool present;                  /* false: device none, the policy does not apply */
	uint32_t filters;              /* 0: permit everything */
	enum inspect inspect;
	bool nat;
	uint64_t limit_bps;            /* 0: unlimited; per filter, both directions together, IP bytes */
	uint64_t burst_bytes;          /* 0: a second of the rate (policy.c) */
};

struct settings {
	int ip;                        /* 4 or 6 */
	struct lab_settings lab;
	struct load_settings load;
	struct device_settings device;
	struct policy_settings policy;
	enum require require;
	uint64_t published_bps;        /* published figure of this row; 0: none */
};

#endif
