/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of the native build: flow keys (open addressing, linear probing),
 * flow records with a stack of free ones, the settings of both slots with their
 * rules, buckets and counters. All memory is taken in tables_open.
 *
 * Threads: none of it is locked here. One worker owns the tables; whoever else
 * wants in (control, sweep) asks while the worker does not run a packet. */
#ifndef USER_TABLES_H
#define USER_TABLES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "firewall-ref/datapath/descriptor.h"
#include "firewall-ref/datapath/flow.h"
#include "firewall-ref/datapath/tables.h"
#include "firewall-ref/policy_compile.h"

struct key_slot {
	struct flow_key key; /* family 0: empty */
	struct flow_ref ref;
};

struct tables {
	struct key_slot *keys;
	uint32_t key_mask, key_count;
	struct flow *flows;
	uint32_t *free_flows;
	uint32_t flow_size, free_count;
	uint32_t free_low;                 /* least free_count ever: records beyond were never used */

	struct setting setting[SLOTS];
	struct compiled rules[SLOTS];      /* copies, owned */
	struct bucket *buckets;
	struct filter_count *filter_counts;
	uint32_t filter_capacity;
	uint32_t active;                   /* slot; its generation 0: none yet */
	struct totals totals;
	uint64_t hash_seed;
	uint64_t random_state;
};

/* flow_size flows, filter_capacity filters. 0 or -ENOMEM. */
int tables_open(struct tables *tables, uint32_t flow_size, uint32_t filter_capacity);
void tables_close(struct tables *tables);
/* As path_ops.publish. rules may be NULL. 0, -E2BIG or -ENOMEM, not logged. */
int tables_publish(struct tables *tables, const struct setting *setting,
		   const struct compiled *rules);
/* The two halves of it. prepare fills the slot that is not active, which no packet
 * may be using any more; switch makes it active. */
int tables_prepare(struct tables *tables, const struct setting *setting,
		   const struct compiled *rules);
void tables_switch(struct tables *tables);
/* Removes flows whose time has run out at now_ns; returns their number. */
uint32_t tables_sweep(struct tables *tables, uint64_t now_ns);
/* The same for count records from first on. */
uint32_t tables_sweep_part(struct tables *tables, uint32_t first, uint32_t count, uint64_t now_ns);
/* Records in use or used before, from 0 on. */
static inline uint32_t tables_flows_touched(const struct tables *tables)
{
	return tables->flow_size - tables->free_low;
}

static inline uint32_t tables_hash(const struct tables *tables, const struct flow_key *key)
{
	uint64_t word[5], h = tables->hash_seed;

	_Static_assert(sizeof(*key) == sizeof(word), "the key is hashed as five words");
	memcpy(word, key, sizeof(word));
	for (int i = 0; i < 5; i++) {
		h = (h ^ word[i]) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 32;
	}
	return (uint32_t)h;
}

/* The slot of the key, or the empty one where it would stand. */
static inline struct key_slot *tables_key_slot(struct tables *tables, const struct flow_key *key)
{
	uint32_t i = tables_hash(tables, key) & tables->key_mask;

	while (tables->keys[i].key.family && memcmp(&tables->keys[i].key, key, sizeof(*key)))
		i = (i + 1) & tables->key_mask;
	return &tables->keys[i];
}

void tables_key_delete(struct tables *tables, const struct flow_key *key);

#endif
