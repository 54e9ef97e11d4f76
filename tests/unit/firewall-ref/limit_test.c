/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include "tests/unit/firewall-ref/native.h"

/* Offers packets of size bytes at every poll_ns for span_ns; bytes that passed. */
static uint64_t offer(uint64_t rate_bps, uint64_t burst_bytes, uint32_t size, uint64_t poll_ns,
		      uint64_t span_ns)
{
	struct bucket bucket = { 0 };
	uint64_t passed = 0;

	for (uint64_t now = 1; now <= span_ns; now += poll_ns)
		while (limit_pass(&bucket, rate_bps, burst_bytes, size, now))
			passed += size;
	return passed;
}

/* Case 12: the average holds at any polling interval, no fraction is lost. */
static void average_holds(void **state)
{
	static const struct {
		uint64_t rate_bps, poll_ns, span_ns;
		uint32_t size;
	} rows[] = {
		{ 1000, 1000, 2 * NATIVE_S, 1 },
		{ 8000, 1000, 3 * NATIVE_S, 60 },
		{ 8000, 10000, 30 * NATIVE_S, 1500 },
		{ 8000, 1000000, 300 * NATIVE_S, 1500 },
		{ 1000000, 1000, NATIVE_S, 1500 },
		{ 4294000000, 1000, NATIVE_S / 10, 1500 },
		{ 4295000000, 1000, NATIVE_S / 10, 1500 },     /* case 10: beyond 2^32 */
		{ 40000000000, 1000, NATIVE_S / 100, 65536 },
		{ 400000000000, 1000, NATIVE_S / 100, 65536 },
		{ 400000000000, 1, NATIVE_S / 1000, 64 },
		{ 123457, 999983, 60 * NATIVE_S, 97 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t burst = rows[i].size * 2u;
		uint64_t right = (uint64_t)((unsigned __int128)rows[i].rate_bps * rows[i].span_ns /
					    (8 * NATIVE_S));
		uint64_t passed = offer(rows[i].rate_bps, burst + rows[i].rate_bps * rows[i].poll_ns /
					(8 * NATIVE_S), rows[i].size, rows[i].poll_ns, rows[i].span_ns);
		uint64_t slack = burst + rows[i].size + rows[i].rate_bps * rows[i].poll_ns * 2 / (8 * NATIVE_S) + 1;

		if (passed + slack < right || passed > right + slack)
			fail_msg("row %zu: %llu bytes passed, %llu are right", i,
				 (unsigned long long)passed, (unsigned long long)right);
	}
}

/* A packet larger than the burst leaves the bucket in debt, and the average holds. */
static void larger_than_the_burst(void **state)
{
	struct bucket bucket = { 0 };
	uint64_t now = 1, passed = 0;

	(void)state;
	assert_true(limit_pass(&bucket, 8000000, 1500, 64000, now));
	assert_true(bucket.credit < 0);
	assert_false(limit_pass(&bucket, 8000000, 1500, 64000, now + 64000000 - 2));
	for (; now < 10 * NATIVE_S; now += 1000000)
		if (limit_pass(&bucket, 8000000, 1500, 64000, now))
			passed += 64000;
	assert_in_range(passed, 9900000, 10100000);
}

static void silence_fills_and_no_more(void **state)
{
	struct bucket bucket = { 0 };
	const uint64_t rates[] = { 1000, 8000, 1000000, 400000000000 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		bucket.started = 0;
		assert_true(limit_pass(&bucket, rates[i], 3000, 3000, 1));
		assert_false(limit_pass(&bucket, rates[i], 3000, 3000, 2));
		/* A year, and a clock that another core read later. */
		assert_true(limit_pass(&bucket, rates[i], 3000, 3000, 31536000 * NATIVE_S));
		assert_int_equal(bucket.credit, 0);
		assert_false(limit_pass(&bucket, rates[i], 3000, 1, 5));
		assert_int_equal(bucket.credit, 0);
	}
}

/* The largest burst and packet do not wrap. */
static void bounds(void **state)
{
	struct bucket bucket = { 0 };

	(void)state;
	assert_true(limit_pass(&bucket, 400000000000, 0x3fffffff, 1u << 20, 1));
	assert_true(bucket.credit > 0);
	bucket.credit = -(1ll << 20) * LIMIT_CREDIT_PER_BYTE;
	assert_true(limit_pass(&bucket, 400000000000, 0x3fffffff, 1, 100 * NATIVE_S));
	assert_int_equal(bucket.credit, 0x3ffffffell * LIMIT_CREDIT_PER_BYTE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(average_holds),
		cmocka_unit_test(larger_than_the_burst),
		cmocka_unit_test(silence_fills_and_no_more),
		cmocka_unit_test(bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
