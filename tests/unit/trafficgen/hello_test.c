/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <errno.h>
#include <string.h>

#include "common/own.h"
#include "trafficgen/hello.h"

static const struct hello sample = {
	.workload = 1, .flags = HELLO_CLIENT_SENDS | HELLO_SERVER_SENDS | HELLO_VERIFY,
	.test = 0x1122334455667788ull, .amount_bytes = 0x0102030405060708ull,
	.connections = 1000, .index = 999, .write_bytes = 131072, .window_bytes = 65536,
	.warm_up_ms = 2000, .duration_ms = 10000, .congestion = "reno",
};

/* The bytes are a contract between versions: written out, not computed. */
static const uint8_t sample_bytes[HELLO_BYTES] = {
	'f', 'w', 'g', '1', 1, 0x13, 0, 0,
	0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
	0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
	0, 0, 0x03, 0xe8, 0, 0, 0x03, 0xe7,
	0, 2, 0, 0, 0, 1, 0, 0,
	0, 0, 0x07, 0xd0, 0, 0, 0x27, 0x10,
	'r', 'e', 'n', 'o',
};

static void bytes_are_as_documented(void **state)
{
	uint8_t bytes[HELLO_BYTES];
	struct hello hello;

	(void)state;
	hello_write(&sample, bytes);
	assert_memory_equal(bytes, sample_bytes, sizeof(bytes));
	memset(&hello, 0, sizeof(hello));
	assert_int_equal(hello_read(bytes, &hello), 0);
	assert_int_equal(hello.test, sample.test);
	assert_int_equal(hello.amount_bytes, sample.amount_bytes);
	assert_int_equal(hello.index, 999);
	assert_int_equal(hello.flags, sample.flags);
	assert_int_equal(hello.duration_ms, 10000);
	assert_string_equal(hello.congestion, "reno");
}

/* One byte changed at a time, to what cannot be. */
static void nonsense_is_refused(void **state)
{
	static const struct { uint8_t at, value; const char *what; } rows[] = {
		{ 0, 'G', "not fwgen" }, { 3, '2', "another version" }, { 5, 0, "nobody sends" },
		{ 5, HELLO_AMOUNT, "nobody sends" }, { 6, 1, "reserved" }, { 7, 1, "reserved" },
		{ 26, 0, "index beyond the connections" },
		{ 32, 1, "too many bytes a write" }, { 63, 'x', "a name without its end" },
	};
	struct hello hello = { .index = 42 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint8_t bytes[HELLO_BYTES];

		memcpy(bytes, sample_bytes, sizeof(bytes));
		bytes[rows[i].at] = rows[i].value;
		if (hello_read(bytes, &hello) != -EPROTO)
			fail_msg("accepted: %s", rows[i].what);
		assert_int_equal(hello.index, 42);
	}
}

static void a_part_is_told_from_a_stranger(void **state)
{
	static const struct { const char *bytes; size_t size; bool begins; } rows[] = {
		{ "f", 1, true }, { "fwg", 3, true }, { "fwg1", 4, true }, { "fwg1\1\1\0\0x", 9, true },
		{ "G", 1, false }, { "fwg2", 4, false }, { "SSH-2.0-", 8, false }, { "fwGET", 5, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (hello_begins((const uint8_t *)rows[i].bytes, rows[i].size) != rows[i].begins)
			fail_msg("row %zu", i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_as_documented), cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(a_part_is_told_from_a_stranger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
