/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/user/router.h"

#include <errno.h>
#include <linux/neighbour.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"

#define ROUTER_KEEP_NS (10 * NS_PER_S)
#define ROUTER_RETRY_NS (10 * NS_PER_MS) /* for what was not resolved: no storm of questions */
#define ROUTER_VALID (NUD_REACHABLE | NUD_STALE | NUD_DELAY | NUD_PROBE | NUD_PERMANENT | NUD_NOARP)
#define ROUTER_GROUPS (RTMGRP_LINK | RTMGRP_NEIGH | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE | \
		       RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR)

static int router_family(uint8_t family)
{
	return family == 6 ? AF_INET6 : AF_INET;
}

static size_t router_address_bytes(uint8_t family)
{
	return family == 6 ? 16 : 4;
}

static uint32_t router_hash(const uint32_t *address, uint32_t salt)
{
	uint64_t h = ((uint64_t)address[0] << 32 | address[1]) * 0x9e3779b97f4a7c15ull;

	h = (h ^ h >> 32 ^ ((uint64_t)address[2] << 32 | address[3]) ^ salt) * 0xd6e8feb86659fd93ull;
	return (uint32_t)(h >> 32);
}

/* ---- the interfaces ---------------------------------------------------- */

static int router_interface(struct router *router, int side, const char *name)
{
	OWN_FD int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { 0 };

	if (fd < 0)
		return -errno;
	router->interface[side] = if_nametoindex(name);
	if (!router->interface[side])
		return -errno;
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	if (ioctl(fd, SIOCGIFHWADDR, &request))
		return -errno;
	memcpy(router->link[side], request.ifr_hwaddr.sa_data, 6);
	if (ioctl(fd, SIOCGIFMTU, &request))
		return -errno;
	router->mtu[side] = (uint32_t)request.ifr_mtu;
	return 0;
}

static void router_close_sockets(struct router *router)
{
	netlink_close(&router->ask);
	netlink_close(&router->watch);
}

int router_open(struct router *router, const char *const names[2])
{
	int error = 0;

	memset(router, 0, sizeof(*router));
	router->ask.fd = router->watch.fd = -1;
	router->generation = 1;
	router->kept = calloc(ROUTER_KEPT, sizeof(*router->kept));
	router->neighbours = calloc(ROUTER_NEIGHBOURS, sizeof(*router->neighbours));
	if (!router->kept || !router->neighbours)
		error = log_err(-ENOMEM, "no memory for routes");
	for (int side = 0; side < 2 && !error; side++) {
		error = router_interface(router, side, names[side]);
		if (error)
			log_err(error, "interface %s: %s", names[side], strerror(-error));
	}
	if (!error) {
		error = netlink_open(&router->watch, ROUTER_GROUPS);
		if (!error)
			error = netlink_open(&router->ask, 0);
		if (error)
			log_err(error, "rtnetlink: %s", strerror(-error));
	}
	if (error)
		router_close(router);
	return error;
}

void router_close(struct router *router)
{
	router_close_sockets(router);
	free(router->kept);
	free(router->neighbours);
	router->kept = NULL;
	router->neighbours = NULL;
}

/* ---- neighbours --------------------------------------------------------- */

/* Where the neighbour stands or may stand: a new one replaces its forerunner. */
static struct router_neighbour *router_neighbour_slot(struct router *router, uint32_t interface,
						      const uint32_t *address)
{
	return &router->neighbours[router_hash(address, interface) % ROUTER_NEIGHBOURS];
}

static bool router_neighbour_is(const struct router_neighbour *n, uint32_t interface,
				uint8_t family, const uint32_t *address)
{
	return n->interface == interface && n->family == family &&
	       !memcmp(n->address, address, sizeof(n->address));
}

/* A neighbour as an answer or a report has it. False: not one of those. */
static bool router_neighbour_read(const struct nlmsghdr *h, struct router_neighbour *out)
{
	const struct ndmsg *nd = NLMSG_DATA(h);
	const struct rtattr *address, *link;

	*out = (struct router_neighbour){ .interface = (uint32_t)nd->ndm_ifindex,
					  .state = nd->ndm_state };
	if (nd->ndm_family != AF_INET && nd->ndm_family != AF_INET6)
		return false;
	out->family = nd->ndm_family == AF_INET ? 4 : 6;
	address = netlink_attribute(h, sizeof(*nd), NDA_DST);
	link = netlink_attribute(h, sizeof(*nd), NDA_LLADDR);
	if (!address || RTA_PAYLOAD(address) != router_address_bytes(out->family))
		return false;
	memcpy(out->address, RTA_DATA(address), RTA_PAYLOAD(address));
	if (link && RTA_PAYLOAD(link) == sizeof(out->link))
		memcpy(out->link, RTA_DATA(link), sizeof(out->link));
	else
		out->state = NUD_NONE;
	if (h->nlmsg_type == RTM_DELNEIGH)
		out->state = NUD_NONE;
	return true;
}

