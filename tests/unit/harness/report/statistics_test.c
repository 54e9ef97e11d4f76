/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <math.h>

#include "harness/report/statistics.h"

/* Field case 118; half-widths by Student's t. */
static const struct {
	double values[6];
	size_t count, n;
	double median, least, most, mean, deviation, half_width; /* NAN: absent */
	bool equal;
} rows[] = {
	{ { 0 }, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, false },
	{ { NAN, INFINITY }, 2, 0, NAN, NAN, NAN, NAN, NAN, NAN, false },
	{ { 5 }, 1, 1, 5, 5, 5, 5, NAN, NAN, false },
	{ { 5, NAN, -INFINITY }, 3, 1, 5, 5, 5, 5, NAN, NAN, false },
	{ { 2, 1 }, 2, 2, 1.5, 1, 2, 1.5, 0.7071, 6.353, false },
	{ { 3, 1, 2 }, 3, 3, 2, 1, 3, 2, 1, 2.484, false },
	{ { 7, 7, 7 }, 3, 3, 7, 7, 7, 7, 0, 0, true },
	{ { 0, 0 }, 2, 2, 0, 0, 0, 0, 0, 0, true },
	{ { 4, 1, 3, 2 }, 4, 4, 2.5, 1, 4, 2.5, 1.2910, 2.054, false },
	/* Two passes: the sum of squares would lose these digits. */
	{ { 1e9 + 1, 1e9 + 2, 1e9 + 3 }, 3, 3, 1e9 + 2, 1e9 + 1, 1e9 + 3, 1e9 + 2, 1, 2.484, false },
};

static void same(double is, double wanted, double tolerance)
{
	if (isnan(wanted))
		assert_true(isnan(is));
	else
		assert_true(fabs(is - wanted) <= tolerance);
}

static void statistics_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct statistics s = statistics_of(rows[i].values, rows[i].count);

		assert_int_equal(s.n, rows[i].n);
		assert_int_equal(s.equal, rows[i].equal);
		same(s.median, rows[i].median, 1e-9);
		same(s.least, rows[i].least, 0);
		same(s.most, rows[i].most, 0);
		same(s.mean, rows[i].mean, 1e-6);
		same(s.deviation, rows[i].deviation, 5e-5);
		same(s.half_width, rows[i].half_width, 5e-4);
	}
}

/* Quantiles as every table prints them. */
static void statistics_quantiles(void **state)
{
	static const struct { size_t degrees; double t; } table[] = {
		{ 1, 12.706 }, { 2, 4.303 }, { 4, 2.776 }, { 9, 2.262 }, { 30, 2.042 },
		{ 31, 2.0395 }, { 40, 2.021 }, { 60, 2.000 }, { 120, 1.980 }, { 1000000, 1.960 },
	};

	(void)state;
	assert_true(isnan(statistics_t95(0)));
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		same(statistics_t95(table[i].degrees), table[i].t, 6e-4);
	for (size_t v = 2; v < 200; v++)
		assert_true(statistics_t95(v) < statistics_t95(v - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statistics_table),
		cmocka_unit_test(statistics_quantiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
