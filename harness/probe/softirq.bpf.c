/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* Device CPU in nanoseconds, core by core: the time inside NET_RX and NET_TX
 * softirqs, and the time the device's own threads run outside of those. A
 * softirq that interrupts a device thread stops the thread's clock, so each
 * nanosecond is counted once, however the kernel accounts interrupt time.
 *
 * Everything here runs with the softirqs' or the scheduler's own exclusion on
 * its core; no other core writes the same slot. Softirqs do not nest. */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "harness/probe/softirq.h"

struct task_struct {
	int tgid;
} __attribute__((preserve_access_index));

/* The device's process, 0: none. */
const volatile int device_tgid = 0; /* written before loading */

struct softirq_core softirq_cores[SOFTIRQ_CORES] = {};

#define NET_TX_SOFTIRQ 2
#define NET_RX_SOFTIRQ 3

static struct softirq_core *this_core(void)
{
	__u32 core = bpf_get_smp_processor_id();

	return core < SOFTIRQ_CORES ? &softirq_cores[core] : 0;
}

SEC("raw_tp/softirq_entry")
int BPF_PROG(softirq_entry, unsigned int vector)
{
	struct softirq_core *core = this_core();
	__u64 now;

	if (!core || (vector != NET_RX_SOFTIRQ && vector != NET_TX_SOFTIRQ))
		return 0;
	now = bpf_ktime_get_ns();
	core->softirq_since_ns = now;
	if (core->thread_since_ns) {
		core->thread_ns += now - core->thread_since_ns;
		core->thread_since_ns = 0;
		core->thread_stopped = 1;
	}
	return 0;
}

SEC("raw_tp/softirq_exit")
int BPF_PROG(softirq_exit, unsigned int vector)
{
	struct softirq_core *core = this_core();
	__u64 now;

	if (!core)
		return 0;
	if (core->softirq_since_ns && (vector == NET_RX_SOFTIRQ || vector == NET_TX_SOFTIRQ)) {
		now = bpf_ktime_get_ns();
		core->softirq_ns += now - core->softirq_since_ns;
		core->softirq_since_ns = 0;
		if (core->thread_stopped)
			core->thread_since_ns = now;
		core->thread_stopped = 0;
		return 0;
	}
	if (!device_tgid)
		return 0;
	/* Any other softirq, the timer's above all: brings the sum up to date for a
	 * thread that is never switched away, and finds one that was running when
	 * the counting began. */
	if (core->thread_since_ns || (int)(bpf_get_current_pid_tgid() >> 32) == device_tgid) {
		now = bpf_ktime_get_ns();
		if (core->thread_since_ns)
			core->thread_ns += now - core->thread_since_ns;
		core->thread_since_ns = now;
	}
	return 0;
}

/* Attached only where the device has a process. */
SEC("raw_tp/sched_switch")
int BPF_PROG(sched_switch, int preempt, struct task_struct *previous, struct task_struct *next)
{
	struct softirq_core *core = this_core();
	__u64 now = 0;

	if (!core)
		return 0;
	if (core->thread_since_ns) {
		now = bpf_ktime_get_ns();
		core->thread_ns += now - core->thread_since_ns;
		core->thread_since_ns = 0;
	}
	if (BPF_CORE_READ(next, tgid) == device_tgid)
		core->thread_since_ns = now ? now : bpf_ktime_get_ns();
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
