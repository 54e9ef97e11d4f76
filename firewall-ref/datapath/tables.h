/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* What the stages find in the tables besides flows: the settings of the policy in
 * force, its limits' state, and the counters. The rules themselves are rules.h's
 * flat arrays.
 *
 * A policy is compiled aside, written to the slot that is not active and made
 * active by one store; its generation is never 0 and grows by one with every
 * publication. A packet asks once (setting_active) and sees one policy. Buckets
 * and filter counters stand in tables of their own, indexed by
 * slot x filter capacity + filter, and start from zero at every publication. */
#ifndef DATAPATH_TABLES_H
#define DATAPATH_TABLES_H

#include <linux/types.h>

#include "firewall-ref/datapath/flow.h"
#include "firewall-ref/datapath/rules.h"
#include "firewall-ref/datapath/verdict.h"

#define SLOTS 2
#define FILTERS_MIN 8192u    /* room for filters of one policy; more if the first needs it */

enum setting_flag {
	SETTING_INSPECT = 1, /* flows; TCP windows tracked; rules see first packets only */
	SETTING_NAT = 2,     /* flows; sources in the NAT prefix translated */
	SETTING_EMPTY = 4,   /* redirect only: no rules, no flows */
};

enum setting_timer { TIMER_ESTABLISHED, TIMER_TRANSITORY, TIMER_UDP, TIMER_ICMP, TIMERS };

/* The policy but for its rules. */
struct setting {
	__u32 generation;        /* set by the path at publication */
	__u32 flags;             /* SETTING_* */
	struct rules_head rules;
	__be32 nat_source;       /* masked */
	__be32 nat_source_mask;
	__be32 nat_address;      /* resolved, also for `to interface` */
	__u32 timeout_s[TIMERS]; /* 0: the default of timer.h */
};

/* Token bucket of a filter, both directions in one. Under its lock. */
struct bucket {
	__u32 lock;
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
	struct packets_bytes received;   /* of any verdict; the readers' sum of those below */
	struct packets_bytes forwarded;
	struct packets_bytes stack;
	struct packets_bytes drop[DROP_COUNT];
};

#endif
