/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/lab/topology.h"

#include "harness/lab/namespace.h"

/* Link addresses are ours, so that neighbour entries can be permanent: no ARP or
 * ND in the measured path, and nothing to wait for. */
static const char *topology_mac(enum lab_node node, bool server_side)
{
	static const char *const macs[NODE_COUNT][2] = {
		[NODE_CLIENT] = { "02:fb:00:00:01:02", "02:fb:00:00:01:02" },
		[NODE_DEVICE] = { "02:fb:00:00:01:01", "02:fb:00:00:02:01" },
		[NODE_SERVER] = { "02:fb:00:00:02:02", "02:fb:00:00:02:02" },
	};

	return macs[node][server_side];
}

static void topology_pair(FILE *out, const struct lab *lab, enum lab_node node)
{
	enum lab_node peer = node + 1;

	if (lab->settings.topology == TOPOLOGY_DIRECT)
		peer = NODE_SERVER;
	fprintf(out, "link add %s address %s mtu %u type veth peer name %s address %s mtu %u netns %s/%s\n",
		lab_interface(node, true), topology_mac(node, true), lab->settings.mtu_bytes,
		lab_interface(peer, false), topology_mac(peer, false), lab->settings.mtu_bytes,
		NAMESPACE_FOLDER, lab->netns_name[peer]);
}

static void topology_up(FILE *out, const struct lab *lab, const char *name)
{
	/* No link-local address: it would bring multicast of its own. Where there is no
	 * IPv6 the kernel refuses to be told so. */
	if (lab->ipv6)
		fprintf(out, "link set %s addrgenmode none\n", name);
	fprintf(out, "link set %s up\n", name);
}

static void topology_address(FILE *out, int ip, const struct address *address, const char *interface)
{
	char text[ADDRESS_TEXT_BYTES];

	fprintf(out, "address add %s/%d dev %s%s\n", address_print(text, sizeof(text), address),
		ip == 4 ? 24 : 64, interface, ip == 4 ? "" : " nodad");
}

/* What a node reaches through a neighbour on its link. */
struct way {
	struct address via;
	const char *mac, *interface;
	bool to_server;            /* the servers' link and addresses, or the clients' */
	bool link;                 /* the link's prefix too: it is not our own */
};

static void topology_way(FILE *out, int ip, const struct way *way)
{
	char via[ADDRESS_TEXT_BYTES], prefix[ADDRESS_TEXT_BYTES];
	struct prefix net = way->to_server ? lab_server_prefix(ip) : lab_client_prefix(ip);
	struct address link = lab_link(ip, NODE_DEVICE, way->to_server);

	address_print(via, sizeof(via), &way->via);
	fprintf(out, "neighbour replace %s lladdr %s dev %s nud permanent\n", via, way->mac,
		way->interface);
	/* The first address of the link's prefix is the prefix with one added. */
	link.bytes[ip == 4 ? 3 : 15] = 0;
	if (way->link)
		fprintf(out, "route add %s/%d via %s dev %s onlink\n",
			address_print(prefix, sizeof(prefix), &link), ip == 4 ? 24 : 64, via,
			way->interface);
	fprintf(out, "route add %s via %s dev %s onlink\n", prefix_print(prefix, sizeof(prefix), &net),
		via, way->interface);
}

/* An end node: one interface, its addresses on lo (AnyIP: one local route for all
 * of them), and everything else behind one next hop. */
static void topology_end(FILE *out, const struct lab *lab, enum lab_node node)
{
	const char *name = lab_interface(node, false);
	bool client = node == NODE_CLIENT;
	enum lab_node next = lab->settings.topology == TOPOLOGY_ROUTED ? NODE_DEVICE :
			     client ? NODE_SERVER : NODE_CLIENT;

	fprintf(out, "link set lo up\n");
	topology_up(out, lab, name);
	for (int ip = 4; ip <= (lab->ipv6 ? 6 : 4); ip += 2) {
		struct address own = lab_link(ip, node, false);
		struct prefix net = client ? lab_client_prefix(ip) : lab_server_prefix(ip);
		char text[ADDRESS_TEXT_BYTES];
		struct way way = {
			.via = lab_link(ip, next, !client),
			.mac = topology_mac(next, !client),
			.interface = name,
			.to_server = client,
			.link = true,
		};

		topology_address(out, ip, &own, name);
		fprintf(out, "route add local %s dev lo\n", prefix_print(text, sizeof(text), &net));
		topology_way(out, ip, &way);
	}
}

