/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include "harness/lab/addresses.h"
#include "harness/policy.h"

static struct settings settings_of(int ip, uint32_t filters, uint32_t clients)
{
	return (struct settings){
		.ip = ip,
		.load.clients = clients,
		.policy = { .present = true, .filters = filters, .nat = true, .limit_bps = 4000000 },
	};
}

static bool is_client(const struct filter *filter, int ip, uint32_t i)
{
	struct address client = lab_client(ip, i);

	return client.family == filter->client.family && !address_compare(&client, &filter->client);
}

/* RFC 3511 4.7: the filters that match nothing come first, then the clients'. */
static void test_order(void **state)
{
	(void)state;
	for (int ip = 4; ip <= 6; ip += 2) {
		struct settings settings = settings_of(ip, 10, 3);
		struct policy policy;

		assert_int_equal(policy_make(&settings, &policy), 0);
		assert_int_equal(policy.filter_count, 10);
		for (uint32_t i = 0; i < 7; i++)
			assert_true(is_client(&policy.filters[i], ip, 3 + i));
		for (uint32_t i = 0; i < 3; i++)
			assert_true(is_client(&policy.filters[7 + i], ip, i));
		policy_free(&policy);
	}
}

static void test_as_many(void **state)
{
	struct settings settings = settings_of(4, 16000, 16000);
	struct address stranger = lab_stranger(4);
	struct policy policy;

	(void)state;
	assert_int_equal(policy_make(&settings, &policy), 0);
	for (uint32_t i = 0; i < 16000; i++) {
		assert_true(is_client(&policy.filters[i], 4, i));
		assert_true(prefix_contains(&policy.inside, &policy.filters[i].client));
		/* nobody's filter may let the stranger through */
		assert_int_not_equal(address_compare(&stranger, &policy.filters[i].client), 0);
	}
	assert_int_equal(policy.limit_bps, 4000000);
	assert_true(policy.nat);
	policy_free(&policy);
}

static void test_none(void **state)
{
	struct settings settings = settings_of(4, 0, 200), absent = settings_of(4, 10, 200);
	struct policy policy;

	(void)state;
	assert_int_equal(policy_make(&settings, &policy), 0);
	assert_int_equal(policy.filter_count, 0);
	assert_null(policy.filters);
	policy_free(&policy);
	absent.policy = (struct policy_settings){ 0 };
	assert_int_equal(policy_make(&absent, &policy), 0);
	assert_int_equal(policy.filter_count, 0);
	policy_free(&policy);
}

static void test_too_few(void **state)
{
	struct settings settings = settings_of(4, 2, 3);
	struct policy policy;

	(void)state;
	assert_int_not_equal(policy_make(&settings, &policy), 0);
}

/* One burst for every device, resolved here. */
static void test_burst(void **state)
{
	static const struct {
		uint64_t limit_bps, asked_bytes, bytes;
	} rows[] = {
		{ 0, 0, 0 },
		{ 4000000, 0, 500000 },
		{ 4000000, 1500, 1500 },
		{ 1000, 0, 65536 },
		{ 524288, 0, 65536 },
		{ 524296, 0, 65537 },
		{ 400000000000, 0, 1073741823 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct settings settings = settings_of(4, 1, 1);
		struct policy policy;

		settings.policy.limit_bps = rows[i].limit_bps;
		settings.policy.burst_bytes = rows[i].asked_bytes;
		assert_int_equal(policy_make(&settings, &policy), 0);
		assert_int_equal(policy.burst_bytes, rows[i].bytes);
		policy_free(&policy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order), cmocka_unit_test(test_as_many), cmocka_unit_test(test_none),
		cmocka_unit_test(test_too_few), cmocka_unit_test(test_burst),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
