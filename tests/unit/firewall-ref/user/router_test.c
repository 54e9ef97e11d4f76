/* SPDX-License-Identifier: BSD-2-Clause */
/* Next hops as the kernel knows them, in a network namespace of the test's own. */
#include "tests/unit/skip.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "firewall-ref/user/router.h"

static const char *const names[2] = { "in", "out" };
static uint64_t now_ns = 1;

static void sh(const char *command)
{
	if (system(command))
		fail_msg("failed: %s", command);
}

static int setup(void **state)
{
	(void)state;
	if (geteuid() || unshare(CLONE_NEWNET))
		return 0;
	sh("sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0");
	sh("ip link add in type veth peer name c && ip link add out type veth peer name s");
	sh("for i in in c out s lo; do ip link set $i up; done");
	sh("ip addr add 198.18.0.1/24 dev in && ip addr add 198.19.0.1/24 dev out");
	sh("ip addr add 2001:2:0:2::1/64 dev out nodad");
	sh("ip neigh add 198.19.0.2 lladdr 02:00:00:00:00:02 dev out nud permanent");
	sh("ip neigh add 2001:2:0:2::2 lladdr 02:00:00:00:00:06 dev out nud permanent");
	sh("ip route add 198.19.64.0/18 via 198.19.0.2 && ip route add 203.0.113.0/24 dev lo");
	sh("ip route add 2001:2:0:80::/64 via 2001:2:0:2::2 && ip route add unreachable 192.0.2.0/24");
	return 0;
}

static enum route_result ask(struct router *router, const char *to, struct next_hop *hop)
{
	struct flow_key key = { .family = strchr(to, ':') ? 6 : 4 };

	assert_int_equal(inet_pton(key.family == 6 ? AF_INET6 : AF_INET, to, key.destination), 1);
	return router_ask(router, &key, now_ns, hop);
}

/* Until the kernel's report is in. */
static void settle(struct router *router)
{
	struct pollfd p = { .fd = router->watch.fd, .events = POLLIN };

	while (poll(&p, 1, 50) > 0)
		router_watch(router);
}

static const struct {
	const char *to;
	enum route_result result;
	uint8_t last; /* byte of the link address */
} ways[] = {
	{ "198.19.0.2", ROUTE_FORWARD, 2 },   { "198.19.64.7", ROUTE_FORWARD, 2 },
	{ "2001:2:0:80::9", ROUTE_FORWARD, 6 }, { "198.19.0.1", ROUTE_LOCAL, 0 },
	{ "2001:2:0:2::1", ROUTE_LOCAL, 0 },  { "198.19.0.255", ROUTE_LOCAL, 0 },
	{ "203.0.113.1", ROUTE_NONE, 0 },     { "192.0.2.1", ROUTE_NONE, 0 },
	{ "100.64.0.1", ROUTE_NONE, 0 },
};

static void ways_are_the_kernels(void **state)
{
	struct router router;
	struct next_hop hop;

	(void)state;
	SKIP_UNLESS_ROOT();
	assert_int_equal(router_open(&router, names), 0);
	for (int round = 0; round < 2; round++) { /* asked, then kept */
		for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
			assert_int_equal(ask(&router, ways[i].to, &hop), ways[i].result);
			if (ways[i].result != ROUTE_FORWARD)
				continue;
			assert_int_equal(hop.interface, router.interface[1]);
			assert_int_equal(hop.destination[5], ways[i].last);
			assert_memory_equal(hop.source, router.link[1], 6);
			assert_int_equal(hop.mtu, 1500);
			assert_int_equal(hop.flags, 0);
		}
	}
	router_close(&router);
}

static void changes_are_followed(void **state)
{
	struct router router;
	struct next_hop hop;

	(void)state;
	SKIP_UNLESS_ROOT();
	assert_int_equal(router_open(&router, names), 0);
	assert_int_equal(ask(&router, "198.19.0.2", &hop), ROUTE_FORWARD);
	sh("ip neigh replace 198.19.0.2 lladdr 02:00:00:00:00:22 dev out nud permanent");
	settle(&router);
	assert_int_equal(ask(&router, "198.19.0.2", &hop), ROUTE_FORWARD);
	assert_int_equal(hop.destination[5], 0x22);
	sh("ip link set out mtu 1280");
	settle(&router);
	assert_int_equal(ask(&router, "198.19.0.2", &hop), ROUTE_FORWARD);
	assert_int_equal(hop.mtu, 1280);
	sh("ip link set out mtu 1500");
	assert_int_equal(ask(&router, "100.64.0.1", &hop), ROUTE_NONE);
	sh("ip route add 100.64.0.0/10 via 198.19.0.2");
	settle(&router);
	assert_int_equal(ask(&router, "100.64.0.1", &hop), ROUTE_FORWARD);
	sh("ip route del 100.64.0.0/10");
	router.addresses_changed = false;
	sh("ip addr add 198.19.0.77/32 dev out");
	settle(&router);
	assert_true(router.addresses_changed);
	assert_int_equal(ask(&router, "198.19.0.77", &hop), ROUTE_LOCAL);
	router_close(&router);
}

static void unknown_neighbours_are_probed(void **state)
{
	struct router router;
	struct next_hop hop;

	(void)state;
	SKIP_UNLESS_ROOT();
	assert_int_equal(router_open(&router, names), 0);
	assert_int_equal(ask(&router, "198.19.0.99", &hop), ROUTE_FORWARD);
	assert_int_equal(hop.flags, HOP_RESOLVE);
	sh("ip neigh show 198.19.0.99 dev out nud all | grep -qE 'INCOMPLETE|FAILED'");
	sh("ip neigh replace 198.19.0.99 lladdr 02:00:00:00:00:99 dev out nud reachable");
	settle(&router);
	assert_int_equal(ask(&router, "198.19.0.99", &hop), ROUTE_FORWARD);
	assert_int_equal(hop.flags, 0);
	assert_int_equal(hop.destination[5], 0x99);
	router_close(&router);
}

static void interfaces_that_are_not_there(void **state)
{
	static const char *const wrong[2] = { "lo", "nix0" };
	struct router router;

	(void)state;
	assert_int_equal(router_open(&router, wrong), -ENODEV);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ways_are_the_kernels),
		cmocka_unit_test(changes_are_followed),
		cmocka_unit_test(unknown_neighbours_are_probed),
		cmocka_unit_test(interfaces_that_are_not_there),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
