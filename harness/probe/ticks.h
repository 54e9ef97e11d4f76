/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kernel says of its cores in /proc: idle and stolen time (ticks of
 * 10 ms; good for seconds, not for the device's CPU), receive-queue drops, and
 * the run time of a process's threads. */
#ifndef HARNESS_PROBE_TICKS_H
#define HARNESS_PROBE_TICKS_H

#include <stdint.h>
#include <sys/types.h>

#include "common/cores.h"

struct ticks {
	uint64_t idle_ns[CORES_MAX];  /* idle and waiting for I/O, by core number */
	uint64_t steal_ns[CORES_MAX];
};

/* Text of /proc/stat into *out. */
void ticks_parse(const char *text, uint64_t tick_ns, struct ticks *out);
int ticks_read(struct ticks *out);

/* Sum of the dropped packets of these cores; text of /proc/net/softnet_stat.
 * UINT64_MAX where it is not in the form we know. */
uint64_t softnet_parse(const char *text, const struct cores *cores);
uint64_t softnet_drops(const struct cores *cores);

/* Run time of all threads of a process in ns, UINT64_MAX if there is none. */
uint64_t threads_run_ns(pid_t pid);

#endif
