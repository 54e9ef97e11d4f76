/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/harness/scenario/files.h"

#include "common/own.h"

static struct plan plan_of(const char *text)
{
	struct plan plan;

	assert_int_equal(plan_make(load_text(text, NULL), &plan), 0);
	return plan;
}

static void plan_drop(struct plan *plan)
{
	struct scenario *scenario = plan->scenario;

	plan_free(plan);
	scenario_free(scenario);
}

/* "key baseline empty hidden" of every row, one a line. */
static void assert_plan(const struct plan *plan, const char *expected)
{
	char text[8192] = "";

	for (unsigned i = 0; i < plan->row_count; i++) {
		const struct row *row = &plan->rows[i];
		OWN_MEM char *key = json_dumps(row->key, JSON_COMPACT);

		assert_int_equal(row->index, i);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s %d %d%s\n", key, row->baseline,
			 row->empty, row->hidden ? " hidden" : "");
	}
	assert_string_equal(text, expected);
}

static void test_partners(void **state)
{
	struct plan plan = plan_of("matrix: {ip: [4, 6], device: [none, nftables, fwref],\n"
				   "  policy: [{name: a}, {name: b, filters: 9}]}\n");

	(void)state;
	assert_plan(&plan,
		"{\"ip\":4,\"device\":\"none\",\"policy\":null} -1 -1\n"
		"{\"ip\":4,\"device\":\"nftables\",\"policy\":\"a\"} 0 0\n"
		"{\"ip\":4,\"device\":\"nftables\",\"policy\":\"b\"} 0 0\n"
		"{\"ip\":4,\"device\":\"fwref\",\"policy\":\"a\"} 0 10\n"
		"{\"ip\":4,\"device\":\"fwref\",\"policy\":\"b\"} 0 10\n"
		"{\"ip\":6,\"device\":\"none\",\"policy\":null} -1 -1\n"
		"{\"ip\":6,\"device\":\"nftables\",\"policy\":\"a\"} 5 5\n"
		"{\"ip\":6,\"device\":\"nftables\",\"policy\":\"b\"} 5 5\n"
		"{\"ip\":6,\"device\":\"fwref\",\"policy\":\"a\"} 5 11\n"
		"{\"ip\":6,\"device\":\"fwref\",\"policy\":\"b\"} 5 11\n"
		"{\"ip\":4,\"device\":\"fwref (empty)\",\"policy\":null} -1 -1 hidden\n"
		"{\"ip\":6,\"device\":\"fwref (empty)\",\"policy\":null} -1 -1 hidden\n");
	assert_true(plan.rows[10].settings.device.empty);
	assert_false(plan.rows[10].settings.policy.present);
	assert_string_equal(plan.rows[10].settings.device.kind, "fwref");
	assert_int_equal(plan.rows[11].settings.ip, 6);
	plan_drop(&plan);
}

/* Two paths of one device have an empty form each; two policies share one. */
static void test_empty_forms(void **state)
{
	struct plan plan = plan_of("policy: {filters: 5}\nmatrix: {device: [nftables, {kind: fwref, path: user}, {name: k, path: kernel}]}\n");

	(void)state;
	assert_plan(&plan,
		"{\"device\":\"nftables\",\"policy\":\"5 filters\"} -1 3\n"
		"{\"device\":\"fwref user\",\"policy\":\"5 filters\"} -1 4\n"
		"{\"device\":\"k\",\"policy\":\"5 filters\"} -1 5\n"
		"{\"device\":\"nftables (empty)\",\"policy\":null} -1 -1 hidden\n"
		"{\"device\":\"fwref user (empty)\",\"policy\":null} -1 -1 hidden\n"
		"{\"device\":\"k (empty)\",\"policy\":null} -1 -1 hidden\n");
	/* nftables without a policy is plain routing */
	assert_string_equal(plan.rows[3].settings.device.kind, "none");
	assert_int_equal(plan.rows[4].settings.device.path, PATH_USER);
	assert_int_equal(plan.rows[5].settings.device.path, PATH_KERNEL);
	plan_drop(&plan);
}

static void test_other_baseline(void **state)
{
	struct plan plan = plan_of("baseline: nftables\n"
				   "matrix: {device: [nftables, fwref], policy: [{name: a}, {name: b}]}\n");

	(void)state;
	/* compared under the same policy */
	assert_int_equal(plan.rows[0].baseline, -1);
	assert_int_equal(plan.rows[2].baseline, 0);
	assert_int_equal(plan.rows[3].baseline, 1);
	plan_drop(&plan);
}

static void test_explicit_rows(void **state)
{
	struct plan plan = plan_of("rows:\n"
		"  - {connections: 200, device: none, published: 1400Mbit}\n"
		"  - {connections: 500, device: none, published: 1360Mbit}\n"
		"  - {connections: 500, device: fwref, policy: {name: p, filters: 500}, published: 632Mbit}\n");

	(void)state;
	assert_plan(&plan,
		"{\"connections\":200,\"device\":\"none\",\"policy\":null} -1 -1\n"
		"{\"connections\":500,\"device\":\"none\",\"policy\":null} -1 -1\n"
		"{\"connections\":500,\"device\":\"fwref\",\"policy\":\"p\"} 1 3\n"
		"{\"connections\":500,\"device\":\"fwref (empty)\",\"policy\":null} -1 -1 hidden\n");
	assert_int_equal(plan.rows[3].settings.published_bps, 0);
	assert_int_equal(plan.rows[2].settings.published_bps, 632000000);
	plan_drop(&plan);
}

