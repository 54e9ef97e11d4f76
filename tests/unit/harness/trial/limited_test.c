/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/trial/limited.h"

#include <math.h>

#include "common/own.h"
#include "tests/unit/skip.h"

static const struct {
	const char *story;
	struct limited_input in;
	enum limited is;
} rows[] = {
	{ "nothing measured", { NAN, NAN, NAN, NAN, 0, 0 }, LIMITED_UNDETERMINED },
	{ "all at ease", { 0.4, 0, 0.6, 1e9, 0, 0 }, LIMITED_UNDETERMINED },
	{ "device core full of device work", { 0.96, 0, 0.99, 1e9, 0, 0 }, LIMITED_DEVICE },
	{ "its core full, but not of its work", { 0.70, 0, 0.99, 1e9, 0, 0 }, LIMITED_GENERATOR },
	{ "receive queue overflowed", { 0.4, 3, 0.5, 1e9, 0, 0 }, LIMITED_DEVICE },
	{ "generator core full", { 0.4, 0, 0.96, 1e9, 0, 0 }, LIMITED_GENERATOR },
	{ "at the limit, whoever is busy", { 0.99, 9, 0.99, 0.79e9, 0.8e9, 0 }, LIMITED_LIMIT },
	{ "far below the limit", { 0.4, 0, 0.99, 0.5e9, 0.8e9, 0 }, LIMITED_GENERATOR },
	{ "frames lost on the way", { 0.4, 0, 0.5, 1e9, 0, 12 }, LIMITED_LINK },
};

static void names_what_limited(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (limited_by(&rows[i].in) != rows[i].is)
			fail_msg("%s: %s", rows[i].story, limited_names[limited_by(&rows[i].in)]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(names_what_limited) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
