/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel path's counters and flows, read while packets flow; and the sweep,
 * which runs in the kernel, where a flow can be ended without a race. */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"
#include "firewall-ref/kernel/kernel_path.h"
#include "fwref.skel.h"

#define FLOWS_BATCH 4096u /* records read at once */

/* Sums count values of words 64-bit words each into out. */
static void words_sum(__u64 *out, const __u64 *values, size_t words, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		for (size_t w = 0; w < words; w++)
			out[w] += values[i * words + w];
}

static int totals_read(struct path *path, struct totals *out)
{
	OWN_MEM __u64 *values = calloc(path->cpus, sizeof(*out));
	uint32_t zero = 0;

	_Static_assert(sizeof(*out) % sizeof(__u64) == 0, "totals are 64-bit words");
	if (!values)
		return -ENOMEM;
	if (bpf_map_lookup_elem(bpf_map__fd(path->skeleton->maps.totals_map), &zero, values))
		return -errno;
	memset(out, 0, sizeof(*out));
	words_sum((__u64 *)out, values, sizeof(*out) / sizeof(__u64), path->cpus);
	out->received.packets = out->forwarded.packets + out->stack.packets;
	out->received.bytes = out->forwarded.bytes + out->stack.bytes;
	for (int i = 0; i < DROP_COUNT; i++) {
		out->received.packets += out->drop[i].packets;
		out->received.bytes += out->drop[i].bytes;
	}
	return 0;
}

static int filters_read(struct path *path, uint32_t slot, struct path_stats *stats, uint32_t count)
{
	OWN_MEM __u64 *values = calloc(path->cpus, sizeof(struct filter_count));
	int fd = bpf_map__fd(path->skeleton->maps.filter_counts);

	if (!values)
		return -ENOMEM;
	memset(stats->filters, 0, count * sizeof(*stats->filters));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t index = slot * path->filter_capacity + i;

		if (bpf_map_lookup_elem(fd, &index, values))
			return -errno;
		words_sum((__u64 *)&stats->filters[i], values,
			  sizeof(struct filter_count) / sizeof(__u64), path->cpus);
	}
	return 0;
}

int kernel_path_walk(struct path *path, enum sweep which)
{
	char frame[ETH_HLEN + 50] = { 0 };
	struct __sk_buff context = { .cb = { [SWEEP_WHICH] = which } };
	uint32_t touched = path->skeleton->bss->flows_touched;
	LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = frame, .data_size_in = sizeof(frame),
		    .ctx_in = &context, .ctx_size_in = sizeof(context), .repeat = 1);
	int removed = 0;

	memset(path->skeleton->bss->sweep_states, 0, sizeof(path->skeleton->bss->sweep_states));
	for (uint32_t i = 0; i < touched; i += SWEEP_RECORDS) {
		context.cb[SWEEP_FIRST] = i;
		context.cb[SWEEP_COUNT] = touched - i < SWEEP_RECORDS ? touched - i : SWEEP_RECORDS;
		if (bpf_prog_test_run_opts(bpf_program__fd(path->skeleton->progs.sweep), &run))
			return log_err(-errno, "kernel path: walking the flow table: %s",
				       strerror(errno));
		removed += (int)run.retval;
	}
	return removed;
}

int kernel_path_sweep(struct path *path)
{
	return kernel_path_walk(path, SWEEP_OVER);
}

int kernel_path_stats(struct path *path, struct path_stats *stats)
{
	uint32_t slot = path->skeleton->data->active_slot;
	struct setting setting = { 0 };
	uint32_t filters;
	int error = totals_read(path, &stats->totals);

	if (!error && slot < SLOTS &&
	    bpf_map_lookup_elem(bpf_map__fd(path->skeleton->maps.settings), &slot, &setting))
		error = -errno;
	filters = setting.rules.filters < stats->filter_capacity ? setting.rules.filters
								 : stats->filter_capacity;
	if (!error && filters)
		error = filters_read(path, slot, stats, filters);
	if (error)
		return log_err(error, "kernel path: reading the counters: %s", strerror(-error));
	stats->generation = setting.generation;
	error = kernel_path_walk(path, SWEEP_NONE);
	if (error < 0)
		return error;
	stats->flows_size = path->flow_size;
	stats->flows_used = 0;
	for (int i = 0; i < FLOW_STATE_COUNT; i++) {
		stats->flows[i] = path->skeleton->bss->sweep_states[i];
		stats->flows_used += path->skeleton->bss->sweep_states[i];
	}
	return 0;
}

/* Visits the live ones of count records. */
static int records_visit(const struct flow *records, uint32_t count, path_flow_visit *visit,
			 void *context)
{
	uint64_t now_ns = clock_now_ns();

	for (uint32_t i = 0; i < count; i++) {
		const struct flow *flow = &records[i];
		int result;

		if (flow->state == FLOW_FREE || flow->state >= FLOW_STATE_COUNT)
			continue;
		result = visit(context, flow, now_ns > flow->seen_ns ? now_ns - flow->seen_ns : 0);
		if (result)
			return result;
	}
	return 0;
}

int kernel_path_flows(struct path *path, path_flow_visit *visit, void *context)
{
	OWN_MEM struct flow *records = calloc(FLOWS_BATCH, sizeof(*records));
	OWN_MEM uint32_t *index = calloc(FLOWS_BATCH, sizeof(*index));
	int fd = bpf_map__fd(path->skeleton->maps.flows);
	uint32_t at = 0;
	bool first = true, last = false;

	_Static_assert(sizeof(struct flow) % 8 == 0, "the kernel hands out records of whole words");
	if (!records || !index)
		return log_err(-ENOMEM, "kernel path: out of memory");
	while (!last && at < path->skeleton->bss->flows_touched) {
		uint32_t count = FLOWS_BATCH;
		int result;

		if (bpf_map_lookup_batch(fd, first ? NULL : &at, &at, index, records, &count, NULL)) {
			if (errno != ENOENT)
				return log_err(-errno, "kernel path: reading the flows: %s",
					       strerror(errno));
			last = true;
		}
		first = false;
		result = records_visit(records, count, visit, context);
		if (result)
			return result;
	}
	return 0;
}