static const char eight[] = "repeat: 4\nseed: %s\nmatrix: {connections: [1, 2, 3, 4, 5, 6, 7, 8], device: none}\n";

static struct plan plan_seeded(const char *seed)
{
	char text[256];

	snprintf(text, sizeof(text), eight, seed);
	return plan_of(text);
}

static bool same_order(const struct plan *a, const struct plan *b)
{
	for (unsigned i = 0; i < a->trial_count; i++)
		if (a->trials[i].row != b->trials[i].row)
			return false;
	return true;
}

static void test_seed(void **state)
{
	struct plan a = plan_seeded("7"), b = plan_seeded("7"), c = plan_seeded("8");
	/* The order of seed 7 is part of what a recorded scenario promises. */
	static const unsigned first_round[] = { 1, 4, 5, 2, 6, 0, 3, 7 };
	bool rounds_differ = false;

	(void)state;
	assert_int_equal(a.trial_count, 32);
	assert_true(same_order(&a, &b));
	assert_false(same_order(&a, &c));
	for (unsigned i = 0; i < 8; i++) {
		assert_int_equal(a.trials[i].row, first_round[i]);
		rounds_differ |= a.trials[i].row != a.trials[8 + i].row;
	}
	assert_true(rounds_differ);
	plan_drop(&a);
	plan_drop(&b);
	plan_drop(&c);
}

/* Every row once in every round, numbered in the order they run. */
static void test_rounds(void **state)
{
	struct plan plan = plan_seeded("3");

	(void)state;
	for (unsigned r = 0; r < 4; r++) {
		unsigned seen = 0;

		for (unsigned i = 0; i < 8; i++) {
			const struct trial_plan *trial = &plan.trials[r * 8 + i];

			assert_int_equal(trial->repetition, r + 1);
			assert_int_equal(trial->trial, r * 8 + i + 1);
			seen |= 1u << trial->row;
		}
		assert_int_equal(seen, 0xff);
	}
	plan_drop(&plan);
}

static void test_time(void **state)
{
	struct plan one = plan_of("load: {warm-up: 1s, duration: 10s}\ndevice: none\nrepeat: 1\n");
	struct plan six = plan_of("load: {warm-up: 1s, duration: 10s}\nmatrix: {device: [none, fwref]}\nrepeat: 2\n");

	(void)state;
	assert_int_equal(one.expected_ns, plan_trial_ns(&one.rows[0]));
	assert_true(one.expected_ns > 11000000000ull && one.expected_ns < 15000000000ull);
	/* none, fwref and fwref's empty form, twice */
	assert_int_equal(six.expected_ns, 6 * one.expected_ns);
	plan_drop(&one);
	plan_drop(&six);
}

/* What is under way at the end arrives no faster than a limit lets it. */
static void test_time_of_limits(void **state)
{
	struct plan plan = plan_of("policy: {filters: 200, limit: 4Mbit}\nload: {window: 128KiB}\n"
				   "matrix: {limit: [off, 4Mbit, 8Mbit, 10kbit], connections: [200, 400]}\n");
	uint64_t time[8];

	(void)state;
	for (unsigned i = 0; i < 8; i++)
		time[i] = plan_trial_ns(&plan.rows[i]);
	assert_int_equal(time[0], time[1]);
	assert_true(time[2] > time[4] && time[4] > time[0]);
	assert_true(time[3] > time[2]);
	/* the generator's patience ends it */
	assert_int_equal(time[6], time[0] + 10000000000ull);
	plan_drop(&plan);
}

/* A row that cannot run here stays, says why and takes no time. */
static void test_ask(void **state)
{
	struct plan plan = plan_of("ip: 6\nmatrix: {device: [none, nftables, fwref], policy: [{nat: on}, {nat: off}]}\n");
	const struct lab_host host = { .root = true, .namespaces = true };
	uint64_t before = plan.expected_ns;

	(void)state;
	plan_ask(&plan, &host);
	assert_string_equal(plan.rows[0].unsupported, "");
	assert_string_equal(plan.rows[1].unsupported, "nftables: NAT is IPv4 only; leave policy.nat off for ip 6");
	assert_string_equal(plan.rows[3].unsupported, "fwref: NAT is IPv4 only; leave policy.nat off for ip 6");
	assert_null(strstr(plan.rows[2].unsupported, "NAT"));
	assert_string_equal(plan.rows[4].unsupported, "");
	assert_int_equal(plan.row_count, 6);
	assert_int_equal(plan.trial_count, 30);
	assert_true(plan.expected_ns < before);
	plan_drop(&plan);
}

int main(void)
{
#define FILES_TEST(test) cmocka_unit_test_setup_teardown(test, files_setup, files_teardown)
	const struct CMUnitTest tests[] = {
		FILES_TEST(test_partners), FILES_TEST(test_empty_forms), FILES_TEST(test_other_baseline),
		FILES_TEST(test_explicit_rows), FILES_TEST(test_seed), FILES_TEST(test_rounds),
		FILES_TEST(test_time), FILES_TEST(test_time_of_limits),
		FILES_TEST(test_ask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
