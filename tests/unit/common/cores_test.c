/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/cores.h"

#include <errno.h>

#include "common/own.h"
#include "tests/unit/skip.h"

static void reads_prints_and_masks(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *printed, *mask;
	} cases[] = {
		{ "0", 0, "0", "1" },
		{ "0-3", 0, "0-3", "f" },
		{ "5,1,2", 0, "1-2,5", "26" },
		{ "1,1", 0, "1", "2" },
		{ "32", 0, "32", "1,00000000" },
		{ "0,63", 0, "0,63", "80000000,00000001" },
		{ "3-1", -EINVAL, NULL, NULL },
		{ "256", -EINVAL, NULL, NULL },
		{ "1,", -EINVAL, NULL, NULL },
		{ "-1", -EINVAL, NULL, NULL },
		{ "1-", -EINVAL, NULL, NULL },
		{ "", -EINVAL, NULL, NULL },
	};
	char out[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct cores cores = { 0 };

		if (cores_read(cases[i].text, &cores) != cases[i].code)
			fail_msg("%s", cases[i].text);
		if (cases[i].code)
			continue;
		assert_string_equal(cores_print(out, sizeof(out), &cores), cases[i].printed);
		assert_string_equal(cores_mask(out, sizeof(out), &cores), cases[i].mask);
	}
}

static void binds_to_what_is_allowed(void **state)
{
	struct cores allowed, one = { .count = 1 }, now;

	(void)state;
	assert_int_equal(cores_allowed(&allowed), 0);
	assert_true(allowed.count > 0);
	one.core[0] = allowed.core[allowed.count - 1];
	assert_int_equal(cores_bind(&one), 0);
	assert_int_equal(cores_allowed(&now), 0);
	assert_int_equal(now.count, 1);
	assert_int_equal(now.core[0], one.core[0]);
	assert_int_equal(cores_bind(&allowed), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_prints_and_masks),
		cmocka_unit_test(binds_to_what_is_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
