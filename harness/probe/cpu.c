/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"
#include "harness/probe/probe.h"
#include "harness/probe/ticks.h"
#include "harness/probe/tracing.h"

const char *const cpu_method_names[] = {
	[CPU_NONE] = "none", [CPU_PROCESS] = "process", [CPU_SOFTIRQ] = "softirq",
};

struct cpu_probe {
	struct cores device, generator;
	bool shares;
	pid_t device_pid;
	enum cpu_method method;
	struct tracing *tracing; /* CPU_SOFTIRQ */
	uint64_t start_ns;
	struct ticks start;
};

static void cpu_choose_method(struct cpu_probe *probe)
{
	static bool said; /* as log.c's state: about what is said, not about what is done */
	int code;

	probe->method = probe->device_pid ? CPU_PROCESS : CPU_NONE;
	/* On shared cores the softirqs are the end points' as much as the device's. */
	if (!probe->shares || !probe->device.count)
		return;
	code = tracing_open(probe->device_pid, &probe->tracing);
	if (!code) {
		probe->method = CPU_SOFTIRQ;
		return;
	}
	if (!said)
		log_warn("no device CPU by softirq time (%s); see fwbench doctor", strerror(-code));
	said = true;
}

int cpu_probe_open(struct cpu_probe **out, const struct lab *lab, pid_t device_pid)
{
	OWN_MEM struct cpu_probe *probe = calloc(1, sizeof(*probe));
	int code;

	if (!probe)
		return log_err(-ENOMEM, "out of memory");
	probe->device = lab->device_cores;
	probe->generator = lab->generator_cores;
	probe->shares = lab->cpu_shares;
	probe->device_pid = device_pid;
	probe->start_ns = clock_now_ns();
	code = ticks_read(&probe->start);
	if (code)
		return log_err(code, "/proc/stat: %s", strerror(-code));
	cpu_choose_method(probe);
	*out = TAKE_PTR(probe);
	return 0;
}

/* wall - idle - steal since the probe was opened. */
static uint64_t cpu_not_idle(const struct cpu_probe *probe, const struct ticks *now, uint64_t now_ns,
			     unsigned core)
{
	uint64_t away = now->idle_ns[core] - probe->start.idle_ns[core] +
			now->steal_ns[core] - probe->start.steal_ns[core];
	uint64_t wall = now_ns - probe->start_ns;

	return wall > away ? wall - away : 0;
}

static void cpu_read_device(const struct cpu_probe *probe, struct cpu_sample *out)
{
	const volatile struct softirq_core *core;

	out->device_ns = PROBE_UNKNOWN;
	if (probe->method == CPU_PROCESS)
		out->device_ns = threads_run_ns(probe->device_pid);
	if (probe->method == CPU_SOFTIRQ)
		out->device_ns = 0;
	for (unsigned i = 0; i < probe->device.count; i++) {
		out->device_core_ns[i] = PROBE_UNKNOWN;
		if (probe->method != CPU_SOFTIRQ)
			continue;
		core = &tracing_cores(probe->tracing)[probe->device.core[i]];
		out->device_core_ns[i] = core->softirq_ns + core->thread_ns;
		out->device_ns += out->device_core_ns[i];
	}
}

static void cpu_read_ticks(const struct cpu_probe *probe, const struct ticks *now,
			   struct cpu_sample *out)
{
	out->device_not_idle_ns = probe->shares && probe->device.count ? 0 : PROBE_UNKNOWN;
	out->generator_not_idle_ns = probe->shares ? 0 : PROBE_UNKNOWN;
	for (unsigned i = 0; i < probe->generator.count; i++) {
		unsigned core = probe->generator.core[i];

		out->steal_ns += now->steal_ns[core];
		out->generator_core_not_idle_ns[i] = PROBE_UNKNOWN;
		if (!probe->shares)
			continue;
		out->generator_core_not_idle_ns[i] = cpu_not_idle(probe, now, out->time_ns, core);
		out->generator_not_idle_ns += out->generator_core_not_idle_ns[i];
	}
	/* Without shares the device's cores are the generators', counted above. */
	for (unsigned i = 0; probe->shares && i < probe->device.count; i++) {
		unsigned core = probe->device.core[i];

		out->steal_ns += now->steal_ns[core];
		out->device_not_idle_ns += cpu_not_idle(probe, now, out->time_ns, core);
	}
}

int cpu_probe_read(struct cpu_probe *probe, struct cpu_sample *out)
{
	struct ticks now;
	int code;

	memset(out, 0, sizeof(*out));
	code = ticks_read(&now);
	if (code)
		return log_err(code, "/proc/stat: %s", strerror(-code));
	out->time_ns = clock_now_ns();
	out->method = probe->method;
	cpu_read_device(probe, out);
	cpu_read_ticks(probe, &now, out);
	out->queue_drops = probe->device.count ? softnet_drops(&probe->device) : PROBE_UNKNOWN;
	return 0;
}

void cpu_probe_close(struct cpu_probe *probe)
{
	if (!probe)
		return;
	tracing_close(probe->tracing);
	free(probe);
}
