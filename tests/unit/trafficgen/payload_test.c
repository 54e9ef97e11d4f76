/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <string.h>

#include "trafficgen/payload.h"

static const uint64_t key = 0x1234;

/* However it is cut up, it is the same stream. */
static void pieces_are_the_whole(void **state)
{
	uint8_t whole[4096], pieces[4096];
	size_t step = 1;

	(void)state;
	payload_fill(whole, sizeof(whole), key, 0);
	for (size_t at = 0; at < sizeof(pieces); step = step % 29 + 1) {
		size_t n = step < sizeof(pieces) - at ? step : sizeof(pieces) - at;

		payload_fill(pieces + at, n, key, at);
		assert_int_equal(payload_check(whole + at, n, key, at), -1);
		at += n;
	}
	assert_memory_equal(whole, pieces, sizeof(whole));
}

/* Any single wrong byte is found at its place. */
static void a_wrong_byte_is_named(void **state)
{
	uint8_t bytes[64];

	(void)state;
	for (size_t at = 0; at < sizeof(bytes); at++) {
		payload_fill(bytes, sizeof(bytes), key, 1000003);
		bytes[at] ^= 1;
		assert_int_equal(payload_check(bytes, sizeof(bytes), key, 1000003), at);
	}
}

/* A loss, a repetition, another connection's bytes. */
static void a_shift_is_seen(void **state)
{
	uint8_t bytes[64];

	(void)state;
	payload_fill(bytes, sizeof(bytes), key, 0);
	for (uint64_t shift = 1; shift < 1ull << 40; shift *= 2)
		assert_in_range(payload_check(bytes, sizeof(bytes), key, shift), 0, 7);
	assert_in_range(payload_check(bytes, sizeof(bytes), payload_key(1, 2, 0), 0), 0, 7);
	assert_int_not_equal(payload_key(1, 2, 0), payload_key(1, 2, 1));
	assert_int_not_equal(payload_key(1, 2, 0), payload_key(1, 3, 0));
	assert_int_not_equal(payload_key(1, 2, 0), payload_key(2, 2, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_the_whole), cmocka_unit_test(a_wrong_byte_is_named),
		cmocka_unit_test(a_shift_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
