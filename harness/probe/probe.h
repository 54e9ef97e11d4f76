/* SPDX-License-Identifier: BSD-2-Clause */
/* What is sampled while a trial runs. Every figure is a running counter; the
 * caller takes differences. A figure that cannot be measured here is UINT64_MAX
 * (PROBE_UNKNOWN), never 0. */
#ifndef HARNESS_PROBE_PROBE_H
#define HARNESS_PROBE_PROBE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/cores.h"
#include "harness/lab/lab.h"

#define PROBE_UNKNOWN UINT64_MAX

/* cpu.c: device CPU as DESIGN has it: NET_RX and NET_TX softirq time on the
 * device's cores (raw tracepoints, softirq.bpf.c) plus run time of the device's
 * threads, each nanosecond once; cross-checks from /proc/stat and schedstat. */
enum cpu_method { CPU_NONE, CPU_PROCESS, CPU_SOFTIRQ };
extern const char *const cpu_method_names[];

struct cpu_probe;
struct cpu_sample {
	uint64_t time_ns;
	enum cpu_method method;
	uint64_t device_ns;            /* all device cores together */
	uint64_t device_core_ns[CORES_MAX]; /* same, by position in device_cores */
	uint64_t device_not_idle_ns;   /* wall - idle - steal of the device's cores */
	uint64_t generator_not_idle_ns;
	uint64_t generator_core_not_idle_ns[CORES_MAX];
	uint64_t steal_ns;             /* all cores of both */
	uint64_t queue_drops;          /* softnet_stat drops on the device's cores */
};

/* device_pid 0: the device has no process. Falls back to CPU_PROCESS where the
 * tracing program cannot be loaded; says so once. Returns 0 or -errno. */
int cpu_probe_open(struct cpu_probe **probe, const struct lab *lab, pid_t device_pid);
int cpu_probe_read(struct cpu_probe *probe, struct cpu_sample *out);
void cpu_probe_close(struct cpu_probe *probe); /* NULL allowed */

/* interfaces.c: counters of one interface inside a node. Bytes are those of the
 * Ethernet frames without FCS, as the kernel counts them. */
struct interface_sample {
	uint64_t rx_bytes, rx_packets, rx_drops, tx_bytes, tx_packets, tx_drops;
};
int interface_read(const struct lab *lab, enum lab_node node, const char *name,
		   struct interface_sample *out);

/* environment.c: machine, kernel, CPU, versions of the programs, offloads of
 * every lab interface, sysctls that matter, load average. New reference. */
json_t *environment_read(const struct lab *lab);

/* doctor.c: what this machine can do. One row a feature: {"name","ok","why","way_out","needed_for"}. */
json_t *doctor_read(const struct lab_host *host);

#endif
