/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The layer's words on the tables of maps.h: flows, locks, the policy in force. */
#ifndef KERNEL_TABLES_BPF_H
#define KERNEL_TABLES_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "firewall-ref/datapath/layer.h"
#include "firewall-ref/kernel/maps.h"

LAYER_INLINE const struct flow_ref *flow_key_find(struct layer *layer, const struct flow_key *key)
{
	return bpf_map_lookup_elem(&flow_keys, key);
}

LAYER_INLINE int flow_key_insert(struct layer *layer, const struct flow_key *key,
				 const struct flow_ref *ref)
{
	/* Before Linux 6.4 it is an int of which the upper half of the register is not told. */
	int result = (int)bpf_map_update_elem(&flow_keys, key, ref, BPF_NOEXIST);

	return !result ? 0 : result == -17 /* EEXIST */ ? -1 : -2;
}

LAYER_INLINE void flow_key_delete(struct layer *layer, const struct flow_key *key)
{
	bpf_map_delete_elem(&flow_keys, key);
}

LAYER_INLINE struct flow *flow_at(struct layer *layer, __u32 index)
{
	return bpf_map_lookup_elem(&flows, &index);
}

LAYER_INLINE __u32 flow_take(struct layer *layer)
{
	__u32 index, seen = flows_touched;

	if (bpf_map_pop_elem(&free_flows, &index))
		return FLOW_INDEX_NONE;
	for (int i = 0; i < 16 && seen <= index; i++)
		seen = __sync_val_compare_and_swap(&flows_touched, seen, index + 1);
	return index;
}

LAYER_INLINE void flow_give(struct layer *layer, __u32 index)
{
	bpf_map_push_elem(&free_flows, &index, 0);
}

/* bpf_spin_lock costs four times as much, because it holds interrupts off. These
 * locks are taken by programs of the tc hook alone, which do not interrupt each
 * other on one core; and who cannot have one goes away. */
#define LOCK_TRIES (1u << 18)

static long lock_step(__u32 index, void *context)
{
	__u32 **lock = context;

	return !__sync_val_compare_and_swap(*lock, 0, 1);
}

static __attribute__((noinline)) int lock_wait(__u32 *lock)
{
	return bpf_loop(LOCK_TRIES, lock_step, &lock, 0) < LOCK_TRIES ? 0 : -1;
}

LAYER_INLINE int lock_take(__u32 *lock)
{
	return __sync_val_compare_and_swap(lock, 0, 1) ? lock_wait(lock) : 0;
}

LAYER_INLINE void lock_give(__u32 *lock)
{
	__sync_lock_test_and_set(lock, 0); /* with a barrier, which a plain store has not */
}

LAYER_INLINE const struct setting *setting_active(struct layer *layer, __u32 *slot)
{
	__u32 active = active_slot;

	*slot = active;
	return bpf_map_lookup_elem(&settings, &active); /* none yet: active_slot is beyond */
}

/* Element i of the slot's array in a map of maps. */
#define TABLES_RULES(map, slot, i)                                                    \
	({                                                                           \
		__u32 slot_ = (slot), i_ = (i);                                      \
		void *inner_ = bpf_map_lookup_elem(&(map), &slot_);                  \
		inner_ ? bpf_map_lookup_elem(inner_, &i_) : (void *)0;               \
	})

LAYER_INLINE const struct rules_filter *rules_filter_at(struct layer *layer, __u32 slot, __u32 i)
{
	return TABLES_RULES(rules_filters, slot, i);
}

LAYER_INLINE const struct rules_block *rules_block_at(struct layer *layer, __u32 slot, __u32 i)
{
	return TABLES_RULES(rules_blocks, slot, i);
}

LAYER_INLINE const struct rules_rest *rules_rest_at(struct layer *layer, __u32 slot, __u32 i)
{
	return TABLES_RULES(rules_rests, slot, i);
}

LAYER_INLINE const struct rules_tuple *rules_tuple_at(struct layer *layer, __u32 slot, __u32 i)
{
	return TABLES_RULES(rules_tuples, slot, i);
}

LAYER_INLINE const __u32 *rules_slot_at(struct layer *layer, __u32 slot, __u32 i)
{
	return TABLES_RULES(rules_slots, slot, i);
}

LAYER_INLINE struct bucket *bucket_at(struct layer *layer, __u32 slot, __u32 filter)
{
	__u32 i = slot * filter_capacity + filter;

	return filter < filter_capacity ? bpf_map_lookup_elem(&buckets, &i) : 0;
}

LAYER_INLINE struct filter_count *filter_count_at(struct layer *layer, __u32 slot, __u32 filter)
{
	__u32 i = slot * filter_capacity + filter;

	return filter < filter_capacity ? bpf_map_lookup_elem(&filter_counts, &i) : 0;
}

LAYER_INLINE struct totals *totals_at(struct layer *layer)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&totals_map, &zero);
}

#endif
