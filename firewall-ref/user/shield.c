/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/user/shield.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"

/* The kernel keeps no name of a classic program: priority and handle tell ours. */
#define SHIELD_PRIORITY 251u
#define SHIELD_HANDLE 1u
#define SHIELD_OWN_MAX 24 /* addresses of a family; with more the family is let through */
#define SHIELD_INSTRUCTIONS 448

enum { SHIELD_PASS = TC_ACT_UNSPEC, SHIELD_DROP = TC_ACT_SHOT };

struct code {
	struct sock_filter at[SHIELD_INSTRUCTIONS];
	uint16_t count;
};

static void code_add(struct code *c, uint16_t op, uint8_t jt, uint8_t jf, uint32_t k)
{
	if (c->count < SHIELD_INSTRUCTIONS)
		c->at[c->count++] = (struct sock_filter){ op, jt, jf, k };
}

static void code_load(struct code *c, uint16_t size, uint32_t offset)
{
	code_add(c, (uint16_t)(BPF_LD | size | BPF_ABS), 0, 0, offset);
}

static void code_return(struct code *c, int what)
{
	code_add(c, BPF_RET | BPF_K, 0, 0, (uint32_t)what);
}

/* Returns what if the loaded value compares (BPF_JEQ, BPF_JGE, BPF_JSET) with k. */
static void code_return_if(struct code *c, uint16_t how, uint32_t k, int what)
{
	code_add(c, (uint16_t)(BPF_JMP | how | BPF_K), 0, 1, k);
	code_return(c, what);
}

/* TCP and UDP to the NAT address: from port 1024 on they are NAT's. */
static void code_nat(struct code *c)
{
	code_load(c, BPF_B, 23);
	code_add(c, BPF_JMP | BPF_JEQ | BPF_K, 2, 0, IPPROTO_TCP);
	code_add(c, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, IPPROTO_UDP);
	code_return(c, SHIELD_PASS);
	code_load(c, BPF_H, 20);
	code_return_if(c, BPF_JSET, 0x1fff, SHIELD_DROP);
	code_add(c, BPF_LDX | BPF_B | BPF_MSH, 0, 0, 14);
	code_add(c, BPF_LD | BPF_H | BPF_IND, 0, 0, 16);
	code_return_if(c, BPF_JGE, 1024, SHIELD_DROP);
	code_return(c, SHIELD_PASS);
}

static void code_ipv4(struct code *c, const struct ifaddrs *list, uint32_t nat_address)
{
	unsigned own = 0;

	code_load(c, BPF_W, 30);
	if (nat_address) {
		uint16_t jump = c->count;

		code_add(c, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, ntohl(nat_address));
		code_nat(c);
		c->at[jump].jf = (uint8_t)(c->count - jump - 1);
	}
	for (const struct ifaddrs *a = list; a; a = a->ifa_next) {
		const struct sockaddr_in *address = (void *)a->ifa_addr;
		const struct sockaddr_in *broadcast = (void *)a->ifa_broadaddr;

		if (!address || address->sin_family != AF_INET)
			continue;
		if (++own > SHIELD_OWN_MAX) {
			code_return(c, SHIELD_PASS);
			return;
		}
		code_return_if(c, BPF_JEQ, ntohl(address->sin_addr.s_addr), SHIELD_PASS);
		if (broadcast && a->ifa_flags & IFF_BROADCAST)
			code_return_if(c, BPF_JEQ, ntohl(broadcast->sin_addr.s_addr), SHIELD_PASS);
	}
	code_return_if(c, BPF_JGE, 0xe0000000u, SHIELD_PASS); /* multicast, broadcast */
	code_return(c, SHIELD_DROP);
}

static void code_ipv6(struct code *c, const struct ifaddrs *list)
{
	unsigned own = 0;

	code_load(c, BPF_B, 38);
	code_return_if(c, BPF_JEQ, 0xff, SHIELD_PASS); /* multicast: neighbour discovery */
	code_return_if(c, BPF_JEQ, 0xfe, SHIELD_PASS); /* link-local: the same */
	for (const struct ifaddrs *a = list; a; a = a->ifa_next) {
		const struct sockaddr_in6 *address = (void *)a->ifa_addr;

		if (!address || address->sin6_family != AF_INET6)
			continue;
		if (++own > SHIELD_OWN_MAX) {
			code_return(c, SHIELD_PASS);
			return;
		}
		for (uint8_t i = 0; i < 4; i++) {
			code_load(c, BPF_W, 38u + 4u * i);
			code_add(c, BPF_JMP | BPF_JEQ | BPF_K, 0, (uint8_t)(7 - 2 * i),
				 ntohl(address->sin6_addr.s6_addr32[i]));
		}
		code_return(c, SHIELD_PASS);
	}
	code_return(c, SHIELD_DROP);
}

static int code_make(struct code *c, uint32_t nat_address)
{
	struct ifaddrs *list;
	uint16_t ipv6;

	c->count = 0;
	if (getifaddrs(&list))
		return -errno;
	code_load(c, BPF_H, 12);
	code_add(c, BPF_JMP | BPF_JEQ | BPF_K, 3, 0, ETH_P_IP);
	code_add(c, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ETH_P_IPV6);
	code_return(c, SHIELD_PASS);
	ipv6 = c->count;
	code_add(c, BPF_JMP | BPF_JA, 0, 0, 0);
	code_ipv4(c, list, nat_address);
	c->at[ipv6].k = c->count - ipv6 - 1u;
	code_ipv6(c, list);
	freeifaddrs(list);
	return c->count < SHIELD_INSTRUCTIONS ? 0 : -E2BIG;
}

