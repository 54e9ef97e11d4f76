/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The layer's words on a __sk_buff. What each word promises is said in
 * datapath/layer.h. Those on tables are in tables_bpf.h, those on routing in
 * route_bpf.h. */
#ifndef KERNEL_LAYER_BPF_H
#define KERNEL_LAYER_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "firewall-ref/datapath/classify.h"
#include "firewall-ref/datapath/layer.h"
#include "firewall-ref/kernel/maps.h"
#include "firewall-ref/kernel/summed_bpf.h"
#include "firewall-ref/kernel/tables_bpf.h"

struct layer {
	struct __sk_buff *skb;
	__u32 summed; /* skb->ip_summed */
};

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
	return layer->summed == SUMMED_PARTIAL;
}

LAYER_INLINE void packet_sum_changed(struct layer *layer, __u32 diff)
{
	if (layer->summed == SUMMED_COMPLETE)
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
