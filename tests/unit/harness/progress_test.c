/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/progress.h"

#include "common/clock.h"
#include "tests/unit/skip.h"

static void names_a_row(void **state)
{
	json_t *key = json_pack("{s:i, s:s, s:n, s:b}", "connections", 200, "device", "none", "policy", "nat", 1);
	char out[80], cut[12];

	(void)state;
	assert_string_equal(progress_name(out, sizeof(out), key), "connections=200 device=none nat=true");
	assert_string_equal(progress_name(cut, sizeof(cut), key), "connections");
	json_decref(key);
}

static void tells_what_is_left(void **state)
{
	struct progress p = { .trials = 4, .begun_ns = 100 * NS_PER_S, .expected_ns = 40 * NS_PER_S };

	(void)state;
	p.trial_begun_ns = p.begun_ns;
	assert_int_equal(progress_left_ns(&p, 103 * NS_PER_S), 37 * NS_PER_S);
	p.done = 1; /* the first one took 20 s */
	p.trial_begun_ns = 120 * NS_PER_S;
	assert_int_equal(progress_left_ns(&p, 125 * NS_PER_S), 55 * NS_PER_S);
	assert_int_equal(progress_left_ns(&p, 190 * NS_PER_S), 40 * NS_PER_S);
	p.done = 4;
	assert_int_equal(progress_left_ns(&p, 200 * NS_PER_S), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_a_row),
		cmocka_unit_test(tells_what_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
