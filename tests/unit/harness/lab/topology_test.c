/* SPDX-License-Identifier: BSD-2-Clause */
/* The text for `ip -batch`: what must be in it, topology by topology. That it
 * works is shown by tests/e2e/lab_topologies.sh. */
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "harness/lab/topology.h"
#include "tests/unit/skip.h"

static char *batch(enum topology topology, enum lab_node node, bool ipv6)
{
	struct lab lab = { .ipv6 = ipv6, .settings = { .topology = topology, .mtu_bytes = 9000 },
			   .netns_name = { "r-client", "r-device", "r-server" } };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	topology_batch(out, &lab, node);
	fclose(out);
	return text;
}

static const struct {
	enum topology topology;
	enum lab_node node;
	const char *line;
	bool there;
} rows[] = {
	/* Each pair is made once, by the node on its client's side. */
	{ TOPOLOGY_ROUTED, NODE_CLIENT, "peer name in address 02:fb:00:00:01:01 mtu 9000 netns /run/netns/r-device\n", true },
	{ TOPOLOGY_ROUTED, NODE_DEVICE, "link add out address 02:fb:00:00:02:01 mtu 9000 type veth", true },
	{ TOPOLOGY_ROUTED, NODE_SERVER, "type veth", false },
	{ TOPOLOGY_DIRECT, NODE_CLIENT, "peer name s0 address 02:fb:00:00:02:02 mtu 9000 netns /run/netns/r-server\n", true },
	/* Next hops: the device where it routes, else the other end. */
	{ TOPOLOGY_ROUTED, NODE_CLIENT, "route add 198.19.64.0/18 via 198.18.0.1 dev c0 onlink\n", true },
	{ TOPOLOGY_ROUTED, NODE_SERVER, "route add 2001:2:0:40::/64 via 2001:2:0:2::1 dev s0 onlink\n", true },
	{ TOPOLOGY_BRIDGED, NODE_CLIENT, "route add 198.19.64.0/18 via 198.19.0.2 dev c0 onlink\n", true },
	{ TOPOLOGY_DIRECT, NODE_SERVER, "route add 198.18.0.0/24 via 198.18.0.2 dev s0 onlink\n", true },
	{ TOPOLOGY_DIRECT, NODE_SERVER, "neighbour replace 2001:2:0:1::2 lladdr 02:fb:00:00:01:02 dev s0 nud permanent\n", true },
	{ TOPOLOGY_ROUTED, NODE_DEVICE, "route add 198.18.64.0/18 via 198.18.0.2 dev in onlink\n", true },
	{ TOPOLOGY_ROUTED, NODE_DEVICE, "neighbour replace 198.19.0.2 lladdr 02:fb:00:00:02:02 dev out nud permanent\n", true },
	/* Its own links' prefixes are connected routes, never ways. */
	{ TOPOLOGY_ROUTED, NODE_DEVICE, "route add 198.18.0.0/24", false },
	{ TOPOLOGY_ROUTED, NODE_CLIENT, "route add local 198.18.64.0/18 dev lo\n", true },
	{ TOPOLOGY_ROUTED, NODE_SERVER, "route add local 2001:2:0:80::/64 dev lo\n", true },
	{ TOPOLOGY_ROUTED, NODE_CLIENT, "address add 2001:2:0:1::2/64 dev c0 nodad\n", true },
	{ TOPOLOGY_BRIDGED, NODE_DEVICE, "link set in master br0\n", true },
	{ TOPOLOGY_BRIDGED, NODE_DEVICE, "address add", false },
	{ TOPOLOGY_ROUTED, NODE_DEVICE, "br0", false },
};

static void what_is_in_a_batch(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		OWN_MEM char *text = batch(rows[i].topology, rows[i].node, true);

		if ((strstr(text, rows[i].line) != NULL) != rows[i].there)
			fail_msg("row %zu, %s: %s", i, rows[i].line, text);
	}
}

static void a_kernel_without_ipv6(void **state)
{
	(void)state;
	for (enum topology t = TOPOLOGY_DIRECT; t <= TOPOLOGY_ROUTED; t++)
		for (enum lab_node node = 0; node < NODE_COUNT; node++) {
			OWN_MEM char *text = batch(t, node, false);

			assert_null(strstr(text, "2001:"));
		}
}

/* Writing ip_forward resets the sysctls after it in effect, so it is first. */
static void forwarding_is_set_first(void **state)
{
	(void)state;
	for (enum lab_node node = 0; node < NODE_COUNT; node++) {
		const char *const *s = topology_sysctls(node);

		assert_string_equal(s[0], node == NODE_DEVICE ? "net/ipv4/ip_forward=1" :
				    "net/ipv4/ip_forward=0");
		for (; *s; s++)
			assert_non_null(strchr(*s, '='));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_in_a_batch),
		cmocka_unit_test(a_kernel_without_ipv6),
		cmocka_unit_test(forwarding_is_set_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