static void topology_router(FILE *out, const struct lab *lab)
{
	for (int ip = 4; ip <= (lab->ipv6 ? 6 : 4); ip += 2)
		for (int side = 0; side < 2; side++) {
			enum lab_node end = side ? NODE_SERVER : NODE_CLIENT;
			struct address own = lab_link(ip, NODE_DEVICE, side);
			struct way way = {
				.via = lab_link(ip, end, false),
				.mac = topology_mac(end, false),
				.interface = lab_interface(NODE_DEVICE, side),
				.to_server = side,
			};

			topology_address(out, ip, &own, way.interface);
			topology_way(out, ip, &way);
		}
}

static void topology_device(FILE *out, const struct lab *lab)
{
	const char *in = lab_interface(NODE_DEVICE, false), *outside = lab_interface(NODE_DEVICE, true);

	fprintf(out, "link set lo up\n");
	topology_up(out, lab, in);
	topology_up(out, lab, outside);
	if (lab->settings.topology == TOPOLOGY_ROUTED) {
		topology_router(out, lab);
		return;
	}
	/* No snooping, no spanning tree: nothing but forwarding from the first packet. */
	fprintf(out, "link add " LAB_BRIDGE " mtu %u type bridge stp_state 0 forward_delay 0 "
		"mcast_snooping 0\n", lab->settings.mtu_bytes);
	fprintf(out, "link set %s master " LAB_BRIDGE "\nlink set %s master " LAB_BRIDGE "\n", in, outside);
	topology_up(out, lab, LAB_BRIDGE);
}

void topology_batch(FILE *out, const struct lab *lab, enum lab_node node)
{
	if (node != NODE_SERVER)
		topology_pair(out, lab, node);
	if (node == NODE_DEVICE)
		topology_device(out, lab);
	else
		topology_end(out, lab, node);
}

/* ip_forward first: writing it resets others. */
#define QUIET                                                                                   \
	"net/ipv4/conf/all/rp_filter=0", "net/ipv4/conf/default/rp_filter=0",                   \
	"net/ipv4/conf/all/send_redirects=0", "net/ipv4/conf/default/send_redirects=0",         \
	"net/ipv4/conf/all/accept_redirects=0", "net/ipv4/conf/default/accept_redirects=0",     \
	"net/ipv6/conf/all/accept_redirects=0", "net/ipv6/conf/default/accept_redirects=0",     \
	"net/ipv6/conf/all/accept_ra=0", "net/ipv6/conf/default/accept_ra=0",                   \
	"net/ipv6/conf/all/accept_dad=0", "net/ipv6/conf/default/accept_dad=0",                 \
	"net/ipv6/conf/all/disable_ipv6=0", "net/ipv6/conf/default/disable_ipv6=0"

/* An IPv6 socket may be bound to an AnyIP address only with ip_nonlocal_bind. No
 * metrics are saved, or a trial would start with what the one before it learnt. */
#define END                                                                                     \
	"net/ipv6/ip_nonlocal_bind=1", "net/ipv4/tcp_no_metrics_save=1",                        \
	"net/ipv4/ip_local_port_range=10000 65535", "net/core/somaxconn=65535",                 \
	"net/ipv4/tcp_max_syn_backlog=65536"

const char *const *topology_sysctls(enum lab_node node)
{
	static const char *const router[] = { "net/ipv4/ip_forward=1", "net/ipv6/conf/all/forwarding=1",
					      QUIET, NULL };
	static const char *const end[] = { "net/ipv4/ip_forward=0", "net/ipv6/conf/all/forwarding=0",
					   QUIET, END, NULL };

	return node == NODE_DEVICE ? router : end;
}