static void router_neighbour_take(const struct nlmsghdr *h, void *context)
{
	struct router_neighbour *out = context, n;

	if (h->nlmsg_type == RTM_NEWNEIGH && router_neighbour_read(h, &n))
		*out = n;
}

static void router_neighbour_message(struct message *m, uint16_t type, uint16_t flags,
				     const struct router_neighbour *n, uint8_t ndm_flags)
{
	struct ndmsg nd = { .ndm_family = (uint8_t)router_family(n->family),
			    .ndm_ifindex = (int)n->interface, .ndm_flags = ndm_flags };

	message_start(m, type, flags, &nd, sizeof(nd));
	message_put(m, NDA_DST, n->address, router_address_bytes(n->family));
}

/* Has the kernel find out, or make sure, where the neighbour is. */
static void router_probe(struct router *router, const struct router_neighbour *n)
{
	struct message m;

	router_neighbour_message(&m, RTM_NEWNEIGH, NLM_F_CREATE, n, NTF_USE);
	netlink_ask(&router->ask, &m, NULL, NULL);
}

static struct router_neighbour *router_neighbour(struct router *router, uint32_t interface,
						 uint8_t family, const uint32_t *address)
{
	struct router_neighbour *n = router_neighbour_slot(router, interface, address);
	struct router_neighbour found = { .interface = interface, .family = family };
	struct message m;

	if (router_neighbour_is(n, interface, family, address) && n->state & ROUTER_VALID)
		return n;
	memcpy(found.address, address, sizeof(found.address));
	router_neighbour_message(&m, RTM_GETNEIGH, 0, &found, 0);
	if (netlink_ask(&router->ask, &m, router_neighbour_take, &found))
		found.state = NUD_NONE;
	if (!(found.state & ROUTER_VALID))
		router_probe(router, &found);
	*n = found;
	return n;
}

/* ---- routes ------------------------------------------------------------- */

struct router_route {
	uint8_t family, type;           /* RTN_* */
	uint32_t interface;
	uint32_t gateway[4];            /* or the destination itself */
	uint8_t gateway_family;
	bool found;
};

static void router_route_take(const struct nlmsghdr *h, void *context)
{
	struct router_route *route = context;
	const struct rtmsg *rt = NLMSG_DATA(h);
	const struct rtattr *out, *gateway, *via;

	if (h->nlmsg_type != RTM_NEWROUTE)
		return;
	route->found = true;
	route->type = rt->rtm_type;
	out = netlink_attribute(h, sizeof(*rt), RTA_OIF);
	if (out && RTA_PAYLOAD(out) == sizeof(route->interface))
		memcpy(&route->interface, RTA_DATA(out), sizeof(route->interface));
	gateway = netlink_attribute(h, sizeof(*rt), RTA_GATEWAY);
	if (gateway && RTA_PAYLOAD(gateway) == router_address_bytes(route->family)) {
		memset(route->gateway, 0, sizeof(route->gateway));
		memcpy(route->gateway, RTA_DATA(gateway), RTA_PAYLOAD(gateway));
	}
	via = netlink_attribute(h, sizeof(*rt), RTA_VIA); /* IPv4 by way of an IPv6 gateway */
	if (via && RTA_PAYLOAD(via) == sizeof(struct rtvia) + 16) {
		memcpy(route->gateway, ((struct rtvia *)RTA_DATA(via))->rtvia_addr, 16);
		route->gateway_family = 6;
	}
}

static enum route_result router_route(struct router *router, const struct flow_key *key,
				      struct router_route *route)
{
	struct rtmsg rt = { .rtm_family = (uint8_t)router_family(key->family),
			    .rtm_dst_len = (uint8_t)(8 * router_address_bytes(key->family)) };
	struct message m;

	*route = (struct router_route){ .family = key->family, .gateway_family = key->family };
	memcpy(route->gateway, key->destination, sizeof(route->gateway));
	message_start(&m, RTM_GETROUTE, 0, &rt, sizeof(rt));
	message_put(&m, RTA_DST, key->destination, router_address_bytes(key->family));
	if (netlink_ask(&router->ask, &m, router_route_take, route) || !route->found)
		return ROUTE_NONE;
	if (route->type == RTN_LOCAL || route->type == RTN_BROADCAST ||
	    route->type == RTN_MULTICAST || route->type == RTN_ANYCAST)
		return ROUTE_LOCAL;
	if (route->type != RTN_UNICAST ||
	    (route->interface != router->interface[0] && route->interface != router->interface[1]))
		return ROUTE_NONE;
	return ROUTE_FORWARD;
}

