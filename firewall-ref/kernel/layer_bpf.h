/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The layer's words on a __sk_buff and BPF maps (maps.h). What each word promises
 * is said in datapath/layer.h. Routing is in route_bpf.h. */
#ifndef KERNEL_LAYER_BPF_H
#define KERNEL_LAYER_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "firewall-ref/datapath/classify.h"
#include "firewall-ref/datapath/layer.h"
#include "firewall-ref/kernel/maps.h"

/* From include/linux/skbuff.h; the offsets are the running kernel's. */
struct sk_buff {
	__u8 ip_summed : 2;
} __attribute__((preserve_access_index));

enum { LAYER_SUM_COMPLETE = 2, LAYER_SUM_PARTIAL = 3 }; /* CHECKSUM_* of skbuff.h */

extern void *bpf_cast_to_kern_ctx(void *context) __ksym __weak;

struct layer {
	struct __sk_buff *skb;
	__u32 summed; /* skb->ip_summed */
};

/* Bytes of the sk_buff without bpf_cast_to_kern_ctx: the context is that sk_buff,
 * though the verifier would not have it read directly. */
LAYER_INLINE __u64 layer_copied(struct __sk_buff *skb, __u32 at, __u32 bytes)
{
	__u64 copy = 0;

	bpf_probe_read_kernel(&copy, bytes, (void *)skb + at);
	return copy; /* little end first */
}

/* The bytes around the bit field, in one of the sizes they may have. can_cast is
 * constant to the verifier, which follows one branch and takes the other away: the
 * function need not be there. */
#define LAYER_SUMMED(type, at) \
	(can_cast ? *(type *)(bpf_cast_to_kern_ctx(skb) + (at)) : (type)layer_copied(skb, at, sizeof(type)))

LAYER_INLINE __u32 layer_summed(struct __sk_buff *skb)
{
	struct sk_buff *kernel = 0;
	__u64 value;

	switch (__builtin_preserve_field_info(kernel->ip_summed, 1 /* BPF_FIELD_BYTE_SIZE */)) {
	case 1:
		value = LAYER_SUMMED(__u8, __builtin_preserve_field_info(kernel->ip_summed, 0));
		break;
	case 2:
		value = LAYER_SUMMED(__u16, __builtin_preserve_field_info(kernel->ip_summed, 0));
		break;
	case 4:
		value = LAYER_SUMMED(__u32, __builtin_preserve_field_info(kernel->ip_summed, 0));
		break;
	default:
		value = LAYER_SUMMED(__u64, __builtin_preserve_field_info(kernel->ip_summed, 0));
	}
	value <<= __builtin_preserve_field_info(kernel->ip_summed, 4 /* LSHIFT_U64 */);
	value >>= __builtin_preserve_field_info(kernel->ip_summed, 5 /* RSHIFT_U64 */);
	return (__u32)value;
}

LAYER_INLINE void *packet_at(struct layer *layer, __u32 offset, __u32 length)
{
	void *data = (void *)(long)layer->skb->data;
	void *end = (void *)(long)layer->skb->data_end;

	return data + offset + length <= end ? data + offset : 0;
}

LAYER_INLINE int packet_byte(struct layer *layer, __u32 offset)
{
	__u8 byte;

	return bpf_skb_load_bytes(layer->skb, offset, &byte, 1) ? -1 : byte;
}

LAYER_INLINE __u32 packet_bytes(const struct layer *layer)
{
	return layer->skb->len;
}

LAYER_INLINE __u32 packet_gso_bytes(const struct layer *layer)
{
	return layer->skb->gso_size;
}

LAYER_INLINE int packet_tagged(const struct layer *layer)
{
	return layer->skb->vlan_present;
}

LAYER_INLINE enum side packet_side(const struct layer *layer)
{
	return layer->skb->ifindex == inside_interface ? SIDE_INSIDE : SIDE_OUTSIDE;
}

LAYER_INLINE int packet_partial(const struct layer *layer)
{
	return layer->summed == LAYER_SUM_PARTIAL;
}

LAYER_INLINE void packet_sum_changed(struct layer *layer, __u32 diff)
{
	if (layer->summed == LAYER_SUM_COMPLETE)
		bpf_csum_update(layer->skb, diff);
}

LAYER_INLINE __u64 time_ns(struct layer *layer)
{
	return bpf_ktime_get_ns();
}

LAYER_INLINE __u64 time_coarse_ns(struct layer *layer)
{
	return bpf_ktime_get_coarse_ns();
}

LAYER_INLINE __u32 random_u32(struct layer *layer)
{
	return bpf_get_prandom_u32();
}

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
#define LAYER_LOCK_TRIES (1u << 18)

static long layer_lock_step(__u32 index, void *context)
{
	__u32 **lock = context;

	return !__sync_val_compare_and_swap(*lock, 0, 1);
}

static __attribute__((noinline)) int layer_lock_wait(__u32 *lock)
{
	return bpf_loop(LAYER_LOCK_TRIES, layer_lock_step, &lock, 0) < LAYER_LOCK_TRIES ? 0 : -1;
}

LAYER_INLINE int lock_take(__u32 *lock)
{
	return __sync_val_compare_and_swap(lock, 0, 1) ? layer_lock_wait(lock) : 0;
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
#define LAYER_RULES(map, slot, i)                                                    \
	({                                                                           \
		__u32 slot_ = (slot), i_ = (i);                                      \
		void *inner_ = bpf_map_lookup_elem(&(map), &slot_);                  \
		inner_ ? bpf_map_lookup_elem(inner_, &i_) : (void *)0;               \
	})

LAYER_INLINE const struct rules_filter *rules_filter_at(struct layer *layer, __u32 slot, __u32 i)
{
	return LAYER_RULES(rules_filters, slot, i);
}

LAYER_INLINE const struct rules_block *rules_block_at(struct layer *layer, __u32 slot, __u32 i)
{
	return LAYER_RULES(rules_blocks, slot, i);
}

LAYER_INLINE const struct rules_rest *rules_rest_at(struct layer *layer, __u32 slot, __u32 i)
{
	return LAYER_RULES(rules_rests, slot, i);
}

LAYER_INLINE const struct rules_tuple *rules_tuple_at(struct layer *layer, __u32 slot, __u32 i)
{
	return LAYER_RULES(rules_tuples, slot, i);
}

LAYER_INLINE const __u32 *rules_slot_at(struct layer *layer, __u32 slot, __u32 i)
{
	return LAYER_RULES(rules_slots, slot, i);
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

LAYER_INLINE void loop(__u32 count, long (*step)(__u32 index, void *context), void *context)
{
	bpf_loop(count, step, context, 0);
}

/* Not static: the verifier reads it by itself. */
__attribute__((noinline)) int layer_classify(const struct flow_key *key, __u32 slot)
{
	const struct setting *setting = bpf_map_lookup_elem(&settings, &slot);
	struct layer layer = { 0 };
	struct flow_key copy;

	if (!key || !setting)
		return (int)RULES_NONE;
	copy = *key;
	return (int)classify(&layer, slot, setting, &copy);
}

LAYER_INLINE __u32 classify_call(struct layer *layer, __u32 slot, const struct setting *setting,
				 const struct flow_key *key)
{
	return (__u32)layer_classify(key, slot);
}

#endif
