/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The words that both builds offer to the stages. kernel/layer_bpf.h defines
 * them on a __sk_buff and BPF maps, user/layer_native.h on memory; the one in use
 * is included before pipeline.h. Nothing else of either world is visible here.
 *
 * struct layer is the packet at hand with its tables; every word takes it first.
 * Offsets count from the Ethernet header. */
#ifndef DATAPATH_LAYER_H
#define DATAPATH_LAYER_H

#include <linux/types.h>

#include "firewall-ref/datapath/descriptor.h"
#include "firewall-ref/datapath/flow.h"
#include "firewall-ref/datapath/rules.h"
#include "firewall-ref/datapath/tables.h"

#define LAYER_INLINE static inline __attribute__((always_inline, unused))

/* A word of a packet, which elsewhere is read by other types. */
typedef __u32 __attribute__((may_alias)) layer_u32;

struct layer;

enum side { SIDE_INSIDE, SIDE_OUTSIDE }; /* of the two interfaces */

/* ---- packet ---------------------------------------------------------- */

/* length bytes at offset, readable and writable, or a null pointer if the frame
 * is shorter. Both are constants at the call. Valid until the next word that
 * names packet_ or output. */
LAYER_INLINE void *packet_at(struct layer *layer, __u32 offset, __u32 length);
/* The same to read one byte at a variable offset < 256; -1 beyond the end. */
LAYER_INLINE int packet_byte(struct layer *layer, __u32 offset);
/* Frame length with the Ethernet header, all of a super-packet. */
LAYER_INLINE __u32 packet_bytes(const struct layer *layer);
/* Payload bytes of each segment of a super-packet; 0: not one. */
LAYER_INLINE __u32 packet_gso_bytes(const struct layer *layer);
LAYER_INLINE int packet_tagged(const struct layer *layer); /* VLAN tag beside the frame */
LAYER_INLINE enum side packet_side(const struct layer *layer); /* where it came in */
/* True if the checksum field of TCP or UDP holds the folded pseudo-header sum
 * alone and whoever sends the packet out completes it: such a sum follows the
 * addresses, never the ports, and is not inverted. */
LAYER_INLINE int packet_partial(const struct layer *layer);
/* The sum over the packet's bytes has changed by diff (unfolded, 32 bits), for
 * builds that carry such a sum beside the packet; else nothing. */
LAYER_INLINE void packet_sum_changed(struct layer *layer, __u32 diff);

/* ---- time and chance ------------------------------------------------- */

LAYER_INLINE __u64 time_ns(struct layer *layer);        /* monotonic */
LAYER_INLINE __u64 time_coarse_ns(struct layer *layer); /* the same clock, some ms late */
LAYER_INLINE __u32 random_u32(struct layer *layer);

/* ---- tables ---------------------------------------------------------- */

/* Key -> reference. Find returns a null pointer without. Insert never replaces:
 * 0, -1 the key is there already, -2 no room. The reference is copied. */
LAYER_INLINE const struct flow_ref *flow_key_find(struct layer *layer, const struct flow_key *key);
LAYER_INLINE int flow_key_insert(struct layer *layer, const struct flow_key *key,
				 const struct flow_ref *ref);
LAYER_INLINE void flow_key_delete(struct layer *layer, const struct flow_key *key);
/* Flow records. flow_at: a null pointer beyond the table. flow_take: a free
 * record's index or FLOW_INDEX_NONE. */
LAYER_INLINE struct flow *flow_at(struct layer *layer, __u32 index);
LAYER_INLINE __u32 flow_take(struct layer *layer);
LAYER_INLINE void flow_give(struct layer *layer, __u32 index);
/* For a few instructions; 0 is free. take waits for another core, for some
 * milliseconds at most: then it returns -1 and the lock is not taken. */
LAYER_INLINE int lock_take(__u32 *lock);
LAYER_INLINE void lock_give(__u32 *lock);

/* The setting in force, or a null pointer without; *slot is what the words below
 * take. Asked once a packet, so that one packet sees one policy. */
LAYER_INLINE const struct setting *setting_active(struct layer *layer, __u32 *slot);
/* Elements of the compiled rules (rules.h); a null pointer beyond the end. */
LAYER_INLINE const struct rules_filter *rules_filter_at(struct layer *layer, __u32 slot, __u32 i);
LAYER_INLINE const struct rules_block *rules_block_at(struct layer *layer, __u32 slot, __u32 i);
LAYER_INLINE const struct rules_rest *rules_rest_at(struct layer *layer, __u32 slot, __u32 i);
LAYER_INLINE const struct rules_tuple *rules_tuple_at(struct layer *layer, __u32 slot, __u32 i);
LAYER_INLINE const __u32 *rules_slot_at(struct layer *layer, __u32 slot, __u32 i);
LAYER_INLINE struct bucket *bucket_at(struct layer *layer, __u32 slot, __u32 filter);
LAYER_INLINE struct filter_count *filter_count_at(struct layer *layer, __u32 slot, __u32 filter);
LAYER_INLINE struct totals *totals_at(struct layer *layer);

/* Calls step(index, context) for 0 <= index < count until it returns non-zero.
 * step is a static function; bpf_loop in the kernel. */
LAYER_INLINE void loop(__u32 count, long (*step)(__u32 index, void *context), void *context);

/* Calls classify() of classify.h; in the kernel a function of its own, which the
 * verifier reads once and not on every path that leads to it. */
LAYER_INLINE __u32 classify_call(struct layer *layer, __u32 slot, const struct setting *setting,
				 const struct flow_key *key);

/* ---- routing --------------------------------------------------------- */

/* Asks the system for the way to key->destination (source, protocol and ports as
 * hints) for a packet that came in on its interface. */
LAYER_INLINE enum route_result route_ask(struct layer *layer, const struct descriptor *d,
					 const struct flow_key *key, struct next_hop *hop);
/* The same answer kept by destination for packets without a flow; a null pointer
 * if there is none. The keeper checks until_ns. */
LAYER_INLINE struct next_hop *route_kept(struct layer *layer, const struct flow_key *key);
LAYER_INLINE void route_keep(struct layer *layer, const struct flow_key *key,
			     const struct next_hop *hop);

#endif
