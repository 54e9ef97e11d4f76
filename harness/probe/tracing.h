/* SPDX-License-Identifier: BSD-2-Clause */
/* softirq.bpf.c, loaded and attached. */
#ifndef HARNESS_PROBE_TRACING_H
#define HARNESS_PROBE_TRACING_H

#include <sys/types.h>

#include "harness/probe/softirq.h"

struct tracing;

/* Counting starts here. device_pid 0: softirqs only. Returns 0 or -errno, not
 * logged; -ENOSYS in a build without BPF. Close with tracing_close (NULL allowed). */
int tracing_open(pid_t device_pid, struct tracing **out);
/* SOFTIRQ_CORES slots, by core number, live. */
const volatile struct softirq_core *tracing_cores(const struct tracing *tracing);
void tracing_close(struct tracing *tracing);

#endif
