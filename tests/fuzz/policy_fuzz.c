/* SPDX-License-Identifier: BSD-2-Clause */
/* Policy text from anyone. What must hold: no crash; a text with an error says
 * where; one without compiles, lints, and both classifiers agree on packets drawn
 * from its own rules. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "firewall-ref/policy.h"
#include "firewall-ref/policy_compile.h"
#include "firewall-ref/user/layer_native.h"
/* After the layer whose words it uses. */
#include "firewall-ref/datapath/classify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(x) do { if (!(x)) abort(); } while (0)

static void open_tables(struct tables *tables, struct policy *policy, enum policy_classifier how)
{
	struct compiled rules = { 0 };
	struct setting setting = { 0 };

	policy->classifier = how;
	MUST(!policy_compile(policy, &rules));
	MUST(!tables_open(tables, 16, policy->rule_count + 1));
	MUST(!tables_publish(tables, &setting, &rules));
	compiled_free(&rules);
}

static uint32_t ask(struct tables *tables, const struct flow_key *key)
{
	struct layer layer = { .tables = tables };
	uint32_t slot;
	const struct setting *setting = setting_active(&layer, &slot);

	return classify(&layer, slot, setting, key);
}

/* A packet with the addresses of one rule and the ports of another. */
static struct flow_key key_of(const struct policy *policy, uint32_t i)
{
	const struct policy_rule *r = &policy->rules[i];
	const struct policy_rule *other = &policy->rules[(i * 7 + 3) % policy->rule_count];
	struct flow_key key = { .family = r->family ? r->family : i % 2 ? 4 : 6,
				.protocol = r->protocol < 0 ? 17 : (uint8_t)r->protocol };

	memcpy(key.source, r->side[i % 3 == 0].prefix.address.bytes, key.family == 4 ? 4 : 16);
	memcpy(key.destination, r->side[i % 3 != 0].prefix.address.bytes, key.family == 4 ? 4 : 16);
	if (other->side[0].ranges)
		key.source_port = htobe16(policy->ranges[other->side[0].range].last);
	if (other->side[1].ranges)
		key.destination_port = htobe16(policy->ranges[other->side[1].range].first);
	return key;
}

static void agree(struct policy *policy)
{
	struct tables linear, tuple;

	open_tables(&linear, policy, POLICY_LINEAR);
	open_tables(&tuple, policy, POLICY_TUPLE);
	for (uint32_t i = 0; i < policy->rule_count; i++) {
		struct flow_key key = key_of(policy, i);

		MUST(ask(&linear, &key) == ask(&tuple, &key));
	}
	tables_close(&linear);
	tables_close(&tuple);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct policy policy;
	char line[512];
	int error = policy_read_text(&policy, "fuzz", (const char *)data, size);

	if (error) {
		MUST(*policy_first_error(line, sizeof(line), &policy));
	} else {
		policy_lint(&policy);
		MUST(!policy.errors);
		agree(&policy);
	}
	policy_free(&policy);
	return 0;
}
