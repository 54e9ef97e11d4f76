/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/policy_compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "firewall-ref/policy_word.h"

/* The entries of one family while they grow. */
struct drafts {
	struct draft *at;
	uint32_t count, room;
};

static void drafts_free(struct drafts *drafts)
{
	free(drafts->at);
}

static const struct policy_range any_port = { 0, 65535 };

static uint32_t side_ranges(const struct policy_side *side)
{
	return side->ranges ? side->ranges : 1;
}

static struct policy_range side_range(const struct policy *policy, const struct policy_side *side,
				      uint32_t i)
{
	return side->ranges ? policy->ranges[side->range + i] : any_port;
}

/* Address and mask as four words in network byte order. */
static void side_words(const struct policy_side *side, uint32_t word[4], uint32_t mask[4])
{
	policy_mask(side->prefix.length, mask);
	memcpy(word, side->prefix.address.bytes, sizeof(side->prefix.address.bytes));
}

static void draft_addresses(struct draft *draft, const struct policy_side *from,
			    const struct policy_side *to)
{
	struct rules_entry *e = &draft->entry;
	struct rules_rest *r = &draft->rest;
	uint32_t word[4], mask[4];

	side_words(from, word, mask);
	e->source = word[0];
	e->source_mask = mask[0];
	memcpy(r->source, word + 1, sizeof(r->source));
	memcpy(r->source_mask, mask + 1, sizeof(r->source_mask));
	side_words(to, word, mask);
	e->destination = word[0];
	e->destination_mask = mask[0];
	memcpy(r->destination, word + 1, sizeof(r->destination));
	memcpy(r->destination_mask, mask + 1, sizeof(r->destination_mask));
	draft->source_length = from->prefix.length;
	draft->destination_length = to->prefix.length;
}

/* Everything but the ports of one direction of a rule. */
static struct draft draft_of(const struct policy_rule *rule, uint32_t filter,
			     const struct policy_side *from, const struct policy_side *to)
{
	struct draft draft = { .entry.filter = filter };

	draft_addresses(&draft, from, to);
	if (rule->protocol == POLICY_PROTOCOL_ANY)
		draft.entry.flags |= RULES_ANY_PROTOCOL;
	else
		draft.entry.protocol = (uint8_t)rule->protocol;
	return draft;
}

static int drafts_add(struct policy *policy, struct drafts *drafts, struct draft draft,
		      const struct policy_side *from, const struct policy_side *to)
{
	for (uint32_t i = 0; i < side_ranges(from); i++) {
		for (uint32_t j = 0; j < side_ranges(to); j++) {
			struct policy_range source = side_range(policy, from, i);
			struct policy_range destination = side_range(policy, to, j);

			draft.entry.source_first = source.first;
			draft.entry.source_last = source.last;
			draft.entry.destination_first = destination.first;
			draft.entry.destination_last = destination.last;
			if (drafts->count >= COMPILED_ENTRIES_MAX)
				return -E2BIG;
			if (!policy_grow(policy, &drafts->at, &drafts->room, drafts->count,
					 sizeof(*drafts->at)))
				return -ENOMEM;
			drafts->at[drafts->count++] = draft;
		}
	}
	return 0;
}

/* A `between` that is its own mirror needs one direction. */
static bool rule_symmetric(const struct policy_rule *rule)
{
	return !memcmp(&rule->side[0].prefix, &rule->side[1].prefix, sizeof(struct prefix)) &&
	       !rule->side[0].ranges && !rule->side[1].ranges;
}

static int drafts_add_rule(struct policy *policy, struct drafts *drafts, uint32_t filter)
{
	const struct policy_rule *rule = &policy->rules[filter];
	const struct policy_side *a = &rule->side[0], *b = &rule->side[1];
	int error = drafts_add(policy, drafts, draft_of(rule, filter, a, b), a, b);

	if (!error && rule->between && !rule_symmetric(rule))
		error = drafts_add(policy, drafts, draft_of(rule, filter, b, a), b, a);
	return error;
}

static int drafts_of_family(struct policy *policy, int family, struct drafts *drafts)
{
	uint8_t wanted = family == RULES_IPV4 ? 4 : 6;

	for (uint32_t i = 0; i < policy->rule_count; i++) {
		int error;

		if (policy->rules[i].family && policy->rules[i].family != wanted)
			continue;
		error = drafts_add_rule(policy, drafts, i);
		if (error == -E2BIG)
			policy_note(policy, POLICY_ERROR, policy->rules[i].line, 1,
				    "the policy grows past %u entries here (port lists on both "
				    "sides of a rule multiply)", COMPILED_ENTRIES_MAX);
		if (error)
			return error;
	}
	return 0;
}

