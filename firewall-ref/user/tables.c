/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/user/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

/* The key table is at most half full: two keys a flow. */
static uint32_t tables_key_slots(uint32_t flow_size)
{
	uint32_t slots = 64;

	while (slots < flow_size * 4ull && slots < 1u << 30)
		slots *= 2;
	return slots;
}

int tables_open(struct tables *tables, uint32_t flow_size, uint32_t filter_capacity)
{
	uint32_t slots = tables_key_slots(flow_size);
	struct tables t = { .flow_size = flow_size, .free_count = flow_size,
			    .free_low = flow_size,
			    .key_mask = slots - 1, .filter_capacity = filter_capacity };

	t.keys = calloc(slots, sizeof(*t.keys));
	t.flows = calloc(flow_size, sizeof(*t.flows));
	t.free_flows = calloc(flow_size, sizeof(*t.free_flows));
	t.buckets = calloc((size_t)filter_capacity * SLOTS, sizeof(*t.buckets));
	t.filter_counts = calloc((size_t)filter_capacity * SLOTS, sizeof(*t.filter_counts));
	if (!t.keys || !t.flows || !t.free_flows || !t.buckets || !t.filter_counts) {
		tables_close(&t);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < flow_size; i++)
		t.free_flows[i] = flow_size - 1 - i;
	if (getrandom(&t.hash_seed, sizeof(t.hash_seed), GRND_NONBLOCK) < 0)
		t.hash_seed = 0x243f6a8885a308d3ull;
	t.random_state = t.hash_seed | 1;
	*tables = t;
	return 0;
}

static void rules_free(struct compiled *rules)
{
	free(rules->filters);
	free(rules->blocks);
	free(rules->rest);
	free(rules->tuples);
	free(rules->slots);
	*rules = (struct compiled){ 0 };
}

void tables_close(struct tables *tables)
{
	free(tables->keys);
	free(tables->flows);
	free(tables->free_flows);
	free(tables->buckets);
	free(tables->filter_counts);
	for (int i = 0; i < SLOTS; i++)
		rules_free(&tables->rules[i]);
	*tables = (struct tables){ 0 };
}

static void *array_copy(const void *from, size_t count, size_t size)
{
	void *to = calloc(count ? count : 1, size);

	if (to && count)
		memcpy(to, from, count * size);
	return to;
}

static int rules_copy(struct compiled *to, const struct compiled *from)
{
	struct compiled copy = *from;

	copy.filters = array_copy(from->filters, from->head.filters, sizeof(*copy.filters));
	copy.blocks = array_copy(from->blocks, from->block_count, sizeof(*copy.blocks));
	copy.rest = array_copy(from->rest, from->rest_count, sizeof(*copy.rest));
	copy.tuples = array_copy(from->tuples, from->tuple_count, sizeof(*copy.tuples));
	copy.slots = array_copy(from->slots, from->head.slots, sizeof(*copy.slots));
	if (!copy.filters || !copy.blocks || !copy.rest || !copy.tuples || !copy.slots) {
		rules_free(&copy);
		return -ENOMEM;
	}
	*to = copy;
	return 0;
}

int tables_prepare(struct tables *tables, const struct setting *setting,
		   const struct compiled *rules)
{
	uint32_t slot = !tables->active;
	uint32_t generation = tables->setting[tables->active].generation + 1;
	size_t first = (size_t)slot * tables->filter_capacity;
	struct compiled copy = { 0 };

	if (rules && rules->head.filters > tables->filter_capacity)
		return -E2BIG;
	if (rules && rules_copy(&copy, rules))
		return -ENOMEM;
	rules_free(&tables->rules[slot]);
	tables->rules[slot] = copy;
	tables->setting[slot] = *setting;
	tables->setting[slot].rules = copy.head;
	tables->setting[slot].generation = generation ? generation : 1;
	memset(tables->buckets + first, 0, tables->filter_capacity * sizeof(*tables->buckets));
	memset(tables->filter_counts + first, 0,
	       tables->filter_capacity * sizeof(*tables->filter_counts));
	return 0;
}

void tables_switch(struct tables *tables)
{
	tables->active = !tables->active;
}

int tables_publish(struct tables *tables, const struct setting *setting,
		   const struct compiled *rules)
{
	int error = tables_prepare(tables, setting, rules);

	if (!error)
		tables_switch(tables);
	return error;
}

/* Closes the gap, so that every key stays reachable from where its hash points. */
void tables_key_delete(struct tables *tables, const struct flow_key *key)
{
	uint32_t hole = (uint32_t)(tables_key_slot(tables, key) - tables->keys);
	uint32_t i = hole;

	if (!tables->keys[hole].key.family)
		return;
	for (;;) {
		uint32_t home;

		i = (i + 1) & tables->key_mask;
		if (!tables->keys[i].key.family)
			break;
		home = tables_hash(tables, &tables->keys[i].key) & tables->key_mask;
		if (((i - home) & tables->key_mask) < ((i - hole) & tables->key_mask))
			continue;
		tables->keys[hole] = tables->keys[i];
		hole = i;
	}
	memset(&tables->keys[hole], 0, sizeof(tables->keys[hole]));
	tables->key_count--;
}

uint32_t tables_sweep_part(struct tables *tables, uint32_t first, uint32_t count, uint64_t now_ns)
{
	uint32_t removed = 0;

	for (uint32_t i = first; i < tables->flow_size && i < first + count; i++) {
		struct flow *flow = &tables->flows[i];

		if (flow->state == FLOW_FREE ||
		    now_ns < flow->seen_ns + flow->timeout_s * 1000000000ull)
			continue;
		tables_key_delete(tables, &flow->key[0]);
		tables_key_delete(tables, &flow->key[1]);
		flow->state = FLOW_FREE;
		flow->serial = (flow->serial + 1) & 0x7fffffff;
		tables->free_flows[tables->free_count++] = i;
		removed++;
	}
	return removed;
}

uint32_t tables_sweep(struct tables *tables, uint64_t now_ns)
{
	return tables_sweep_part(tables, 0, tables_flows_touched(tables), now_ns);
}
