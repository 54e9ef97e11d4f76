/* SPDX-License-Identifier: BSD-2-Clause */
/* The policy in the words of each device. */
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "harness/device/fwref_text.h"
#include "harness/device/nftables_text.h"
#include "harness/lab/addresses.h"
#include "tests/unit/skip.h"

static struct filter filters[3];

static struct policy policy_of(int ip, uint32_t count)
{
	for (uint32_t i = 0; i < 3; i++)
		filters[i].client = lab_client(ip, i);
	return (struct policy){
		.ip = ip, .filter_count = count, .filters = filters,
		.inside = lab_client_prefix(ip), .flow_table_size = 1000, .established_timeout_s = 3600,
	};
}

#define HAS(text, words)                                              \
	do {                                                          \
		if (!strstr(text, words))                             \
			fail_msg("no \"%s\" in:\n%s", words, text);   \
	} while (0)
#define HAS_NOT(text, words)                                          \
	do {                                                          \
		if (strstr(text, words))                              \
			fail_msg("\"%s\" in:\n%s", words, text);      \
	} while (0)

static size_t place(const char *text, const char *words)
{
	const char *at = strstr(text, words);

	if (!at)
		fail_msg("no \"%s\" in:\n%s", words, text);
	return (size_t)(at - text);
}

static void stateless_names_no_ct(void **state)
{
	struct policy p = policy_of(4, 2);
	OWN_MEM char *text = nftables_text(&p, STYLE_BEST);

	(void)state;
	assert_false(nftables_tracks(&p));
	HAS_NOT(text, "ct ");
	HAS_NOT(text, "nat");
	HAS(text, "policy drop");
	HAS(text, "198.18.64.1,");
	HAS(text, "198.18.64.2,");
	HAS_NOT(text, "198.18.64.3");
	HAS(text, "ip saddr @clients accept");
	HAS(text, "ip daddr @clients accept");
}

static void established_comes_first_with_inspection(void **state)
{
	struct policy p = policy_of(6, 3);
	OWN_MEM char *text = NULL;

	(void)state;
	p.inspect = INSPECT_TCP;
	text = nftables_text(&p, STYLE_BEST);
	assert_true(place(text, "ct state established,related accept") < place(text, "ct state invalid"));
	assert_true(place(text, "ct state invalid") < place(text, "ip6 saddr @clients accept"));
	HAS(text, "type ipv6_addr");
	HAS_NOT(text, "ip saddr");
}

static void without_inspection_nat_searches_every_packet(void **state)
{
	struct policy p = policy_of(4, 3);
	OWN_MEM char *text = NULL;

	(void)state;
	p.nat = true;
	text = nftables_text(&p, STYLE_BEST);
	assert_true(nftables_tracks(&p));
	HAS_NOT(text, "established");
	HAS(text, "oifname \"out\" ip saddr 198.18.64.0/18 masquerade");
}

static void limits_count_before_the_accept(void **state)
{
	struct policy p = policy_of(4, 2);
	OWN_MEM char *text = NULL;

	(void)state;
	p.inspect = INSPECT_TCP;
	p.limit_bps = 4000000;
	p.burst_bytes = 500000;
	text = nftables_text(&p, STYLE_BEST);
	HAS(text, "limit limit0 { rate over 500000 bytes/second; }");
	HAS(text, "# a bucket holds 500000 bytes: one second of its rate\n");
	HAS(text, "198.18.64.2 : \"limit1\",");
	assert_true(place(text, "ip daddr map @limits") < place(text, "ct state established"));
	free(TAKE_PTR(text));
	p.burst_bytes = 600000;
	text = nftables_text(&p, STYLE_BEST);
	HAS(text, "rate over 500000 bytes/second burst 100000 bytes");
	HAS(text, "# a bucket holds 600000 bytes: one second of its rate plus the burst\n");
}

static void linear_has_a_pair_of_rules_a_filter(void **state)
{
	struct policy p = policy_of(4, 3);
	OWN_MEM char *text = NULL;

	(void)state;
	p.limit_bps = 1000000;
	text = nftables_text(&p, STYLE_LINEAR);
	HAS_NOT(text, "@");
	HAS(text, "ip daddr 198.18.64.3 accept");
	HAS(text, "ip saddr 198.18.64.1 limit name \"limit0\"");
	assert_true(place(text, "ip saddr 198.18.64.1 accept") < place(text, "ip saddr 198.18.64.2 accept"));
}

static void no_filters_permit_everything(void **state)
{
	struct policy p = policy_of(4, 0);
	OWN_MEM char *text = NULL, *fwref = NULL;

	(void)state;
	p.nat = true;
	text = nftables_text(&p, STYLE_BEST);
	HAS(text, "policy accept");
	HAS_NOT(text, "policy drop");
	HAS_NOT(text, "set clients");
	fwref = fwref_text(&p, CLASSIFIER_TUPLE);
	HAS(fwref, "permit ip from any to any\n");
}

static void fwref_words(void **state)
{
	struct policy p = policy_of(4, 2);
	OWN_MEM char *text = NULL;

	(void)state;
	p.nat = true;
	p.inspect = INSPECT_TCP;
	p.limit_bps = 1500000;
	p.burst_bytes = 65536;
	text = fwref_text(&p, CLASSIFIER_LINEAR);
	assert_string_equal(text, "classifier linear\n"
				  "inspect tcp on\n"
				  "nat 198.18.64.0/18 to interface\n"
				  "flow-table 1000\n"
				  "permit ip between 198.18.64.1 and any limit 1500kbit burst 65536B\n"
				  "permit ip between 198.18.64.2 and any limit 1500kbit burst 65536B\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stateless_names_no_ct),
		cmocka_unit_test(established_comes_first_with_inspection),
		cmocka_unit_test(without_inspection_nat_searches_every_packet),
		cmocka_unit_test(limits_count_before_the_accept),
		cmocka_unit_test(linear_has_a_pair_of_rules_a_filter),
		cmocka_unit_test(no_filters_permit_everything),
		cmocka_unit_test(fwref_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
