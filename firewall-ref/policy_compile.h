/* SPDX-License-Identifier: BSD-2-Clause */
/* Policy -> the flat arrays of datapath/rules.h. */
#ifndef FIREWALL_REF_POLICY_COMPILE_H
#define FIREWALL_REF_POLICY_COMPILE_H

#include <stdint.h>

#include "firewall-ref/datapath/rules.h"
#include "firewall-ref/policy.h"

enum {
	COMPILED_ENTRIES_MAX = 1u << 20, /* port lists on both sides multiply */
	COMPILED_TUPLES_MAX = 512,       /* of one family */
	COMPILED_CHAIN = 8,              /* entries on one key before a finer tuple is tried */
};

struct compiled {
	struct rules_head head;
	struct rules_filter *filters; /* one a rule of the policy, in its order */
	struct rules_block *blocks;
	struct rules_rest *rest;
	struct rules_tuple *tuples;
	uint32_t *slots;
	uint32_t block_count, rest_count, tuple_count; /* elements, at least one each */
};

/* Compiles a policy without errors, with the classifier it names. *out is
 * untouched on failure. Returns 0, -E2BIG (noted in the policy) or -ENOMEM. */
int policy_compile(struct policy *policy, struct compiled *out);
void compiled_free(struct compiled *compiled);

#define OWN_COMPILED __attribute__((cleanup(compiled_free)))

/* For policy_tuple.c: one entry and the prefix lengths it was made of. */
struct draft {
	struct rules_entry entry;
	struct rules_rest rest;
	uint8_t source_length, destination_length;
};

/* The mask of a prefix length as four words in network byte order. */
void policy_mask(uint8_t length, uint32_t mask[4]);
/* Reorders one family's drafts (by ascending filter on entry) into tuples and
 * chains, and appends the tuples and slots to out. base: index of the first
 * entry. Returns 0 or -ENOMEM. */
int policy_tuples(struct compiled *out, int family, struct draft *drafts, uint32_t count,
		  uint32_t base);

#endif
