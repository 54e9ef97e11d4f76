/* SPDX-License-Identifier: BSD-2-Clause */
/* The native build of the data path with a policy from text, for tests. */
#ifndef TESTS_FIREWALL_REF_NATIVE_H
#define TESTS_FIREWALL_REF_NATIVE_H

#include <stdlib.h>

#include "firewall-ref/policy.h"
#include "firewall-ref/policy_compile.h"
#include "firewall-ref/user/layer_native.h"
/* After the layer whose words it uses. */
#include "firewall-ref/datapath/pipeline.h"
#include "tests/unit/firewall-ref/frame.h"

#define NATIVE_S 1000000000ull

/* The link addresses of the next hops on both sides, in both builds. */
static const uint8_t native_link[2][6] __attribute__((unused)) = {
	{ 2, 0, 0, 0, 1, 1 }, { 2, 0, 0, 0, 2, 1 },
};

/* Reads and compiles text; *setting and *rules are for publish, rules owned by the
 * caller (compiled_free). Fails the test on an error. */
static inline void native_policy(const char *text, struct setting *setting, struct compiled *rules)
{
	struct policy policy;
	uint32_t mask = 0;

	assert_int_equal(policy_read_text(&policy, "test", text, strlen(text)), 0);
	assert_int_equal(policy_compile(&policy, rules), 0);
	*setting = (struct setting){ .rules = rules->head };
	if (policy.inspect_tcp)
		setting->flags |= SETTING_INSPECT;
	if (policy.nat.on) {
		setting->flags |= SETTING_NAT;
		mask = htonl(policy.nat.prefix.length ? ~0u << (32 - policy.nat.prefix.length) : 0);
		memcpy(&setting->nat_source, policy.nat.prefix.address.bytes, 4);
		setting->nat_source_mask = mask;
		memcpy(&setting->nat_address, policy.nat.address.bytes, 4);
		if (!policy.nat.address.family)
			inet_pton(AF_INET, host_text[OUTSIDE], &setting->nat_address);
	}
	policy_free(&policy);
}

static inline void native_publish(struct tables *tables, const char *text)
{
	struct setting setting;
	struct compiled rules;

	native_policy(text, &setting, &rules);
	assert_int_equal(tables_publish(tables, &setting, &rules), 0);
	compiled_free(&rules);
}

static inline void native_routes(struct routes *routes)
{
	static const enum host own[] = { GATEWAY, OUTSIDE };

	memset(routes, 0, sizeof(*routes));
	for (uint32_t side = 0; side < 2; side++) {
		routes->hop[side].interface = side + 1;
		routes->hop[side].mtu = 1500;
		memcpy(routes->hop[side].destination, native_link[side], 6);
		memcpy(routes->hop[side].source, (uint8_t[]){ 2, 0, 0, 0, (uint8_t)(side + 1), 2 }, 6);
	}
	for (uint32_t i = 0; i < 2; i++) {
		routes->own[i].family = 4;
		inet_pton(AF_INET, host_text[own[i]], routes->own[i].source);
	}
	routes->own_count = 2;
}

/* One frame at now_ns; changed in place. *d tells the rest. */
static inline enum verdict native_run(struct tables *tables, struct routes *routes,
				      struct frame *f, const struct packet *p, uint64_t now_ns,
				      struct descriptor *d)
{
	struct layer layer = {
		.tables = tables, .routes = routes, .frame = f->at, .head_bytes = f->bytes,
		.frame_bytes = f->bytes, .gso_bytes = p->gso, .now_ns = now_ns,
		.side = p->outside ? SIDE_OUTSIDE : SIDE_INSIDE,
	};

	memset(d, 0, sizeof(*d));
	return pipeline_run(&layer, d);
}

#endif
