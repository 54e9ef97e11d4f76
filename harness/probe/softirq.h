/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* What softirq.bpf.c and cpu.c have in common. */
#ifndef HARNESS_PROBE_SOFTIRQ_H
#define HARNESS_PROBE_SOFTIRQ_H

#include <linux/types.h>

#define SOFTIRQ_CORES 256 /* CORES_MAX */

/* One cache line a core, read by cpu.c through a shared mapping. Sums lag by at
 * most one softirq, or one timer tick for a thread that never sleeps. */
struct softirq_core {
	__u64 softirq_ns, thread_ns;
	__u64 softirq_since_ns, thread_since_ns; /* 0: not now */
	__u64 thread_stopped;                    /* by the softirq that runs now */
	__u64 reserved[3];
};

#endif
