/* SPDX-License-Identifier: BSD-2-Clause */
/* linear and tuple give the filter that an obvious reading of the rules gives:
 * random policies and packets, and the ClassBench sets. The same seed gives the
 * same packets. */
#include "tests/unit/skip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "firewall-ref/datapath/classify.h"
#include "firewall-ref/policy.h"
#include "firewall-ref/policy_compile.h"
#include "firewall-ref/user/layer_native.h"

static uint64_t seed;

static uint32_t chance(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % n;
}

/* ---- the reference: the policy as it was read, bit by bit ---------------- */

static bool in_prefix(const struct prefix *p, const uint32_t *words)
{
	const uint8_t *bytes = (const uint8_t *)words;

	for (unsigned bit = 0; bit < p->length; bit++)
		if ((bytes[bit / 8] ^ p->address.bytes[bit / 8]) & (0x80u >> bit % 8))
			return false;
	return true;
}

static bool in_ports(const struct policy *policy, const struct policy_side *side, uint16_t port)
{
	if (!side->ranges)
		return true;
	for (uint32_t i = 0; i < side->ranges; i++) {
		const struct policy_range *r = &policy->ranges[side->range + i];

		if (port >= r->first && port <= r->last)
			return true;
	}
	return false;
}

static bool one_way(const struct policy *policy, const struct policy_side *from,
		    const struct policy_side *to, const struct flow_key *key)
{
	return in_prefix(&from->prefix, key->source) && in_prefix(&to->prefix, key->destination) &&
	       in_ports(policy, from, be16toh(key->source_port)) &&
	       in_ports(policy, to, be16toh(key->destination_port));
}

static uint32_t reference(const struct policy *policy, const struct flow_key *key)
{
	for (uint32_t i = 0; i < policy->rule_count; i++) {
		const struct policy_rule *r = &policy->rules[i];

		if (r->family && r->family != key->family)
			continue;
		if (r->protocol != POLICY_PROTOCOL_ANY && r->protocol != key->protocol)
			continue;
		if (one_way(policy, &r->side[0], &r->side[1], key) ||
		    (r->between && one_way(policy, &r->side[1], &r->side[0], key)))
			return i;
	}
	return RULES_NONE;
}

/* ---- both classifiers over one policy ------------------------------------ */

struct pair {
	struct policy policy;
	struct tables tables[2];
	struct layer layer[2];
};

static void pair_open(struct pair *pair)
{
	for (int i = 0; i < 2; i++) {
		OWN_COMPILED struct compiled rules = { 0 };
		struct setting setting = { 0 };

		pair->policy.classifier = i ? POLICY_TUPLE : POLICY_LINEAR;
		assert_int_equal(policy_compile(&pair->policy, &rules), 0);
		assert_int_equal(tables_open(&pair->tables[i], 16, POLICY_RULES_MAX), 0);
		assert_int_equal(tables_publish(&pair->tables[i], &setting, &rules), 0);
		pair->layer[i] = (struct layer){ .tables = &pair->tables[i] };
	}
}

static void pair_close(struct pair *pair)
{
	policy_free(&pair->policy);
	tables_close(&pair->tables[0]);
	tables_close(&pair->tables[1]);
}

static uint32_t pair_ask(struct pair *pair, int which, const struct flow_key *key)
{
	struct layer *layer = &pair->layer[which];
	uint32_t slot;
	const struct setting *setting = setting_active(layer, &slot);

	assert_non_null(setting);
	return classify(layer, slot, setting, key);
}

/* Returns the filter, after all three agreed. */
static uint32_t pair_check(struct pair *pair, const struct flow_key *key)
{
	uint32_t right = reference(&pair->policy, key);

	assert_int_equal(pair_ask(pair, 0, key), right);
	assert_int_equal(pair_ask(pair, 1, key), right);
	return right;
}

/* ---- random policies ------------------------------------------------------ */