static void router_find(struct router *router, const struct flow_key *key, uint64_t now_ns,
			struct router_kept *kept)
{
	struct router_route route;
	const struct router_neighbour *n;
	int side;

	*kept = (struct router_kept){ .generation = router->generation, .family = key->family,
				      .until_ns = now_ns + ROUTER_KEEP_NS };
	memcpy(kept->destination, key->destination, sizeof(kept->destination));
	kept->result = (uint8_t)router_route(router, key, &route);
	if (kept->result != ROUTE_FORWARD)
		return;
	side = route.interface == router->interface[1];
	n = router_neighbour(router, route.interface, route.gateway_family, route.gateway);
	kept->hop.interface = route.interface;
	kept->hop.mtu = router->mtu[side];
	memcpy(kept->hop.source, router->link[side], 6);
	if (n->state & ROUTER_VALID) {
		memcpy(kept->hop.destination, n->link, 6);
	} else {
		kept->hop.flags = HOP_RESOLVE;
		kept->until_ns = now_ns + ROUTER_RETRY_NS;
	}
}

enum route_result router_ask(struct router *router, const struct flow_key *key, uint64_t now_ns,
			     struct next_hop *hop)
{
	struct router_kept *kept =
		&router->kept[router_hash(key->destination, key->family) % ROUTER_KEPT];

	if (kept->generation != router->generation || kept->family != key->family ||
	    now_ns >= kept->until_ns ||
	    memcmp(kept->destination, key->destination, sizeof(kept->destination)))
		router_find(router, key, now_ns, kept);
	*hop = kept->hop;
	return (enum route_result)kept->result;
}

/* ---- reports ------------------------------------------------------------ */

static void router_report_neighbour(struct router *router, const struct nlmsghdr *h)
{
	struct router_neighbour news, *n;

	if (!router_neighbour_read(h, &news))
		return;
	n = router_neighbour_slot(router, news.interface, news.address);
	if (!router_neighbour_is(n, news.interface, news.family, news.address))
		return;
	if (!(n->state & ROUTER_VALID) != !(news.state & ROUTER_VALID) ||
	    memcmp(n->link, news.link, sizeof(n->link)))
		router->generation++;
	news.used = true;
	*n = news;
}

static void router_report_link(struct router *router, const struct nlmsghdr *h)
{
	const struct ifinfomsg *link = NLMSG_DATA(h);
	const struct rtattr *address = netlink_attribute(h, sizeof(*link), IFLA_ADDRESS);
	const struct rtattr *mtu = netlink_attribute(h, sizeof(*link), IFLA_MTU);

	for (int side = 0; side < 2; side++) {
		if (router->interface[side] != (uint32_t)link->ifi_index)
			continue;
		router->generation++;
		if (address && RTA_PAYLOAD(address) == 6)
			memcpy(router->link[side], RTA_DATA(address), 6);
		if (mtu && RTA_PAYLOAD(mtu) == sizeof(router->mtu[side]))
			memcpy(&router->mtu[side], RTA_DATA(mtu), sizeof(router->mtu[side]));
	}
}

static void router_report(struct router *router, const struct nlmsghdr *h)
{
	switch (h->nlmsg_type) {
	case RTM_NEWNEIGH:
	case RTM_DELNEIGH:
		router_report_neighbour(router, h);
		break;
	case RTM_NEWLINK:
		router_report_link(router, h);
		break;
	case RTM_NEWADDR:
	case RTM_DELADDR:
		router->addresses_changed = true;
		router->generation++;
		break;
	default:
		router->generation++;
	}
}

/* Reports were lost: what is kept may be wrong. */
static void router_forget(struct router *router)
{
	memset(router->neighbours, 0, ROUTER_NEIGHBOURS * sizeof(*router->neighbours));
	router->generation++;
	router->addresses_changed = true;
}

void router_watch(struct router *router)
{
	struct netlink *nl = &router->watch;

	for (;;) {
		ssize_t n = recv(nl->fd, nl->buffer, sizeof(nl->buffer), MSG_DONTWAIT);
		int left = (int)n;

		if (n < 0 && errno == ENOBUFS) {
			router_forget(router);
			continue;
		}
		if (n <= 0)
			return;
		for (struct nlmsghdr *h = (struct nlmsghdr *)nl->buffer;
		     NLMSG_OK(h, (uint32_t)left); h = NLMSG_NEXT(h, left))
			router_report(router, h);
	}
}

void router_tick(struct router *router)
{
	for (uint32_t i = 0; i < ROUTER_NEIGHBOURS; i++) {
		struct router_neighbour *n = &router->neighbours[i];

		if (n->interface && n->used && n->state == NUD_STALE)
			router_probe(router, n);
	}
}