static int compile_filters(const struct policy *policy, struct compiled *out)
{
	out->filters = calloc(policy->rule_count + 1, sizeof(*out->filters));
	if (!out->filters)
		return -ENOMEM;
	for (uint32_t i = 0; i < policy->rule_count; i++) {
		const struct policy_rule *rule = &policy->rules[i];

		out->filters[i] = (struct rules_filter){ .rate_bps = rule->rate_bps,
							 .burst_bytes = rule->burst_bytes,
							 .permit = rule->permit };
	}
	out->head.filters = policy->rule_count;
	return 0;
}

/* Lays the drafts of both families down as blocks. */
static int compile_entries(struct compiled *out, const struct drafts drafts[RULES_FAMILIES])
{
	uint32_t ipv4 = drafts[RULES_IPV4].count, ipv6 = drafts[RULES_IPV6].count;

	out->block_count = (ipv4 + ipv6) / RULES_BLOCK + 1;
	out->rest_count = ipv6 ? ipv6 : 1;
	out->blocks = calloc(out->block_count, sizeof(*out->blocks));
	out->rest = calloc(out->rest_count, sizeof(*out->rest));
	if (!out->blocks || !out->rest)
		return -ENOMEM;
	for (uint32_t i = 0; i < ipv4 + ipv6; i++)
		out->blocks[i / RULES_BLOCK].entry[i % RULES_BLOCK] =
			i < ipv4 ? drafts[RULES_IPV4].at[i].entry
				 : drafts[RULES_IPV6].at[i - ipv4].entry;
	for (uint32_t i = 0; i < ipv6; i++)
		out->rest[i] = drafts[RULES_IPV6].at[i].rest;
	return 0;
}

static int compile_family(struct policy *policy, struct compiled *out, int family,
			  struct drafts *drafts, uint32_t base)
{
	int error = drafts_of_family(policy, family, drafts);

	if (error)
		return error;
	if (base + drafts->count > COMPILED_ENTRIES_MAX) {
		policy_note(policy, POLICY_ERROR, 1, 1, "the policy has more than %u entries "
			    "(each rule without a family has one for IPv4 and one for IPv6)",
			    COMPILED_ENTRIES_MAX);
		return -E2BIG;
	}
	out->head.entry_first[family] = base;
	out->head.entry_count[family] = drafts->count;
	if (policy->classifier == POLICY_LINEAR)
		return 0;
	return policy_tuples(out, family, drafts->at, drafts->count, base);
}

/* The data path looks arrays up by index: none may be without elements. */
static int compile_no_empty(struct compiled *out)
{
	if (!out->tuples)
		out->tuples = calloc(1, sizeof(*out->tuples));
	if (!out->slots)
		out->slots = calloc(1, sizeof(*out->slots));
	if (!out->tuples || !out->slots)
		return -ENOMEM;
	out->tuple_count = out->tuple_count ? out->tuple_count : 1;
	out->head.slots = out->head.slots ? out->head.slots : 1;
	return 0;
}

int policy_compile(struct policy *policy, struct compiled *out)
{
	OWN_COMPILED struct compiled made = { 0 };
	__attribute__((cleanup(drafts_free))) struct drafts ipv4 = { 0 };
	__attribute__((cleanup(drafts_free))) struct drafts ipv6 = { 0 };
	int error;

	made.head.classifier = policy->classifier == POLICY_LINEAR ? RULES_LINEAR : RULES_TUPLE;
	error = compile_filters(policy, &made);
	if (!error)
		error = compile_family(policy, &made, RULES_IPV4, &ipv4, 0);
	if (!error)
		error = compile_family(policy, &made, RULES_IPV6, &ipv6, ipv4.count);
	if (!error)
		error = compile_entries(&made, (const struct drafts[]){ ipv4, ipv6 });
	if (!error)
		error = compile_no_empty(&made);
	if (error)
		return error;
	*out = made;
	made = (struct compiled){ 0 };
	return 0;
}

void compiled_free(struct compiled *compiled)
{
	free(compiled->filters);
	free(compiled->blocks);
	free(compiled->rest);
	free(compiled->tuples);
	free(compiled->slots);
	*compiled = (struct compiled){ 0 };
}
