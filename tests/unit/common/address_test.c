/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/address.h"

#include <errno.h>
#include <string.h>

#include "common/own.h"
#include "tests/unit/skip.h"

static void prefixes(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *printed;
	} cases[] = {
		{ "198.18.0.0/15", 0, "198.18.0.0/15" },
		{ "198.18.0.1", 0, "198.18.0.1" },
		{ "0.0.0.0/0", 0, "0.0.0.0/0" },
		{ "2001:2::/48", 0, "2001:2::/48" },
		{ "::1/128", 0, "::1" },
		{ "198.18.0.1/15", -ERANGE, NULL },
		{ "198.18.0.0/33", -EINVAL, NULL },
		{ "198.18.0.0/", -EINVAL, NULL },
		{ "198.18.0.0/+8", -EINVAL, NULL },
		{ "198.18.0/8", -EINVAL, NULL },
		{ "fe80::1%eth0", -EINVAL, NULL },
		{ "", -EINVAL, NULL },
	};
	char out[ADDRESS_TEXT_BYTES];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct prefix p = { 0 };

		if (prefix_read(cases[i].text, &p) != cases[i].code)
			fail_msg("%s", cases[i].text);
		if (!cases[i].code)
			assert_string_equal(prefix_print(out, sizeof(out), &p), cases[i].printed);
	}
}

static void pools(void **state)
{
	static const struct {
		const char *text;
		int code;
		uint32_t count;
		const char *first;
	} cases[] = {
		{ "198.18.0.1", 0, 1, "198.18.0.1" },
		{ "198.18.0.1-198.18.1.0", 0, 256, "198.18.0.1" },
		{ "198.18.0.0/24", 0, 254, "198.18.0.1" },
		{ "198.18.0.0/31", 0, 2, "198.18.0.0" },
		{ "2001:2::/120", 0, 256, "2001:2::" },
		{ "2001:2::ffff-2001:2::1:0", 0, 2, "2001:2::ffff" },
		{ "198.18.0.2-198.18.0.1", -EINVAL, 0, NULL },
		{ "198.18.0.2-::1", -EINVAL, 0, NULL },
		{ "::-ffff::", -EINVAL, 0, NULL },
		{ "198.18.0.1/24", -EINVAL, 0, NULL },
		{ "-", -EINVAL, 0, NULL },
	};
	char out[ADDRESS_TEXT_BYTES];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct pool p = { 0 };

		if (pool_read(cases[i].text, &p) != cases[i].code || p.count != cases[i].count)
			fail_msg("%s: %u", cases[i].text, p.count);
		if (!cases[i].code)
			assert_string_equal(address_print(out, sizeof(out), &p.first),
					    cases[i].first);
	}
}

static void adds_with_carry(void **state)
{
	struct address a, b;
	char out[ADDRESS_TEXT_BYTES];

	(void)state;
	address_read("198.18.255.255", &a);
	b = address_add(&a, 1);
	assert_string_equal(address_print(out, sizeof(out), &b), "198.19.0.0");
	address_read("2001:2::ffff:ffff", &a);
	b = address_add(&a, 2);
	assert_string_equal(address_print(out, sizeof(out), &b), "2001:2::1:0:1");
	assert_true(address_compare(&a, &b) < 0);
}

static void contains(void **state)
{
	struct prefix p;
	struct address in, out, other;

	(void)state;
	prefix_read("198.18.64.0/18", &p);
	address_read("198.18.127.255", &in);
	address_read("198.18.128.0", &out);
	address_read("2001:2::1", &other);
	assert_true(prefix_contains(&p, &in));
	assert_false(prefix_contains(&p, &out));
	assert_false(prefix_contains(&p, &other));
}

static void sockaddr_round_trip(void **state)
{
	static const char *const texts[] = { "198.18.0.1", "2001:2::1" };
	struct sockaddr_storage ss;
	struct address a, b;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		address_read(texts[i], &a);
		address_sockaddr(&a, 80, &ss);
		b = address_of_sockaddr(&ss);
		assert_memory_equal(&a, &b, sizeof(a));
	}
	address_read("::ffff:198.18.0.1", &a);
	address_sockaddr(&a, 80, &ss);
	b = address_of_sockaddr(&ss);
	assert_int_equal(b.family, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prefixes),	   cmocka_unit_test(pools),
		cmocka_unit_test(adds_with_carry), cmocka_unit_test(contains),
		cmocka_unit_test(sockaddr_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
