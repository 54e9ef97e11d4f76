/* SPDX-License-Identifier: BSD-2-Clause */
/* What is allowed but hardly meant. Covering rules are found through a table of
 * all directions by their two prefixes, asked once for each pair of prefix lengths
 * that occurs. */
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "firewall-ref/policy_word.h"

#define LINT_CHAIN_MAX 2000 /* rules on the same two prefixes looked at for one rule */

/* One direction of a rule. */
struct way {
	uint32_t rule;          /* index */
	uint32_t next;          /* 1 + index of the next in the chain */
	uint8_t family;
	struct prefix from, to;
};

struct lint {
	struct policy *policy;
	struct way *ways;
	uint32_t way_count;
	uint32_t *heads, mask;  /* 1 + index into ways */
	struct lengths {
		uint8_t family, from, to;
	} *lengths;             /* pairs that occur */
	uint32_t length_count, length_room;
};

static void lint_free(struct lint *lint)
{
	free(lint->ways);
	free(lint->heads);
	free(lint->lengths);
}

/* The prefix cut to a shorter length. */
static struct prefix lint_cut(const struct prefix *p, uint8_t length)
{
	struct prefix cut = { .address.family = length ? p->address.family : 0, .length = length };

	memcpy(cut.address.bytes, p->address.bytes, length / 8);
	if (length % 8)
		cut.address.bytes[length / 8] =
			(uint8_t)(p->address.bytes[length / 8] & (0xff00u >> length % 8));
	return cut;
}

static uint32_t lint_hash(uint8_t family, const struct prefix *from, const struct prefix *to)
{
	uint64_t h = family;

	for (int i = 0; i < 16; i++)
		h = (h ^ from->address.bytes[i]) * 0x100000001b3ull;
	h = (h ^ from->length) * 0x100000001b3ull;
	for (int i = 0; i < 16; i++)
		h = (h ^ to->address.bytes[i]) * 0x100000001b3ull;
	h = (h ^ to->length) * 0x9e3779b97f4a7c15ull;
	return (uint32_t)(h >> 32);
}

static bool prefix_same(const struct prefix *a, const struct prefix *b)
{
	return a->length == b->length && !memcmp(a->address.bytes, b->address.bytes, 16);
}

static bool side_covers(const struct policy *policy, const struct policy_side *a,
			const struct policy_side *b)
{
	if (a->prefix.length && (a->prefix.length > b->prefix.length ||
				 !prefix_contains(&a->prefix, &b->prefix.address)))
		return false;
	if (!a->ranges)
		return true;
	for (uint32_t i = 0; i < b->ranges; i++) {
		const struct policy_range *inner = &policy->ranges[b->range + i];
		bool found = false;

		for (uint32_t j = 0; j < a->ranges && !found; j++) {
			const struct policy_range *outer = &policy->ranges[a->range + j];

			found = outer->first <= inner->first && outer->last >= inner->last;
		}
		if (!found)
			return false;
	}
	return b->ranges > 0;
}

/* Every packet of b's written or mirrored direction matches a. */
static bool way_covered(const struct policy *policy, const struct policy_rule *a,
			const struct policy_rule *b, int mirrored)
{
	const struct policy_side *from = &b->side[mirrored], *to = &b->side[!mirrored];

	return (side_covers(policy, &a->side[0], from) && side_covers(policy, &a->side[1], to)) ||
	       (a->between && side_covers(policy, &a->side[1], from) &&
		side_covers(policy, &a->side[0], to));
}

static bool rule_covers(const struct policy *policy, const struct policy_rule *a,
			const struct policy_rule *b)
{
	if (a->family && a->family != b->family)
		return false;
	if (a->protocol != POLICY_PROTOCOL_ANY && a->protocol != b->protocol)
		return false;
	return way_covered(policy, a, b, 0) && (!b->between || way_covered(policy, a, b, 1));
}

/* The first earlier rule in one chain that covers the rule, or best. */
static uint32_t lint_chain(const struct lint *lint, uint32_t rule, uint8_t family,
			   const struct prefix *from, const struct prefix *to, uint32_t best)
{
	const struct policy *policy = lint->policy;
	uint32_t at = lint->heads[lint_hash(family, from, to) & lint->mask];

	for (int i = 0; at && i < LINT_CHAIN_MAX; i++) {
		const struct way *way = &lint->ways[at - 1];

		if (way->rule < best && way->family == family && prefix_same(&way->from, from) &&
		    prefix_same(&way->to, to) &&
		    rule_covers(policy, &policy->rules[way->rule], &policy->rules[rule]))
			best = way->rule;
		at = way->next;
	}
	return best;
}

