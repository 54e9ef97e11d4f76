/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <math.h>
#include <string.h>

#include "harness/report/format.h"

/* Field case 2: bits and bytes are decimal; each quantity as the csv, a table
 * with a column of its own, and a sentence print it. */
static const struct {
	enum quantity quantity;
	double value;
	const char *number, *cell, *text;
} rows[] = {
	{ QUANTITY_BYTES_PER_S, 1250000000.0 / 10, "125000000", "125", "125 MB/s" },
	{ QUANTITY_BPS, 1250000000.0 / 10 * 8, "1000000000", "1.00", "1.00 Gbit/s" },
	{ QUANTITY_BPS, 999.4e6, "999400000", "999", "999 Mbit/s" },
	{ QUANTITY_BPS, 999.6e6, "999600000", "1.00", "1.00 Gbit/s" },
	{ QUANTITY_BPS, 96.5e6, "96500000", "96.5", "96.5 Mbit/s" },
	{ QUANTITY_BPS, 0, "0", "0", "0 bit/s" },
	{ QUANTITY_BPS, 12.3456, "12.346", "12.3", "12.3 bit/s" },
	{ QUANTITY_PPS, 82562.4, "82562", "82.6", "82.6 kpkt/s" },
	{ QUANTITY_SHARE, 0.4567, "0.4567", "45.7", "45.7 %" },
	{ QUANTITY_SHARE, 1, "1", "100", "100 %" },
	{ QUANTITY_SHARE, 0.0004, "0.0004", "0.040", "0.040 %" },
	{ QUANTITY_MS, 97.549999, "97.55", "97.5", "97.5 ms" },
	{ QUANTITY_MS, -3.21, "-3.21", "-3.21", "-3.21 ms" },
	{ QUANTITY_MS, -0.000001, "0", "0", "0 ms" },
	{ QUANTITY_RATIO, 0.36, "0.36", "0.36", "0.36 x" },
	{ QUANTITY_RATIO, 0.99951, "0.9995", "1.00", "1.00 x" },
	{ QUANTITY_BYTES_PER_S, NAN, "", "-", "-" },
	{ QUANTITY_SHARE, INFINITY, "", "-", "-" },
};

static void format_quantities(void **state)
{
	char out[FORMAT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scale scale = format_scale(rows[i].quantity, rows[i].value, rows[i].value);

		assert_string_equal(format_number(out, sizeof(out), rows[i].quantity, rows[i].value), rows[i].number);
		assert_string_equal(format_cell(out, sizeof(out), &scale, rows[i].value), rows[i].cell);
		assert_string_equal(format_text(out, sizeof(out), rows[i].quantity, rows[i].value), rows[i].text);
	}
}

/* One unit a column: small values keep their digits, five are the most. */
static void format_columns(void **state)
{
	static const struct { double least, most; const char *unit, *low, *high; } table[] = {
		{ 92e6, 410e6, "MB/s", "92.0", "410" },
		{ 92e6, 2500e6, "MB/s", "92.0", "2500" },
		{ 1.2e9, 2.5e9, "GB/s", "1.20", "2.50" },
		{ 4e3, 2.5e9, "MB/s", "0.0040", "2500" },
		{ NAN, NAN, "B/s", "-", "-" },
		{ 1, 2e19, "TB/s", "0", "20000000" },
		{ 0, 0, "B/s", "0", "0" },
	};
	char out[FORMAT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct scale scale = format_scale(QUANTITY_BYTES_PER_S, table[i].least, table[i].most);

		assert_string_equal(scale.unit, table[i].unit);
		assert_string_equal(format_cell(out, sizeof(out), &scale, table[i].least), table[i].low);
		assert_string_equal(format_cell(out, sizeof(out), &scale, table[i].most), table[i].high);
	}
}

static void format_ranges(void **state)
{
	static const struct { double least, most; const char *text; } table[] = {
		{ 0.31, 0.41, "0.31-0.41" }, { 0.36, 0.3604, "0.36" }, { -1, 2, "-1.00..2.00" }, { NAN, NAN, "-" },
	};
	struct scale scale = format_scale(QUANTITY_RATIO, 0.1, 1);
	char out[2 * FORMAT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_string_equal(format_range(out, sizeof(out), &scale, table[i].least, table[i].most), table[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(format_quantities),
		cmocka_unit_test(format_columns),
		cmocka_unit_test(format_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