/* Few bits differ, so that prefixes nest and packets hit. */
static void some_address(char *out, size_t size, int family)
{
	static const uint8_t lengths4[] = { 0, 7, 8, 9, 15, 16, 17, 24, 28, 31, 32, 32 };
	static const uint8_t lengths6[] = { 0, 1, 16, 32, 33, 48, 63, 64, 65, 96, 127, 128 };
	struct prefix p = { .address.family = (uint8_t)family };
	unsigned bits = family == 4 ? 32 : 128;

	if (!chance(6)) {
		snprintf(out, size, "any");
		return;
	}
	p.length = family == 4 ? lengths4[chance(12)] : lengths6[chance(12)];
	for (unsigned i = 0; i < bits / 8; i++)
		p.address.bytes[i] = (uint8_t)(chance(3) ? 0 : 1u << chance(8));
	for (unsigned bit = p.length; bit < bits; bit++)
		p.address.bytes[bit / 8] &= (uint8_t)~(0x80u >> bit % 8);
	prefix_print(out, size, &p);
}

static void some_ports(char *out, size_t size)
{
	size_t at = 0;
	uint32_t first;

	*out = '\0';
	if (chance(2))
		return;
	at += (size_t)snprintf(out, size, " port ");
	for (uint32_t n = 1 + chance(3); n--;) {
		first = chance(20);
		if (chance(2))
			at += (size_t)snprintf(out + at, size - at, "%u", first);
		else
			at += (size_t)snprintf(out + at, size - at, "%u-%u", first,
					       first + chance(chance(8) ? 10 : 65516));
		if (n)
			at += (size_t)snprintf(out + at, size - at, ",");
	}
}

static void some_rule(char *out, size_t size)
{
	static const char *const protocols[] = { "ip", "tcp", "udp", "icmp", "icmp6", "47" };
	const char *protocol = protocols[chance(6)];
	bool ports = *protocol == 't' || *protocol == 'u', between = chance(2);
	int family = !strcmp(protocol, "icmp") ? 4 : !strcmp(protocol, "icmp6") ? 6 :
		     chance(2) ? 4 : 6;
	char a[ADDRESS_TEXT_BYTES], b[ADDRESS_TEXT_BYTES], pa[64] = "", pb[64] = "";

	some_address(a, sizeof(a), family);
	some_address(b, sizeof(b), family);
	if (ports) {
		some_ports(pa, sizeof(pa));
		some_ports(pb, sizeof(pb));
	}
	snprintf(out, size, "%s %s %s %s%s %s %s%s\n", chance(2) ? "permit" : "deny", protocol,
		 between ? "between" : "from", a, pa, between ? "and" : "to", b, pb);
}

static void some_key(struct flow_key *key)
{
	static const uint8_t protocols[] = { 6, 17, 6, 17, 1, 58, 47 };
	int family = chance(2) ? 4 : 6;
	uint8_t *bytes[2] = { (uint8_t *)key->source, (uint8_t *)key->destination };

	memset(key, 0, sizeof(*key));
	key->family = (uint8_t)family;
	key->protocol = protocols[chance(7)];
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < (family == 4 ? 4 : 16); i++)
			bytes[side][i] = (uint8_t)(chance(3) ? 0 : 1u << chance(8));
	if (key->protocol == 6 || key->protocol == 17) {
		key->source_port = htobe16((uint16_t)chance(32));
		key->destination_port = htobe16((uint16_t)chance(32));
	}
}

/* Half of the packets start from the addresses of a rule. */
static void near_key(const struct policy *policy, struct flow_key *key)
{
	const struct policy_rule *r;
	bool mirror = chance(2);

	some_key(key);
	if (!policy->rule_count || chance(2))
		return;
	r = &policy->rules[chance(policy->rule_count)];
	if (r->family && r->family != key->family)
		return;
	memcpy(key->source, r->side[mirror].prefix.address.bytes, sizeof(key->source));
	memcpy(key->destination, r->side[!mirror].prefix.address.bytes, sizeof(key->destination));
	if (r->protocol != POLICY_PROTOCOL_ANY)
		key->protocol = (uint8_t)r->protocol;
}

