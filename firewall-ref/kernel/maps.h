/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The kernel path's tables. Sizes of 1 are set by the loader before it loads. */
#ifndef KERNEL_MAPS_H
#define KERNEL_MAPS_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "firewall-ref/datapath/flow.h"
#include "firewall-ref/datapath/tables.h"

/* Set before loading. */
const volatile __u32 inside_interface, outside_interface;
const volatile __u32 filter_capacity = FILTERS_MIN;
const volatile __u32 can_cast; /* the kernel has bpf_cast_to_kern_ctx */

/* The slot in force: one store switches policies. SLOTS: none yet. */
volatile __u32 active_slot = SLOTS;

/* Flow records below this index have been in use; those above never were, so no
 * one need look at them. */
__u32 flows_touched;

/* Two keys a flow. Preallocated: nothing is allocated on the packet path. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct flow_key);
	__type(value, struct flow_ref);
} flow_keys SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct flow);
} flows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 1);
	__type(value, __u32);
} free_flows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SLOTS);
	__type(key, __u32);
	__type(value, struct setting);
} settings SEC(".maps");

/* The compiled rules, one inner array a slot, of any length. */
#define MAPS_RULES(name, element)                                \
	struct name##_inner {                                    \
		__uint(type, BPF_MAP_TYPE_ARRAY);                \
		__uint(map_flags, BPF_F_INNER_MAP);              \
		__uint(max_entries, 1);                          \
		__uint(key_size, sizeof(__u32));                 \
		__uint(value_size, sizeof(element));             \
	};                                                       \
	struct {                                                 \
		__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);        \
		__uint(max_entries, SLOTS);                      \
		__type(key, __u32);                              \
		__array(values, struct name##_inner);            \
	} name SEC(".maps")

MAPS_RULES(rules_filters, struct rules_filter);
MAPS_RULES(rules_blocks, struct rules_block);
MAPS_RULES(rules_rests, struct rules_rest);
MAPS_RULES(rules_tuples, struct rules_tuple);
MAPS_RULES(rules_slots, __u32);

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bucket);
} buckets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct filter_count);
} filter_counts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct totals);
} totals_map SEC(".maps");

#define KEPT_HOPS_BITS 10
struct kept_hop {
	__be32 destination[4];
	__u32 family;
	__u32 zero;
	struct next_hop hop;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1 << KEPT_HOPS_BITS);
	__type(key, __u32);
	__type(value, struct kept_hop);
} kept_hops SEC(".maps");

#endif
