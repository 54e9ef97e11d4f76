/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/units.h"

#include <errno.h>
#include <string.h>

#include "common/own.h"
#include "tests/unit/skip.h"

typedef int reader(const char *, uint64_t *);

struct read_case {
	reader *read;
	const char *text;
	int code;
	uint64_t value;
};

/* Field cases 1, 3, 5, 10: one meaning a spelling, or refused; never a silent
 * factor of 8 or 1.024; no 32-bit wrap. */
static const struct read_case read_cases[] = {
	{ units_read_rate_bps, "1Mbit", 0, 1000000 },
	{ units_read_rate_bps, "1Mbit/s", 0, 1000000 },
	{ units_read_rate_bps, "1 Mbit/s", 0, 1000000 },
	{ units_read_rate_bps, "100Mbps", 0, 100000000 },
	{ units_read_rate_bps, "100MBps", 0, 800000000 },
	{ units_read_rate_bps, "100kbit", 0, 100000 },
	{ units_read_rate_bps, "100kB", 0, 800000 },
	{ units_read_rate_bps, "500kB/s", 0, 4000000 },
	{ units_read_rate_bps, "4295Mbit", 0, 4295000000ull },
	{ units_read_rate_bps, "400Gbit", 0, 400000000000ull },
	{ units_read_rate_bps, "1.5Gbit", 0, 1500000000 },
	{ units_read_rate_bps, "1Kibit", 0, 1024 },
	{ units_read_rate_bps, "8bit", 0, 8 },
	{ units_read_rate_bps, "100k", -EINVAL, 0 },
	{ units_read_rate_bps, "100K", -EINVAL, 0 },
	{ units_read_rate_bps, "100Kbit", -EINVAL, 0 },
	{ units_read_rate_bps, "0.5G", -EINVAL, 0 },
	{ units_read_rate_bps, "1e6", -EINVAL, 0 },
	{ units_read_rate_bps, "1e6bit", -EINVAL, 0 },
	{ units_read_rate_bps, "bits", -EINVAL, 0 },
	{ units_read_rate_bps, "-4Mbit", -EINVAL, 0 },
	{ units_read_rate_bps, "0x10bit", -EINVAL, 0 },
	{ units_read_rate_bps, "nanbit", -EINVAL, 0 },
	{ units_read_rate_bps, "4 ", -EINVAL, 0 },
	{ units_read_rate_bps, "", -EINVAL, 0 },
	{ units_read_rate_bps, "99999999Tbit", -ERANGE, 0 },
	{ units_read_size_bytes, "1500", 0, 1500 },
	{ units_read_size_bytes, "64KiB", 0, 65536 },
	{ units_read_size_bytes, "1MB", 0, 1000000 },
	{ units_read_size_bytes, "1M", -EINVAL, 0 },
	{ units_read_size_bytes, "1Mbit", -EINVAL, 0 },
	{ units_read_time_ns, "10s", 0, 10000000000ull },
	{ units_read_time_ns, "1.5s", 0, 1500000000ull },
	{ units_read_time_ns, "500ms", 0, 500000000ull },
	{ units_read_time_ns, "2min", 0, 120000000000ull },
	{ units_read_time_ns, "2m", -EINVAL, 0 },
	{ units_read_time_ns, "10", -EINVAL, 0 },
	{ units_read_count, "200", 0, 200 },
	{ units_read_count, "10k", 0, 10000 },
	{ units_read_count, "1.5", -EINVAL, 0 },
	{ units_read_count, "1.5k", 0, 1500 },
	{ units_read_iperf_rate_bps, "1M", 0, 1000000 },
	{ units_read_iperf_rate_bps, "4294M", 0, 4294000000ull },
	{ units_read_iperf_rate_bps, "4295M", 0, 4295000000ull },
	{ units_read_iperf_rate_bps, ".01M", 0, 10000 },
	{ units_read_iperf_size_bytes, "128K", 0, 131072 },
	{ units_read_iperf_size_bytes, "1M", 0, 1048576 },
	{ units_read_seconds_ns, "0.1", 0, 100000000ull },
	{ units_read_seconds_ns, "10", 0, 10000000000ull },
	{ units_read_seconds_ns, "ten", -EINVAL, 0 },
};

static void reads_one_meaning_or_refuses(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(read_cases); i++) {
		const struct read_case *c = &read_cases[i];
		uint64_t value = 77;
		int code = c->read(c->text, &value);

		if (code != c->code || value != (code ? 77 : c->value))
			fail_msg("\"%s\": code %d, value %llu", c->text, code,
				 (unsigned long long)value);
	}
}

/* Field case 2: 1 250 000 000 bytes in 10 s. */
static void prints_three_digits(void **state)
{
	char out[64];

	(void)state;
	assert_string_equal(units_print_bps(out, sizeof(out), 1e9), "1.00 Gbit/s");
	assert_string_equal(units_print_bps(out, sizeof(out), 941e6), "941 Mbit/s");
	assert_string_equal(units_print_bps(out, sizeof(out), 999.96e6), "1.00 Gbit/s");
	assert_string_equal(units_print_bps(out, sizeof(out), 0), "0 bit/s");
	assert_string_equal(units_print_bytes_per_s(out, sizeof(out), 125e6), "125 MB/s");
	assert_string_equal(units_print_bytes(out, sizeof(out), 65536), "64.0 KiB");
	assert_string_equal(units_print_bytes(out, sizeof(out), 12), "12 B");
	assert_string_equal(units_print_count(out, sizeof(out), 1234567), "1.23 M");
	assert_string_equal(units_print_count(out, sizeof(out), 200), "200");
	assert_string_equal(units_print_bps(out, sizeof(out), 0.0 / 0.0), "-");
	assert_string_equal(units_print_time_ns(out, sizeof(out), 1500000000), "1.5 s");
	assert_string_equal(units_print_time_ns(out, sizeof(out), 125000000000ull), "2 min 05 s");
}

static void truncates_within_the_buffer(void **state)
{
	char out[8];

	(void)state;
	memset(out, 'x', sizeof(out));
	units_print_bps(out, sizeof(out), 941e6);
	assert_string_equal(out, "941 Mbi");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_one_meaning_or_refuses),
		cmocka_unit_test(prints_three_digits),
		cmocka_unit_test(truncates_within_the_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