/* ---- the hook ------------------------------------------------------------ */

static void shield_message(struct message *m, uint16_t type, uint16_t flags, uint32_t interface)
{
	const struct tcmsg tc = {
		.tcm_family = AF_UNSPEC, .tcm_ifindex = (int)interface, .tcm_handle = SHIELD_HANDLE,
		.tcm_parent = TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS),
		.tcm_info = TC_H_MAKE(SHIELD_PRIORITY << 16, htons(ETH_P_ALL)),
	};

	message_start(m, type, flags, &tc, sizeof(tc));
	message_put(m, TCA_KIND, "bpf", sizeof("bpf"));
}

static int shield_qdisc(struct netlink *nl, uint16_t type, uint16_t flags, uint32_t interface)
{
	const struct tcmsg tc = { .tcm_family = AF_UNSPEC, .tcm_ifindex = (int)interface,
				  .tcm_handle = TC_H_MAKE(TC_H_CLSACT, 0),
				  .tcm_parent = TC_H_CLSACT };
	struct message m;

	message_start(&m, type, flags, &tc, sizeof(tc));
	message_put(&m, TCA_KIND, "clsact", sizeof("clsact"));
	return netlink_ask(nl, &m, NULL, NULL);
}

struct shield_found {
	bool ours;
	unsigned filters;
};

static void shield_take(const struct nlmsghdr *h, void *context)
{
	struct shield_found *found = context;
	const struct tcmsg *tc = NLMSG_DATA(h);
	const struct rtattr *options = netlink_attribute(h, sizeof(*tc), TCA_OPTIONS);
	int left = options ? (int)RTA_PAYLOAD(options) : 0;

	if (h->nlmsg_type != RTM_NEWTFILTER || !options)
		return;
	found->filters++;
	if (tc->tcm_handle != SHIELD_HANDLE || TC_H_MAJ(tc->tcm_info) >> 16 != SHIELD_PRIORITY)
		return;
	for (const struct rtattr *a = RTA_DATA(options); RTA_OK(a, left); a = RTA_NEXT(a, left))
		found->ours |= a->rta_type == TCA_BPF_OPS;
}

/* The filters on one hook of the interface. */
static void shield_look(struct netlink *nl, uint32_t interface, uint32_t hook,
			struct shield_found *found)
{
	const struct tcmsg tc = { .tcm_family = AF_UNSPEC, .tcm_ifindex = (int)interface,
				  .tcm_parent = TC_H_MAKE(TC_H_CLSACT, hook) };
	struct message m;

	message_start(&m, RTM_GETTFILTER, NLM_F_DUMP, &tc, sizeof(tc));
	netlink_ask(nl, &m, shield_take, found);
}

static int shield_attach(struct netlink *nl, uint32_t interface, const struct code *code)
{
	const uint32_t flags = TCA_BPF_FLAG_ACT_DIRECT;
	struct rtattr *nest;
	struct message m;

	shield_message(&m, RTM_NEWTFILTER, NLM_F_CREATE, interface);
	nest = message_nest(&m, TCA_OPTIONS);
	message_put(&m, TCA_BPF_OPS_LEN, &code->count, sizeof(code->count));
	message_put(&m, TCA_BPF_OPS, code->at, code->count * sizeof(code->at[0]));
	message_put(&m, TCA_BPF_FLAGS, &flags, sizeof(flags));
	message_end(&m, nest);
	return netlink_ask(nl, &m, NULL, NULL);
}

/* The hook itself, and whether it will be ours to remove. */
static int shield_hook(struct shield *shield, struct netlink *nl, int side)
{
	struct shield_found found = { 0 };
	int error = shield_qdisc(nl, RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL,
				 shield->interface[side]);

	shield->qdisc_ours[side] = !error;
	if (error != -EEXIST)
		return error;
	shield_look(nl, shield->interface[side], TC_H_MIN_INGRESS, &found);
	if (found.ours) {
		log_info("took over the ingress filter that a fwref left on %s when it was killed",
			 shield->name[side]);
		shield_look(nl, shield->interface[side], TC_H_MIN_EGRESS, &found);
		shield->qdisc_ours[side] = found.filters == 1;
	}
	return 0;
}

int shield_raise(struct shield *shield, uint32_t nat_address)
{
	struct netlink nl = { .fd = -1 };
	struct code code;
	int error = code_make(&code, nat_address);

	if (!error)
		error = netlink_open(&nl, 0);
	for (int side = 0; side < 2 && !error; side++) {
		if (!shield->attached[side])
			error = shield_hook(shield, &nl, side);
		if (!error)
			error = shield_attach(&nl, shield->interface[side], &code);
		if (!error)
			shield->attached[side] = true;
	}
	netlink_close(&nl);
	if (error)
		log_err(error, "ingress filter (cls_bpf): %s", strerror(-error));
	return error;
}

void shield_lower(struct shield *shield)
{
	struct netlink nl = { .fd = -1 };
	struct message m;

	if (netlink_open(&nl, 0))
		return;
	for (int side = 0; side < 2; side++) {
		if (shield->attached[side]) {
			shield_message(&m, RTM_DELTFILTER, 0, shield->interface[side]);
			netlink_ask(&nl, &m, NULL, NULL);
		}
		if (shield->qdisc_ours[side])
			shield_qdisc(&nl, RTM_DELQDISC, 0, shield->interface[side]);
		shield->attached[side] = shield->qdisc_ours[side] = false;
	}
	netlink_close(&nl);
}
