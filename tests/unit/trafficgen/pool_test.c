/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <errno.h>
#include <string.h>

#include "common/own.h"
#include "trafficgen/pool.h"

static const char *address_of(const struct pools *pools, uint32_t n)
{
	static char text[ADDRESS_TEXT_BYTES];
	struct address address = pools_at(pools, n);

	return address_print(text, sizeof(text), &address);
}

static void lists_are_read_in_order(void **state)
{
	struct pools pools;

	(void)state;
	assert_int_equal(pools_read("198.18.0.9,198.18.64.1-198.18.64.3,198.18.1.0/30", 0, &pools), 0);
	assert_int_equal(pools.total, 6);
	assert_string_equal(address_of(&pools, 0), "198.18.0.9");
	assert_string_equal(address_of(&pools, 3), "198.18.64.3");
	assert_string_equal(address_of(&pools, 4), "198.18.1.1");
	assert_string_equal(address_of(&pools, 5), "198.18.1.2");
	assert_int_equal(pools_at(&pools, 6).family, 0);
	assert_int_equal(pools_family(&pools), 4);
	assert_int_equal(pools_read("2001:2:0:40::1,198.18.0.1", 0, &pools), 0);
	assert_int_equal(pools_family(&pools), 0);
}

static void slips_are_refused(void **state)
{
	static const char *const wrong[] = {
		"", ",", "198.18.0.1,", "198.18.0", "198.18.0.300", "198.18.0.2-198.18.0.1",
		"198.18.0.1/33", "2001:2::1-198.18.0.1", "198.18.0.1-", "2001:2::g",
	};
	struct pools pools = { .count = 42 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_int_not_equal(pools_read(wrong[i], 0, &pools), 0);
		assert_int_equal(pools.count, 42);
	}
}

static void too_many_parts(void **state)
{
	char text[POOLS_MAX * 12 + 12] = "";
	struct pools pools;

	(void)state;
	for (int i = 0; i < POOLS_MAX; i++)
		strcat(text, i ? ",198.18.0.1" : "198.18.0.1");
	assert_int_equal(pools_read(text, 0, &pools), 0);
	assert_int_equal(pools.total, POOLS_MAX);
	strcat(text, ",198.18.0.1");
	assert_int_equal(pools_read(text, 0, &pools), -E2BIG);
}

/* RFC 3511, 4.5: client 1 starts at server 1 and takes 1, 2, 3, 1; client 2
 * takes 2, 3, 1, 2. Here counted from 0. */
static void clients_rotate_over_servers(void **state)
{
	static const uint32_t first[] = { 0, 1, 2, 0 }, second[] = { 1, 2, 0, 1 };

	(void)state;
	for (uint32_t i = 0; i < 8; i++) {
		struct pairing pair = pool_pair(i, 2, 3);

		assert_int_equal(pair.client, i % 2);
		assert_int_equal(pair.server, i % 2 ? second[i / 2] : first[i / 2]);
	}
	assert_int_equal(pool_pair(7, 500, 1).server, 0);
}

/* Counts what each pair gets and cuts it off; the closed form must agree. */
static uint64_t ports_by_counting(uint32_t n, uint32_t clients, uint32_t servers, uint32_t ports)
{
	uint32_t used[8][8] = { { 0 } };
	uint64_t found = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct pairing pair = pool_pair(i, clients, servers);

		found += used[pair.client][pair.server]++ < ports;
	}
	return found;
}

static void ports_are_predicted(void **state)
{
	(void)state;
	assert_int_equal(pool_ports_suffice_for(60000, 1, 1, 28232), 28232);
	assert_int_equal(pool_ports_suffice_for(60000, 1, 3, 28232), 60000);
	assert_int_equal(pool_ports_suffice_for(60000, 3, 1, 28232), 60000);
	assert_int_equal(pool_ports_suffice_for(60000, 2, 1, 28232), 56464);
	for (uint32_t clients = 1; clients <= 5; clients++)
		for (uint32_t servers = 1; servers <= 5; servers++)
			for (uint32_t n = 0; n < 60; n += 7)
				for (uint32_t ports = 0; ports < 12; ports += 3)
					assert_int_equal(pool_ports_suffice_for(n, clients, servers, ports),
							 ports_by_counting(n, clients, servers, ports));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_read_in_order), cmocka_unit_test(slips_are_refused),
		cmocka_unit_test(too_many_parts), cmocka_unit_test(clients_rotate_over_servers),
		cmocka_unit_test(ports_are_predicted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
