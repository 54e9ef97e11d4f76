/* SPDX-License-Identifier: BSD-2-Clause */
/* The layer's words on memory: the user path, the tests, the fuzzers. What each
 * word promises is said in datapath/layer.h. */
#ifndef USER_LAYER_NATIVE_H
#define USER_LAYER_NATIVE_H

#include "firewall-ref/datapath/classify.h"
#include "firewall-ref/datapath/layer.h"
#include "firewall-ref/user/router.h"
#include "firewall-ref/user/tables.h"

/* How a packet leaves: by the system's routes, or, where there is no router, by
 * what whoever drives the path has filled in. */
struct routes {
	struct router *router;
	struct next_hop hop[2];      /* by side; interface 0: no route that way */
	struct flow_key own[16];     /* the firewall's addresses: family and source */
	uint32_t own_count;
};

struct layer {
	struct tables *tables;
	struct routes *routes;
	uint8_t *frame;
	uint32_t head_bytes;         /* bytes that lie at frame; headers are looked for here */
	uint32_t frame_bytes;        /* the whole frame */
	uint32_t gso_bytes;          /* vnet_hdr gso_size; 0: not a super-packet */
	bool partial;                /* VIRTIO_NET_HDR_F_NEEDS_CSUM */
	bool tagged;
	enum side side;
	uint64_t now_ns;
};

LAYER_INLINE void *packet_at(struct layer *layer, __u32 offset, __u32 length)
{
	return offset + length <= layer->head_bytes ? layer->frame + offset : NULL;
}

LAYER_INLINE int packet_byte(struct layer *layer, __u32 offset)
{
	return offset < layer->head_bytes ? layer->frame[offset] : -1;
}

LAYER_INLINE __u32 packet_bytes(const struct layer *layer)
{
	return layer->frame_bytes;
}

LAYER_INLINE __u32 packet_gso_bytes(const struct layer *layer)
{
	return layer->gso_bytes;
}

LAYER_INLINE int packet_tagged(const struct layer *layer)
{
	return layer->tagged;
}

LAYER_INLINE enum side packet_side(const struct layer *layer)
{
	return layer->side;
}

LAYER_INLINE int packet_partial(const struct layer *layer)
{
	return layer->partial;
}

LAYER_INLINE void packet_sum_changed(struct layer *layer, __u32 diff)
{
	(void)layer, (void)diff;
}

LAYER_INLINE __u64 time_ns(struct layer *layer)
{
	return layer->now_ns;
}

LAYER_INLINE __u64 time_coarse_ns(struct layer *layer)
{
	return layer->now_ns;
}

LAYER_INLINE __u32 random_u32(struct layer *layer)
{
	uint64_t x = layer->tables->random_state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	layer->tables->random_state = x;
	return (__u32)(x >> 32);
}

LAYER_INLINE const struct flow_ref *flow_key_find(struct layer *layer, const struct flow_key *key)
{
	struct key_slot *slot = tables_key_slot(layer->tables, key);

	return slot->key.family ? &slot->ref : NULL;
}

LAYER_INLINE int flow_key_insert(struct layer *layer, const struct flow_key *key,
				 const struct flow_ref *ref)
{
	struct tables *t = layer->tables;
	struct key_slot *slot = tables_key_slot(t, key);

	if (slot->key.family)
		return -1;
	if (t->key_count >= t->flow_size * 2)
		return -2;
	slot->key = *key;
	slot->ref = *ref;
	t->key_count++;
	return 0;
}

LAYER_INLINE void flow_key_delete(struct layer *layer, const struct flow_key *key)
{
	tables_key_delete(layer->tables, key);
}

LAYER_INLINE struct flow *flow_at(struct layer *layer, __u32 index)
{
	return index < layer->tables->flow_size ? &layer->tables->flows[index] : NULL;
}

LAYER_INLINE __u32 flow_take(struct layer *layer)
{
	struct tables *t = layer->tables;
	__u32 index;

	if (!t->free_count)
		return FLOW_INDEX_NONE;
	index = t->free_flows[--t->free_count];
	if (t->free_count < t->free_low)
		t->free_low = t->free_count;
	return index;
}