static void random_policies(void **state)
{
	uint32_t hits = 0, packets = 0;

	(void)state;
	seed = 20260131;
	for (int round = 0; round < 60; round++) {
		struct pair pair;
		uint32_t rules = chance(4) ? chance(40) : chance(400);
		OWN_MEM char *text = malloc(rules * 300ul + 1);
		size_t at = 0;

		assert_non_null(text);
		*text = '\0';
		for (uint32_t i = 0; i < rules; i++) {
			some_rule(text + at, 300);
			at += strlen(text + at);
		}
		policy_read_text(&pair.policy, "p", text, at);
		assert_int_equal(pair.policy.errors, 0);
		pair_open(&pair);
		for (int i = 0; i < 1500; i++, packets++) {
			struct flow_key key;

			near_key(&pair.policy, &key);
			hits += pair_check(&pair, &key) != RULES_NONE;
		}
		pair_close(&pair);
	}
	assert_in_range(hits, packets / 10, packets - packets / 20);
}

/* More rules on one key than a chain should have, and then more tuples than there
 * may be: slower, never wrong. */
static void crowded_keys(void **state)
{
	struct pair pair;
	OWN_MEM char *text = malloc(1 << 20);
	size_t at = 0;

	(void)state;
	assert_non_null(text);
	seed = 7;
	for (uint32_t i = 0; i < 3000; i++)
		at += (size_t)snprintf(text + at, 200, "permit tcp from any port %u to 10.0.0.0/8 port %u-%u\n",
				       i % 50, i, i + chance(3));
	for (uint32_t length = 1; length <= 32; length++)
		for (uint32_t other = 1; other <= 32; other++)
			for (int i = 0; i < 10; i++)
				at += (size_t)snprintf(text + at, 100,
						       "permit udp from 128.0.0.0/%u to 128.0.0.0/%u port %d\n",
						       length, other, i);
	policy_read_text(&pair.policy, "p", text, at);
	assert_int_equal(pair.policy.errors, 0);
	pair_open(&pair);
	for (int i = 0; i < 20000; i++) {
		struct flow_key key = { .family = 4, .protocol = chance(2) ? 6 : 17 };

		key.source[0] = htobe32(key.protocol == 6 ? chance(100) : 0x80000000u | 1u << chance(31));
		key.destination[0] = htobe32(key.protocol == 6 ? 0x0a000000u + chance(100) :
					     0x80000000u | 1u << chance(31));
		key.source_port = htobe16((uint16_t)chance(51));
		key.destination_port = htobe16((uint16_t)chance(key.protocol == 6 ? 3003 : 12));
		pair_check(&pair, &key);
	}
	pair_close(&pair);
}

static void no_rules_deny(void **state)
{
	struct pair pair;
	struct flow_key key;

	(void)state;
	seed = 1;
	policy_read_text(&pair.policy, "p", "", 0);
	pair_open(&pair);
	for (int i = 0; i < 100; i++) {
		some_key(&key);
		assert_int_equal(pair_check(&pair, &key), RULES_NONE);
	}
	pair_close(&pair);
}

/* ---- ClassBench ----------------------------------------------------------- */

#define CLASSBENCH "../shared/classbench/rules/"

