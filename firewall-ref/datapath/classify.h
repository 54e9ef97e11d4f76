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

#include "firewall-ref/datapath/hash.h"
#include "firewall-ref/datapath/layer.h"

/* What a search carries from step to step; lives on the caller's stack. */
struct classify_search {
	struct layer *layer;
	const struct flow_key *key;
	__u32 slot;             /* of the policy in force */
	__u32 source_port, destination_port; /* host order */
	__u32 best;             /* lowest filter that matched, or RULES_NONE */
	__u32 entry;            /* chain: 1 + the entry that is up; 0: the next tuple is up */
	__u32 tuple;            /* that is up, or the first block of the linear search */
	__u32 end;              /* behind the last tuple, or the last entry */
	__u32 first_ipv6;       /* entry that rest element 0 belongs to */
};

/* The part of an entry that both families have. */
LAYER_INLINE int classify_match(const struct classify_search *s, const struct rules_entry *e)
{
	const struct flow_key *key = s->key;

	if ((key->source[0] & e->source_mask) != e->source ||
	    (key->destination[0] & e->destination_mask) != e->destination)
		return 0;
	if (!(e->flags & RULES_ANY_PROTOCOL) && e->protocol != key->protocol)
		return 0;
	return s->source_port >= e->source_first && s->source_port <= e->source_last &&
	       s->destination_port >= e->destination_first &&
	       s->destination_port <= e->destination_last;
}

/* The other 96 bits of both IPv6 addresses. */
LAYER_INLINE int classify_match_rest(const struct classify_search *s, __u32 entry)
{
	const struct rules_rest *r = rules_rest_at(s->layer, s->slot, entry - s->first_ipv6);
	const __u32 *source = s->key->source + 1, *destination = s->key->destination + 1;
	__u32 differ = 0;

	if (!r)
		return 0;
	for (int i = 0; i < 3; i++)
		differ |= ((source[i] & r->source_mask[i]) ^ r->source[i]) |
			  ((destination[i] & r->destination_mask[i]) ^ r->destination[i]);
	return !differ;
}

/* Compares one block of entries; 1 ends the loop. */
static long classify_linear_step(__u32 index, void *context)
{
	struct classify_search *s = context;
	const struct rules_block *block = rules_block_at(s->layer, s->slot, s->tuple + index);
	__u32 base = (s->tuple + index) * RULES_BLOCK;

	if (!block)
		return 1;
	for (__u32 i = 0; i < RULES_BLOCK; i++) {
		__u32 entry = base + i;

		if (entry < s->entry || !classify_match(s, &block->entry[i]))
			continue;
		if (entry >= s->end)
			return 1;
		if (s->key->family == 6 && !classify_match_rest(s, entry))
			continue;
		s->best = block->entry[i].filter;
		return 1;
	}
	return base + RULES_BLOCK >= s->end;
}

/* Finds the chain in the tuple that is up; 1: no later tuple can do better. */
LAYER_INLINE long classify_tuple(struct classify_search *s)
{
	const struct flow_key *key = s->key;
	const struct rules_tuple *tuple;
	__u32 source[4], destination[4], ports;
	const __u32 *first;

	if (s->tuple >= s->end)
		return 1;
	tuple = rules_tuple_at(s->layer, s->slot, s->tuple++);
	if (!tuple || tuple->best >= s->best)
		return 1;
	for (int i = 0; i < 4; i++) {
		source[i] = key->source[i] & tuple->source_mask[i];
		destination[i] = key->destination[i] & tuple->destination_mask[i];
	}
	ports = (s->source_port << 16 | s->destination_port) & tuple->ports_mask;
	first = rules_slot_at(s->layer, s->slot,
			      tuple->slot + (classify_hash(source, destination, ports,
							   key->family == 6) & tuple->slot_mask));
	if (first)
		s->entry = *first;
	return 0;
}

/* One tuple and the first entry of its chain, or one further entry of a chain. */
static long classify_tuple_step(__u32 index, void *context)
{
	struct classify_search *s = context;
	const struct rules_block *block;
	const struct rules_entry *e;
	__u32 at;

	(void)index;
	if (!s->entry) {
		long end = classify_tuple(s);

		if (end || !s->entry)
			return end;
	}
	at = s->entry - 1;
	block = rules_block_at(s->layer, s->slot, at / RULES_BLOCK);
	if (!block)
		return 1;
	e = &block->entry[at % RULES_BLOCK];
	s->entry = e->flags & RULES_LAST || e->filter >= s->best ? 0 : s->entry + 1;
	if (e->filter < s->best && classify_match(s, e) &&
	    (s->key->family != 6 || classify_match_rest(s, at))) {
		s->best = e->filter;
		s->entry = 0;
	}
	return 0;
}

LAYER_INLINE __u32 classify(struct layer *layer, __u32 slot, const struct setting *setting,
			    const struct flow_key *key)
{
	const struct rules_head *head = &setting->rules;
	int family = key->family == 6 ? RULES_IPV6 : RULES_IPV4;
	struct classify_search s = {
		.layer = layer,
		.key = key,
		.slot = slot,
		.source_port = __builtin_bswap16(key->source_port),
		.destination_port = __builtin_bswap16(key->destination_port),
		.best = RULES_NONE,
		.first_ipv6 = head->entry_first[RULES_IPV6],
	};

	if (head->classifier == RULES_LINEAR) {
		s.entry = head->entry_first[family];
		s.tuple = s.entry / RULES_BLOCK;
		s.end = s.entry + head->entry_count[family];
		if (head->entry_count[family])
			loop(s.end / RULES_BLOCK + 1 - s.tuple, classify_linear_step, &s);
	} else {
		s.tuple = head->tuple_first[family];
		s.end = s.tuple + head->tuple_count[family];
		loop(head->tuple_count[family] + head->entry_count[family], classify_tuple_step, &s);
	}
	return s.best;
}

#endif