LAYER_INLINE void flow_give(struct layer *layer, __u32 index)
{
	layer->tables->free_flows[layer->tables->free_count++] = index;
}

LAYER_INLINE int lock_take(__u32 *lock)
{
	(void)lock;
	return 0;
}

LAYER_INLINE void lock_give(__u32 *lock)
{
	(void)lock;
}

LAYER_INLINE const struct setting *setting_active(struct layer *layer, __u32 *slot)
{
	*slot = layer->tables->active;
	return layer->tables->setting[*slot].generation ? &layer->tables->setting[*slot] : NULL;
}

LAYER_INLINE const struct rules_filter *rules_filter_at(struct layer *layer, __u32 slot, __u32 i)
{
	const struct compiled *rules = &layer->tables->rules[slot];

	return i < rules->head.filters ? &rules->filters[i] : NULL;
}

LAYER_INLINE const struct rules_block *rules_block_at(struct layer *layer, __u32 slot, __u32 i)
{
	const struct compiled *rules = &layer->tables->rules[slot];

	return i < rules->block_count ? &rules->blocks[i] : NULL;
}

LAYER_INLINE const struct rules_rest *rules_rest_at(struct layer *layer, __u32 slot, __u32 i)
{
	const struct compiled *rules = &layer->tables->rules[slot];

	return i < rules->rest_count ? &rules->rest[i] : NULL;
}

LAYER_INLINE const struct rules_tuple *rules_tuple_at(struct layer *layer, __u32 slot, __u32 i)
{
	const struct compiled *rules = &layer->tables->rules[slot];

	return i < rules->tuple_count ? &rules->tuples[i] : NULL;
}

LAYER_INLINE const __u32 *rules_slot_at(struct layer *layer, __u32 slot, __u32 i)
{
	const struct compiled *rules = &layer->tables->rules[slot];

	return i < rules->head.slots ? &rules->slots[i] : NULL;
}

LAYER_INLINE struct bucket *bucket_at(struct layer *layer, __u32 slot, __u32 filter)
{
	struct tables *t = layer->tables;

	return filter < t->filter_capacity ? &t->buckets[slot * t->filter_capacity + filter] : NULL;
}

LAYER_INLINE struct filter_count *filter_count_at(struct layer *layer, __u32 slot, __u32 filter)
{
	struct tables *t = layer->tables;

	return filter < t->filter_capacity ? &t->filter_counts[slot * t->filter_capacity + filter]
					   : NULL;
}

LAYER_INLINE struct totals *totals_at(struct layer *layer)
{
	return &layer->tables->totals;
}

LAYER_INLINE void loop(__u32 count, long (*step)(__u32 index, void *context), void *context)
{
	for (__u32 i = 0; i < count; i++)
		if (step(i, context))
			return;
}

LAYER_INLINE __u32 classify_call(struct layer *layer, __u32 slot, const struct setting *setting,
				 const struct flow_key *key)
{
	return classify(layer, slot, setting, key);
}

/* Without a router the two interfaces face each other: what comes in on one goes out on the other. */
LAYER_INLINE enum route_result route_ask(struct layer *layer, const struct descriptor *d,
					 const struct flow_key *key, struct next_hop *hop)
{
	const struct routes *routes = layer->routes;

	(void)d;
	if (routes->router)
		return router_ask(routes->router, key, layer->now_ns, hop);
	for (uint32_t i = 0; i < routes->own_count; i++)
		if (routes->own[i].family == key->family &&
		    !memcmp(routes->own[i].source, key->destination, sizeof(key->destination)))
			return ROUTE_LOCAL;
	*hop = routes->hop[!layer->side];
	return hop->interface ? ROUTE_FORWARD : ROUTE_NONE;
}

LAYER_INLINE struct next_hop *route_kept(struct layer *layer, const struct flow_key *key)
{
	(void)layer, (void)key;
	return NULL;
}

LAYER_INLINE void route_keep(struct layer *layer, const struct flow_key *key,
			     const struct next_hop *hop)
{
	(void)layer, (void)key, (void)hop;
}

#endif
