/* SPDX-License-Identifier: BSD-2-Clause */
/* The user path: struct path_ops over one worker. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"
#include "firewall-ref/path.h"
#include "firewall-ref/user/worker.h"

#define PATH_PART 1024u /* flow records walked without letting a packet pass */

struct path {
	struct worker worker;
	bool started, shielded;
	uint32_t nat_address;
};

static void path_user_close(struct path *path)
{
	if (!path)
		return;
	if (path->started)
		worker_stop(&path->worker);
	shield_lower(&path->worker.shield);
	port_close(&path->worker.port[0]);
	port_close(&path->worker.port[1]);
	router_close(&path->worker.router);
	tables_close(&path->worker.tables);
	free(path->worker.pending.packets);
	free(path);
}

static int path_user_start(struct path *path, const struct path_options *options)
{
	struct worker *worker = &path->worker;
	const char *const names[2] = { options->inside, options->outside };
	int error = router_open(&worker->router, names);

	if (error)
		return error;
	worker->routes.router = &worker->router;
	worker->pending.packets = calloc(PENDING_MAX, sizeof(*worker->pending.packets));
	if (!worker->pending.packets ||
	    tables_open(&worker->tables, options->flow_table_size,
				options->filter_capacity))
		return log_err(-ENOMEM, "no memory for %u flows and %u filters",
			       options->flow_table_size, options->filter_capacity);
	for (int side = 0; side < 2; side++) {
		error = port_open(&worker->port[side], names[side], worker->router.interface[side]);
		if (error)
			return error;
		worker->shield.interface[side] = worker->router.interface[side];
		worker->shield.name[side] = names[side];
	}
	path->shielded = !shield_raise(&worker->shield, 0);
	if (!path->shielded)
		log_warn("without it the kernel's stack sees forwarded packets too, and NAT is refused");
	worker->cores = options->cores;
	error = worker_start(worker);
	path->started = !error;
	return error;
}

static int path_user_open(const struct path_options *options, struct path **out)
{
	struct path *path = calloc(1, sizeof(*path));
	int error;

	if (!path)
		return log_err(-ENOMEM, "no memory for the user path");
	path->worker.port[0].receive = path->worker.port[0].send = -1;
	path->worker.port[1].receive = path->worker.port[1].send = -1;
	path->worker.router.ask.fd = path->worker.router.watch.fd = -1;
	error = path_user_start(path, options);
	if (error) {
		path_user_close(path);
		return error;
	}
	*out = path;
	return 0;
}

static int path_user_publish(struct path *path, const struct setting *setting,
			     const struct compiled *rules)
{
	struct worker *worker = &path->worker;
	uint32_t nat_address = setting->flags & SETTING_NAT ? setting->nat_address : 0;
	int error;

	if (nat_address && !path->shielded)
		return log_err(-ENOTSUP, "NAT on the user path needs the ingress filter (cls_bpf)");
	if (nat_address != path->nat_address) {
		error = shield_raise(&worker->shield, nat_address);
		if (error)
			return error;
		path->nat_address = nat_address;
	}
	/* Once round: no packet is in the slot that prepare fills. */
	worker_lock(worker);
	worker_unlock(worker);
	error = tables_prepare(&worker->tables, setting, rules);
	if (error == -E2BIG)
		return log_err(error, "%u rules, and room was made for %u when fwref started: "
			       "start it anew", rules->head.filters, worker->tables.filter_capacity);
	if (error)
		return log_err(error, "no memory for the policy");
	worker_lock(worker);
	tables_switch(&worker->tables);
	worker_unlock(worker);
	return 0;
}

static void path_user_totals(struct worker *worker, struct totals *out)
{
	*out = worker->tables.totals;
	for (int side = 0; side < 2; side++) {
		port_count_overflow(&worker->port[side]);
		out->drop[DROP_RING].packets += worker->port[side].overflowed;
	}
}

static int path_user_stats(struct path *path, struct path_stats *stats)
{
	struct worker *worker = &path->worker;
	struct tables *tables = &worker->tables;
	uint32_t slot, filters;

	worker_lock(worker);
	slot = tables->active;
	filters = tables->rules[slot].head.filters;
	if (filters > stats->filter_capacity)
		filters = stats->filter_capacity;
	stats->generation = tables->setting[slot].generation;
	path_user_totals(worker, &stats->totals);
	if (filters)
		memcpy(stats->filters, tables->filter_counts + (size_t)slot * tables->filter_capacity,
		       filters * sizeof(*stats->filters));
	stats->flows_size = tables->flow_size;
	stats->flows_used = tables->flow_size - tables->free_count;
	worker_unlock(worker);
	memset(stats->flows, 0, sizeof(stats->flows));
	for (uint32_t first = 0; first < tables_flows_touched(tables); first += PATH_PART) {
		worker_lock(worker);
		for (uint32_t i = first; i < first + PATH_PART && i < tables->flow_size; i++)
			if (tables->flows[i].state && tables->flows[i].state < FLOW_STATE_COUNT)
				stats->flows[tables->flows[i].state]++;
		worker_unlock(worker);
	}
	return 0;
}

/* Copies a part under the lock and shows it without. */
static int path_user_flows(struct path *path, path_flow_visit *visit, void *context)
{
	struct worker *worker = &path->worker;
	struct tables *tables = &worker->tables;
	OWN_MEM struct flow *part = calloc(PATH_PART, sizeof(*part));
	int result = 0;

	if (!part)
		return log_err(-ENOMEM, "no memory to list flows");
	for (uint32_t first = 0; !result && first < tables_flows_touched(tables);
	     first += PATH_PART) {
		uint32_t count = tables->flow_size - first;
		uint64_t now_ns;

		count = count < PATH_PART ? count : PATH_PART;
		worker_lock(worker);
		memcpy(part, tables->flows + first, count * sizeof(*part));
		worker_unlock(worker);
		now_ns = clock_now_ns();
		for (uint32_t i = 0; i < count && !result; i++)
			if (part[i].state != FLOW_FREE)
				result = visit(context, &part[i],
					       now_ns > part[i].seen_ns ? now_ns - part[i].seen_ns : 0);
	}
	return result;
}

static int path_user_sweep(struct path *path)
{
	struct worker *worker = &path->worker;
	uint32_t removed = 0;

	if (worker->addresses_changed && path->shielded) {
		worker->addresses_changed = false;
		shield_raise(&worker->shield, path->nat_address);
	}
	for (uint32_t first = 0; first < tables_flows_touched(&worker->tables); first += PATH_PART) {
		worker_lock(worker);
		removed += tables_sweep_part(&worker->tables, first, PATH_PART, clock_now_ns());
		worker_unlock(worker);
	}
	return (int)removed;
}

const struct path_ops path_user = {
	.name = "user",
	.open = path_user_open,
	.publish = path_user_publish,
	.stats = path_user_stats,
	.flows = path_user_flows,
	.sweep = path_user_sweep,
	.close = path_user_close,
};