static uint32_t lint_covering(const struct lint *lint, uint32_t rule)
{
	const struct policy_rule *r = &lint->policy->rules[rule];
	uint32_t best = rule;

	for (uint32_t i = 0; i < lint->length_count; i++) {
		const struct lengths *l = &lint->lengths[i];
		struct prefix from, to;

		if ((l->family && l->family != r->family) || l->from > r->side[0].prefix.length ||
		    l->to > r->side[1].prefix.length)
			continue;
		from = lint_cut(&r->side[0].prefix, l->from);
		to = lint_cut(&r->side[1].prefix, l->to);
		best = lint_chain(lint, rule, l->family, &from, &to, best);
	}
	return best;
}

static void lint_add_way(struct lint *lint, uint32_t rule, const struct policy_side *from,
			 const struct policy_side *to)
{
	struct way *way = &lint->ways[lint->way_count++];
	struct lengths pair = { lint->policy->rules[rule].family, from->prefix.length,
				to->prefix.length };
	uint32_t *head, i;

	*way = (struct way){ .rule = rule, .family = pair.family, .from = from->prefix,
			     .to = to->prefix };
	head = &lint->heads[lint_hash(way->family, &way->from, &way->to) & lint->mask];
	way->next = *head;
	*head = lint->way_count;
	for (i = 0; i < lint->length_count; i++)
		if (!memcmp(&lint->lengths[i], &pair, sizeof(pair)))
			return;
	if (policy_grow(lint->policy, &lint->lengths, &lint->length_room, lint->length_count,
			sizeof(pair)))
		lint->lengths[lint->length_count++] = pair;
}

static void lint_cover(struct policy *policy)
{
	__attribute__((cleanup(lint_free))) struct lint lint = { .policy = policy, .mask = 63 };

	while (lint.mask < policy->rule_count * 2)
		lint.mask = lint.mask * 2 + 1;
	lint.ways = calloc(policy->rule_count * 2ul + 1, sizeof(*lint.ways));
	lint.heads = calloc(lint.mask + 1ul, sizeof(*lint.heads));
	if (!lint.ways || !lint.heads)
		return;
	for (uint32_t i = 0; i < policy->rule_count; i++) {
		const struct policy_rule *rule = &policy->rules[i];
		uint32_t by = lint_covering(&lint, i);

		if (by < i)
			policy_note(policy, POLICY_WARNING, rule->line, 1,
				    "never matches: line %u covers it", policy->rules[by].line);
		lint_add_way(&lint, i, &rule->side[0], &rule->side[1]);
		if (rule->between)
			lint_add_way(&lint, i, &rule->side[1], &rule->side[0]);
	}
}

static bool side_meets(const struct policy_side *side, const struct prefix *p)
{
	return !side->prefix.length || !p->length || prefix_contains(p, &side->prefix.address) ||
	       prefix_contains(&side->prefix, &p->address);
}

static void lint_nat(struct policy *policy)
{
	const struct prefix *nat = &policy->nat.prefix;

	if (!policy->nat.on)
		return;
	for (uint32_t i = 0; i < policy->rule_count; i++) {
		const struct policy_rule *r = &policy->rules[i];

		if (r->permit && r->family != 6 &&
		    (side_meets(&r->side[0], nat) || (r->between && side_meets(&r->side[1], nat))))
			return;
	}
	policy_note(policy, POLICY_WARNING, policy->nat.line, 1,
		    "no rule permits anything from the prefix that NAT translates");
}

static void lint_burst(struct policy *policy)
{
	for (uint32_t i = 0; i < policy->rule_count; i++)
		if (policy->rules[i].rate_bps && policy->rules[i].burst_bytes < 65535)
			policy_note(policy, POLICY_WARNING, policy->rules[i].line, 1,
				    "a burst under 65535 bytes lets a super-packet larger than it "
				    "pass only when it is full (segmentation offload)");
}

void policy_lint(struct policy *policy)
{
	lint_cover(policy);
	lint_nat(policy);
	lint_burst(policy);
}
