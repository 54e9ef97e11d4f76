/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The compiled rules: flat arrays without pointers, written once by
 * policy_compile.c and walked byte for byte the same by both builds
 * (classify.h). Index is reference; everything is in host order unless it says
 * so. One generation of arrays never changes after it is published.
 *
 * A rule of the policy is one *filter* (its number is its place in the policy:
 * lower wins) and one or more *entries*: one for each direction of `between`, for
 * each family of `any`, for each pair of port ranges. IPv4 and IPv6 entries are
 * two runs of one array.
 *
 *   linear: the entries of a family by ascending filter; the first match counts.
 *   tuple:  each tuple is a pair of prefix lengths (and ports, exact or not) with
 *           a hash table of its own in slots[]; a slot leads to a chain of
 *           entries side by side, by ascending filter, the last one marked.
 *           Tuples of a family stand by the best filter they hold. */
#ifndef DATAPATH_RULES_H
#define DATAPATH_RULES_H

#include <linux/types.h>

#define RULES_NONE 0xffffffffu  /* no filter matched: default deny */
#define RULES_BLOCK 64          /* entries in one element of the entry array */

enum { RULES_LINEAR, RULES_TUPLE };
enum { RULES_IPV4, RULES_IPV6, RULES_FAMILIES };

enum rules_flag {
	RULES_ANY_PROTOCOL = 1,
	RULES_LAST = 2,         /* last of its chain */
};

/* 32 bytes: all of IPv4. Of IPv6 the first 32 bits are here. Addresses and masks
 * are in network byte order. Only entries for TCP or UDP have port ranges other
 * than 0-65535. */
struct rules_entry {
	__u32 source, source_mask;
	__u32 destination, destination_mask;
	__u16 source_first, source_last;
	__u16 destination_first, destination_last;
	__u32 filter;
	__u8 protocol;
	__u8 flags;
	__u16 unused;
};

struct rules_block {
	struct rules_entry entry[RULES_BLOCK];
};

/* The other 96 bits of an IPv6 entry; element i belongs to entry first_ipv6 + i. */
struct rules_rest {
	__u32 source[3], source_mask[3];
	__u32 destination[3], destination_mask[3];
};

struct rules_tuple {
	__u32 source_mask[4], destination_mask[4]; /* network byte order */
	__u32 ports_mask;       /* source port in the upper half; 0xffff: exact, 0: any */
	__u32 best;             /* lowest filter in it */
	__u32 slot;             /* its first slot */
	__u32 slot_mask;        /* slots - 1 */
};

/* A slot is a __u32: 1 + the index of the first entry of a chain, 0: empty. */

struct rules_filter {
	__u64 rate_bps;         /* 0: no limit */
	__u64 burst_bytes;
	__u8 permit;
	__u8 unused[7];
};

/* How to read the arrays of one generation. */
struct rules_head {
	__u32 classifier;       /* RULES_LINEAR or RULES_TUPLE */
	__u32 filters;
	__u32 entry_first[RULES_FAMILIES], entry_count[RULES_FAMILIES];
	__u32 tuple_first[RULES_FAMILIES], tuple_count[RULES_FAMILIES];
	__u32 slots;
};

#endif
