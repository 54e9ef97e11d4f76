/* SPDX-License-Identifier: BSD-2-Clause */
/* The address table of HACKING.md. */
#include "harness/lab/addresses.h"
#include "tests/unit/skip.h"

static void check(struct address a, const char *expected)
{
	char text[ADDRESS_TEXT_BYTES];

	assert_string_equal(address_print(text, sizeof(text), &a), expected);
}

static void clients_and_servers(void **state)
{
	static const struct {
		int ip;
		uint32_t i;
		const char *client, *server;
	} rows[] = {
		{ 4, 0, "198.18.64.1", "198.19.64.1" },
		{ 4, 254, "198.18.64.255", "198.19.64.255" },
		{ 4, 255, "198.18.65.0", "198.19.65.0" },
		{ 4, 15999, "198.18.126.128", "198.19.126.128" },
		{ 6, 0, "2001:2:0:40::1", "2001:2:0:80::1" },
		{ 6, 254, "2001:2:0:40::ff", "2001:2:0:80::ff" },
		{ 6, 15999, "2001:2:0:40::3e80", "2001:2:0:80::3e80" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		check(lab_client(rows[i].ip, rows[i].i), rows[i].client);
		check(lab_server(rows[i].ip, rows[i].i), rows[i].server);
	}
}

static void links(void **state)
{
	static const struct {
		int ip;
		enum lab_node node;
		bool server_side;
		const char *address;
	} rows[] = {
		{ 4, NODE_CLIENT, false, "198.18.0.2" },   { 4, NODE_CLIENT, true, "198.18.0.2" },
		{ 4, NODE_DEVICE, false, "198.18.0.1" },   { 4, NODE_DEVICE, true, "198.19.0.1" },
		{ 4, NODE_SERVER, false, "198.19.0.2" },   { 4, NODE_SERVER, true, "198.19.0.2" },
		{ 6, NODE_CLIENT, false, "2001:2:0:1::2" }, { 6, NODE_DEVICE, false, "2001:2:0:1::1" },
		{ 6, NODE_DEVICE, true, "2001:2:0:2::1" }, { 6, NODE_SERVER, true, "2001:2:0:2::2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check(lab_link(rows[i].ip, rows[i].node, rows[i].server_side), rows[i].address);
}

/* The last client is inside the prefix; the stranger is inside too, so that its
 * answers find the way back, and is nobody's address. */
static void prefixes_hold_everybody(void **state)
{
	(void)state;
	for (int ip = 4; ip <= 6; ip += 2) {
		struct prefix clients = lab_client_prefix(ip), servers = lab_server_prefix(ip);
		struct address last = lab_client(ip, LAB_CLIENTS_MAX - 1), stranger = lab_stranger(ip);
		struct address last_server = lab_server(ip, LAB_SERVERS_MAX - 1);

		assert_true(prefix_contains(&clients, &last));
		assert_true(prefix_contains(&servers, &last_server));
		assert_true(prefix_contains(&clients, &stranger));
		assert_true(address_compare(&stranger, &last) > 0);
		assert_false(prefix_contains(&servers, &last));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(clients_and_servers),
		cmocka_unit_test(links),
		cmocka_unit_test(prefixes_hold_everybody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