/* One line as a rule of ours; false if it asks for what we do not have. */
static bool classbench_rule(const char *line, char *out, size_t size)
{
	unsigned source[5], destination[5], ports[4], protocol, mask;
	char a[40], b[40], pa[40] = "", pb[40] = "";

	if (sscanf(line, "@%u.%u.%u.%u/%u %u.%u.%u.%u/%u %u : %u %u : %u %x/%x", &source[0],
		   &source[1], &source[2], &source[3], &source[4], &destination[0],
		   &destination[1], &destination[2], &destination[3], &destination[4], &ports[0],
		   &ports[1], &ports[2], &ports[3], &protocol, &mask) != 16)
		return false;
	uint32_t s = source[0] << 24 | source[1] << 16 | source[2] << 8 | source[3];
	uint32_t d = destination[0] << 24 | destination[1] << 16 | destination[2] << 8 | destination[3];

	s &= source[4] ? ~0u << (32 - source[4]) : 0;
	d &= destination[4] ? ~0u << (32 - destination[4]) : 0;
	snprintf(a, sizeof(a), "%u.%u.%u.%u/%u", s >> 24, s >> 16 & 255, s >> 8 & 255, s & 255, source[4]);
	snprintf(b, sizeof(b), "%u.%u.%u.%u/%u", d >> 24, d >> 16 & 255, d >> 8 & 255, d & 255,
		 destination[4]);
	if (mask && (protocol == 6 || protocol == 17)) {
		snprintf(pa, sizeof(pa), " port %u-%u", ports[0], ports[1]);
		snprintf(pb, sizeof(pb), " port %u-%u", ports[2], ports[3]);
	}
	if (mask)
		snprintf(out, size, "permit %u from %s%s to %s%s", protocol, a, pa, b, pb);
	else
		snprintf(out, size, "permit ip from %s to %s", a, b);
	return true;
}

/* A packet inside a rule: at the ends of its ranges or anywhere. */
static void classbench_key(const struct policy *policy, struct flow_key *key)
{
	const struct policy_rule *r = &policy->rules[chance(policy->rule_count)];
	uint32_t words[2];
	uint16_t ports[2];

	for (int i = 0; i < 2; i++) {
		const struct policy_side *side = &r->side[i];
		struct policy_range range = { 0, 65535 };

		memcpy(&words[i], side->prefix.address.bytes, 4);
		if (side->prefix.length < 32 && chance(3))
			words[i] |= htobe32((chance(65536) << 16 | chance(65536)) >>
					    side->prefix.length);
		else if (side->prefix.length < 32 && chance(2))
			words[i] |= htobe32(~0u >> side->prefix.length);
		if (side->ranges)
			range = policy->ranges[side->range];
		ports[i] = chance(3) == 0 ? range.first : chance(2) ? range.last :
			   (uint16_t)(range.first + chance(range.last - range.first + 1u));
	}
	*key = (struct flow_key){ .source = { words[0] }, .destination = { words[1] },
				  .source_port = htobe16(ports[0]),
				  .destination_port = htobe16(ports[1]), .family = 4,
				  .protocol = (uint8_t)(r->protocol == POLICY_PROTOCOL_ANY
								? 6 : r->protocol) };
}

static void classbench_set(const char *name, int headers)
{
	struct pair pair;
	char path[100], line[300], rule[300];
	OWN_FILE FILE *f = NULL;

	snprintf(path, sizeof(path), CLASSBENCH "%s.rules", name);
	f = fopen(path, "r");
	assert_non_null(f);
	policy_init(&pair.policy, name);
	while (fgets(line, sizeof(line), f)) {
		assert_true(classbench_rule(line, rule, sizeof(rule)));
		policy_line(&pair.policy, rule, strlen(rule));
	}
	assert_int_equal(policy_finish(&pair.policy), 0);
	pair_open(&pair);
	for (int i = 0; i < headers; i++) {
		struct flow_key key;

		classbench_key(&pair.policy, &key);
		assert_int_not_equal(pair_check(&pair, &key), RULES_NONE);
	}
	pair_close(&pair);
}

static void classbench_1k(void **state)
{
	(void)state;
	SKIP_UNLESS_SHARED(CLASSBENCH);
	seed = 1000;
	classbench_set("acl1_1k", 3000);
	classbench_set("fw1_1k", 3000);
	classbench_set("fw4_1k", 3000);
	classbench_set("ipc2_1k", 3000);
}

static void classbench_8k(void **state)
{
	(void)state;
	SKIP_UNLESS_SHARED(CLASSBENCH);
	seed = 8000;
	classbench_set("acl1_8k", 500);
	classbench_set("fw1_8k", 500);
	classbench_set("fw4_8k", 500);
	classbench_set("ipc2_8k", 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_policies), cmocka_unit_test(crowded_keys),
		cmocka_unit_test(no_rules_deny),   cmocka_unit_test(classbench_1k),
		cmocka_unit_test(classbench_8k),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
