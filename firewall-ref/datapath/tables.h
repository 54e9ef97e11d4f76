/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The compiled policy and the counters: flat arrays that both builds walk byte
 * for byte the same. A policy is compiled aside into a struct policy, written to
 * the slot that is not active, then made active by one store; generation is
 * never 0 and grows by one with every publication.
 *
 * Filter ids are the policy's lines in order. `between` compiles to two rules
 * with the same filter. State that packets change (buckets, counters) stands in
 * tables of its own, indexed by policy_filter_index(slot, filter), and starts
 * from zero at every publication. */
#ifndef DATAPATH_TABLES_H
#define DATAPATH_TABLES_H

#include <linux/bpf.h>
#include <linux/types.h>

#include "firewall-ref/datapath/flow.h"
#include "firewall-ref/datapath/verdict.h"

#define POLICY_SLOTS 2
#define FILTERS_MAX 8192u  /* lines that permit or deny; powers of two: indexes are masked */
#define RULES_MAX 16384u   /* filters with their mirror images */
#define TUPLES_MAX 512u
#define TUPLE_SLOTS_MAX 32768u
#define FILTER_NONE 0xffffffffu /* default deny */

enum policy_flag {
	POLICY_INSPECT = 1, /* flows; TCP windows tracked; rules see first packets only */
	POLICY_NAT = 2,     /* flows; sources in the NAT prefix translated */
	POLICY_LINEAR = 4,  /* classifier linear; else tuple */
	POLICY_EMPTY = 8,   /* redirect only: no rules, no flows, no counters but the totals */
};

enum rule_action { RULE_DENY, RULE_PERMIT };

/* One way a filter matches. Addresses masked, in network order; ports in host
 * order, 0-65535 for any. A rule with ports matches TCP and UDP only. */
struct rule {
	__be32 source[4], source_mask[4];
	__be32 destination[4], destination_mask[4];
	__u16 source_port_low, source_port_high;
	__u16 destination_port_low, destination_port_high;
	__u8 family;    /* 4, 6, 0 any */
	__u8 protocol;  /* 0 any */
	__u8 action;    /* enum rule_action */
	__u8 flags;     /* RULE_* */
	__u32 filter;
};

enum rule_flag {
	RULE_PORTS = 1, /* the port ranges are to be compared */
};

/* What a filter is besides its rules. limit.h fills and reads the limit. */
struct filter {
	__u64 rate_bps;      /* 0: unlimited */
	__s64 burst_credit;  /* bits x 1e9 */
	__u64 full_ns;       /* time from the deepest debt to a full bucket */
	__u32 action;        /* enum rule_action */
	__u32 zero;
};

/* Tuple space: rules of equal masks share a table (open addressing). This part
 * belongs to classify.h and policy_compile.c alone. */
struct tuple {
	__be32 source_mask[4], destination_mask[4];
	__u32 first;         /* slot */
	__u32 slot_mask;     /* slots - 1 */
	__u32 best;          /* lowest rule index in it: later tables cannot beat it */
	__u8 family, exact;  /* exact: TUPLE_* fields compared whole */
	__u16 zero;
};

struct tuple_slot {
	__u32 rule;          /* index + 1 of the first rule in rules[]; 0: empty */
	__u32 next;          /* further rule with the same masked key: index + 1 into next[] */
};

struct policy_header {
	__u32 generation;
	__u32 flags;             /* POLICY_* */
	__u32 rule_count;
	__u32 filter_count;
	__u32 tuple_count;
	__be32 nat_source;       /* masked */
	__be32 nat_source_mask;
	__be32 nat_address;      /* resolved, also for `to interface` */
};

struct policy {
	struct policy_header header;
	struct rule rules[RULES_MAX];        /* in order: the first that matches wins */
	struct filter filters[FILTERS_MAX];
	struct tuple tuples[TUPLES_MAX];     /* ordered by best */
	struct tuple_slot tuple_slots[TUPLE_SLOTS_MAX];
	__u32 rule_next[RULES_MAX];          /* chain within a tuple slot: index + 1, ascending */
};

/* The one word that switches policies. */
struct policy_active {
	__u32 slot;
	__u32 generation; /* 0: none loaded */
};

static inline __u32 policy_filter_index(__u32 slot, __u32 filter)
{
	return (slot & (POLICY_SLOTS - 1)) * FILTERS_MAX + (filter & (FILTERS_MAX - 1));
}

/* Token bucket of a filter, both directions in one. Under its lock. */
struct bucket {
	struct bpf_spin_lock lock;
	__u32 started;       /* 0: full at the first packet */
	__u64 filled_ns;     /* up to when credit has been given */
	__s64 credit;        /* bits x 1e9; below zero: debt */
};

/* Per core in the kernel build; readers add them up. */
struct filter_count {
	__u64 packets, bytes;                 /* matched and not limited */
	__u64 limited_packets, limited_bytes;
};

struct packets_bytes {
	__u64 packets, bytes; /* segments, IP bytes as on the wire */
};

struct totals {
	struct packets_bytes received;   /* IP packets of any verdict */
	struct packets_bytes forwarded;
	struct packets_bytes stack;
	struct packets_bytes drop[DROP_COUNT];
};

#endif
