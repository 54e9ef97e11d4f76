/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* Which filter a packet belongs to: the first rule in order that matches.
 *
 *   linear: every rule in order, what the published firewalls did, and the oracle.
 *   tuple:  tuple space search (Srinivasan, Suri, Varghese, SIGCOMM 1999) with
 *           merged tuples (Daly et al., TupleMerge, 2019): a look-up in the table
 *           of each pair of masks, tables by the best rule they hold, until no
 *           later table can beat what was found. Ports are checked in the rule.
 *
 * Both answer the same for every packet. Packets never change any of it. */
#ifndef DATAPATH_CLASSIFY_H
#define DATAPATH_CLASSIFY_H

#include "firewall-ref/datapath/layer.h"

#define CLASSIFY_STRIDE 8u /* rules compared in one step of the linear loop */

/* What a search carries from step to step; lives on the caller's stack. */
struct classify_search {
	const struct policy *policy;
	const struct flow_key *key;
	__u32 source_port, destination_port; /* host order */
	__u32 best;             /* lowest rule that matched; RULES_MAX: none */
	__u32 chain;            /* 1 + place in chains[]; 0: the next tuple is up */
	__u32 tuple, tuple_end;
};

/* Words and masks in network order; port masks as in struct tuple. */
LAYER_INLINE __u32 classify_hash(const __be32 *source, const __be32 *destination, __u32 ports,
				 int ipv6)
{
	__u64 h = ((__u64)source[0] << 32 | destination[0]) * 0x9e3779b97f4a7c15ull;

	h = (h ^ h >> 32 ^ ports) * 0xd6e8feb86659fd93ull;
	if (ipv6) {
		h = (h ^ h >> 32 ^ ((__u64)source[1] << 32 | source[2])) * 0x9e3779b97f4a7c15ull;
		h = (h ^ h >> 32 ^ ((__u64)destination[1] << 32 | destination[2])) *
		    0x9e3779b97f4a7c15ull;
		h = (h ^ h >> 32 ^ ((__u64)source[3] << 32 | destination[3])) *
		    0xd6e8feb86659fd93ull;
	}
	return (__u32)(h >> 32);
}

LAYER_INLINE int classify_address(const __be32 *address, const __be32 *rule, const __be32 *mask,
				  int ipv6)
{
	if ((address[0] & mask[0]) != rule[0])
		return 0;
	return !ipv6 || (((address[1] & mask[1]) ^ rule[1]) | ((address[2] & mask[2]) ^ rule[2]) |
			 ((address[3] & mask[3]) ^ rule[3])) == 0;
}

/* A rule of family 0 matches both; its masks are zero. */
LAYER_INLINE int classify_match(const struct classify_search *s, const struct rule *rule)
{
	const struct flow_key *key = s->key;
	int ipv6 = key->family == 6;

	if (!classify_address(key->source, rule->source, rule->source_mask, ipv6) ||
	    !classify_address(key->destination, rule->destination, rule->destination_mask, ipv6))
		return 0;
	if (rule->family && rule->family != key->family)
		return 0;
	if (rule->protocol && rule->protocol != key->protocol)
		return 0;
	if (!(rule->flags & RULE_PORTS))
		return 1;
	return s->source_port >= rule->source_port_low && s->source_port <= rule->source_port_high &&
	       s->destination_port >= rule->destination_port_low &&
	       s->destination_port <= rule->destination_port_high;
}

/* Compares CLASSIFY_STRIDE rules; 1 ends the loop. */
static long classify_linear_step(__u32 index, void *context)
{
	struct classify_search *s = context;
	const struct policy *policy = s->policy;

	for (__u32 i = 0; i < CLASSIFY_STRIDE; i++) {
		__u32 rule = index * CLASSIFY_STRIDE + i;

		if (rule >= policy->header.rule_count || rule >= RULES_MAX)
			return 1;
		if (classify_match(s, &policy->rules[rule])) {
			s->best = rule;
			return 1;
		}
	}
	return 0;
}

/* Makes the chain of the next tuple current; 1: no later tuple can do better. */
LAYER_INLINE long classify_tuple(struct classify_search *s)
{
	const struct policy *policy = s->policy;
	const struct flow_key *key = s->key;
	const struct tuple *tuple;
	__be32 source[4], destination[4];
	__u32 at = s->tuple++, ports, slot;

	if (at >= s->tuple_end || at >= TUPLES_MAX)
		return 1;
	tuple = &policy->tuples[at];
	if (tuple->best >= s->best)
		return 1;
	for (int i = 0; i < 4; i++) {
		source[i] = key->source[i] & tuple->source_mask[i];
		destination[i] = key->destination[i] & tuple->destination_mask[i];
	}
	ports = (s->source_port << 16 | s->destination_port) & tuple->ports_mask;
	slot = tuple->slot + (classify_hash(source, destination, ports, key->family == 6) &
			      tuple->slot_mask);
	if (slot < TUPLE_SLOTS_MAX)
		s->chain = policy->tuple_slots[slot];
	return 0;
}

/* One tuple and the first rule of its chain, or one further rule of a chain. */
static long classify_tuple_step(__u32 index, void *context)
{
	struct classify_search *s = context;
	const struct policy *policy = s->policy;
	__u32 place, link, rule;

	(void)index;
	if (!s->chain) {
		long end = classify_tuple(s);

		if (end || !s->chain)
			return end;
	}
	place = s->chain - 1;
	if (place >= CHAINS_MAX)
		return 1;
	link = policy->chains[place];
	rule = link & ~CHAIN_LAST;
	s->chain = link & CHAIN_LAST || rule >= s->best ? 0 : s->chain + 1;
	if (rule < s->best && rule < RULES_MAX && classify_match(s, &policy->rules[rule])) {
		s->best = rule;
		s->chain = 0;
	}
	return 0;
}

/* The filter of a packet as the inside sees it, or FILTER_NONE: default deny. */
LAYER_INLINE __u32 classify(const struct policy *policy, const struct flow_key *key)
{
	struct classify_search s = {
		.policy = policy,
		.key = key,
		.source_port = __builtin_bswap16(key->source_port),
		.destination_port = __builtin_bswap16(key->destination_port),
		.best = RULES_MAX,
	};
	int ipv6 = key->family == 6;

	if (policy->header.flags & POLICY_LINEAR) {
		loop((policy->header.rule_count + CLASSIFY_STRIDE - 1) / CLASSIFY_STRIDE,
		     classify_linear_step, &s);
	} else {
		s.tuple = policy->header.tuple_first[ipv6];
		s.tuple_end = s.tuple + policy->header.tuple_count[ipv6];
		loop(TUPLES_MAX + CHAINS_MAX, classify_tuple_step, &s);
	}
	return s.best < RULES_MAX ? policy->rules[s.best].filter : FILTER_NONE;
}

#endif
