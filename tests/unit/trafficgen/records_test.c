/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <math.h>

#include "common/own.h"
#include "trafficgen/records.h"

static struct totals at(uint64_t ms, uint64_t sent, uint64_t received)
{
	return (struct totals){ ms * 1000000, sent, received };
}

/* Warm-up, two full seconds, a partial one, the drain: window and total are the
 * sums of what was shown, to the byte. */
static void intervals_add_up(void **state)
{
	static const struct { uint64_t ms, sent, received; bool omitted; } cuts[] = {
		{ 500, 1000, 10, true }, { 1500, 3000, 77, false }, { 2500, 3001, 1077, false },
		{ 2800, 9999999999ull, 1078, false }, { 3100, 10000000000ull, 5000, true },
	};
	struct totals start = at(0, 0, 0);
	struct meter meter;
	uint64_t window_sent = 0, window_received = 0, all_sent = 0, all_received = 0;

	(void)state;
	meter_start(&meter, &start);
	for (size_t i = 0; i < ARRAY_LEN(cuts); i++) {
		struct totals now = at(cuts[i].ms, cuts[i].sent, cuts[i].received);
		struct interval interval = meter_cut(&meter, &now, cuts[i].omitted);

		assert_int_equal(interval.end_ns, now.time_ns);
		assert_int_equal(interval.omitted, cuts[i].omitted);
		all_sent += interval.sent_bytes;
		all_received += interval.received_bytes;
		window_sent += interval.omitted ? 0 : interval.sent_bytes;
		window_received += interval.omitted ? 0 : interval.received_bytes;
	}
	assert_int_equal(meter.window.sent_bytes, window_sent);
	assert_int_equal(meter.window.received_bytes, window_received);
	assert_int_equal(meter.window.start_ns, 500000000);
	assert_int_equal(meter.window.end_ns, 2800000000ull);
	assert_int_equal(meter_total(&meter).sent_bytes, all_sent);
	assert_int_equal(meter_total(&meter).received_bytes, all_received);
	assert_int_equal(all_sent, 10000000000ull);
}

/* The last interval is as long as it was, not a full second. */
static void rate_by_real_length(void **state)
{
	struct totals start = at(0, 0, 0), now = at(250, 1000000, 0);
	struct interval none = { 0 };
	struct meter meter;
	struct interval interval;

	(void)state;
	meter_start(&meter, &start);
	interval = meter_cut(&meter, &now, false);
	assert_true(fabs(meter_bps(&interval, interval.sent_bytes) - 32e6) < 1);
	assert_true(isnan(meter_bps(&none, 5)));
}

static void fairness_of(const uint64_t *bytes, size_t n, double expected)
{
	struct spread whole = { 0 }, left = { 0 }, right = { 0 };

	for (size_t i = 0; i < n; i++) {
		spread_add(&whole, bytes[i]);
		spread_add(i % 2 ? &left : &right, bytes[i]);
	}
	spread_merge(&left, &right);
	assert_true(fabs(spread_fairness(&whole) - expected) < 1e-9);
	assert_true(fabs(spread_fairness(&left) - expected) < 1e-9);
	assert_int_equal(left.least_bytes, whole.least_bytes);
	assert_int_equal(left.most_bytes, whole.most_bytes);
	assert_int_equal(left.count, n);
}

static void fairness_is_jains(void **state)
{
	static const uint64_t equal[] = { 7, 7, 7, 7 }, one[] = { 0, 0, 0, 9 }, mixed[] = { 1, 2, 3 };
	struct spread none = { 0 }, still = { 0 };

	(void)state;
	fairness_of(equal, 4, 1.0);
	fairness_of(one, 4, 0.25);
	fairness_of(mixed, 3, 36.0 / 42.0);
	assert_true(isnan(spread_fairness(&none)));
	spread_add(&still, 0);
	assert_true(isnan(spread_fairness(&still)));
	assert_int_equal(still.least_bytes, 0);
}

static void spread_keeps_least_and_most(void **state)
{
	struct spread spread = { 0 }, empty = { 0 };

	(void)state;
	spread_add(&spread, 5);
	spread_add(&spread, 3);
	spread_add(&spread, 9);
	spread_merge(&spread, &empty);
	assert_int_equal(spread.least_bytes, 3);
	assert_int_equal(spread.most_bytes, 9);
	spread_merge(&empty, &spread);
	assert_int_equal(empty.least_bytes, 3);
}

static void tcp_records_merge(void **state)
{
	struct tcp_record sum = { 0 };
	const struct tcp_record a = { .connections = 1, .segments_out = 10, .retransmits = 1,
				      .mss_least_bytes = 1448, .mss_most_bytes = 1448,
				      .header_least_bytes = 52, .header_most_bytes = 52 };
	const struct tcp_record b = { .connections = 1, .segments_out = 5, .mss_least_bytes = 1400,
				      .mss_most_bytes = 1400, .header_least_bytes = 40,
				      .header_most_bytes = 40 };
	const struct tcp_record none = { 0 };

	(void)state;
	tcp_record_merge(&sum, &a);
	tcp_record_merge(&sum, &none);
	assert_int_equal(sum.mss_least_bytes, 1448);
	tcp_record_merge(&sum, &b);
	assert_int_equal(sum.connections, 2);
	assert_int_equal(sum.segments_out, 15);
	assert_int_equal(sum.retransmits, 1);
	assert_int_equal(sum.mss_least_bytes, 1400);
	assert_int_equal(sum.mss_most_bytes, 1448);
	assert_int_equal(sum.header_least_bytes, 40);
	assert_int_equal(sum.header_most_bytes, 52);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_add_up), cmocka_unit_test(rate_by_real_length),
		cmocka_unit_test(fairness_is_jains), cmocka_unit_test(spread_keeps_least_and_most),
		cmocka_unit_test(tcp_records_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
