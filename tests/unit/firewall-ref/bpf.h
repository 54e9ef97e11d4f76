/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel build of the data path for tests: loaded, not attached, in a network
 * namespace of the test's own, and fed by BPF_PROG_TEST_RUN. */
#ifndef TESTS_FIREWALL_REF_BPF_H
#define TESTS_FIREWALL_REF_BPF_H

#include <bpf/bpf.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>

#include "firewall-ref/kernel/kernel_path.h"
#include "fwref.skel.h"
#include "tests/unit/firewall-ref/native.h"

/* The next hops of native_routes, as the kernel's routes and neighbours. */
#define BPF_LAB_VETH                                              \
	"set -e\n"                                                \
	"ip link add in type veth peer name in-peer\n"            \
	"ip link add out type veth peer name out-peer\n"          \
	"ip link set in-peer up\n"                                \
	"ip link set out-peer up\n"

static const char bpf_lab[] =
	"ip link set in address 02:00:00:00:01:02\n"
	"ip link set out address 02:00:00:00:02:02\n"
	"for i in in out lo; do ip link set $i up; done\n"
	"sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1\n"
	"ip addr add 198.18.0.1/24 dev in\n"
	"ip addr add 198.19.0.1/24 dev out\n"
	"ip addr add 2001:2:0:1::1/64 dev in nodad\n"
	"ip addr add 2001:2:0:2::1/64 dev out nodad\n"
	"ip neigh add 198.18.0.2 lladdr 02:00:00:00:01:01 dev in nud permanent\n"
	"ip neigh add 198.19.0.2 lladdr 02:00:00:00:02:01 dev out nud permanent\n"
	"ip neigh add 2001:2:0:1::2 lladdr 02:00:00:00:01:01 dev in nud permanent\n"
	"ip neigh add 2001:2:0:2::2 lladdr 02:00:00:00:02:01 dev out nud permanent\n"
	"ip route add 198.18.64.0/18 via 198.18.0.2\n"
	"ip route add 198.19.64.0/18 via 198.19.0.2\n"
	"ip route add 2001:2:0:40::/64 via 2001:2:0:1::2\n"
	"ip route add 2001:2:0:80::/64 via 2001:2:0:2::2\n";

/* Enters a namespace with the lab; 0, or -1 where this user or kernel cannot. */
static inline int bpf_lab_enter(void)
{
	char script[sizeof(BPF_LAB_VETH) + sizeof(bpf_lab)];

	if (unshare(CLONE_NEWNET))
		return -1;
	snprintf(script, sizeof(script), "%s%s", BPF_LAB_VETH, bpf_lab);
	return system(script) ? -1 : 0;
}

static inline int bpf_load(unsigned features, struct path **path)
{
	const struct path_options options = { .flow_table_size = 1024 };
	const unsigned interface[2] = { if_nametoindex("in"), if_nametoindex("out") };

	return kernel_path_load(&options, interface, features, true, path);
}

static inline void bpf_publish(struct path *path, const char *text)
{
	struct setting setting;
	struct compiled rules;

	native_policy(text, &setting, &rules);
	assert_int_equal(kernel_path_publish(path, &setting, &rules), 0);
	compiled_free(&rules);
}

/* One frame; changed in place. Returns the verdict with the reason above it. */
static inline uint32_t bpf_run(struct path *path, struct frame *f, const struct packet *p)
{
	struct __sk_buff context = {
		.ifindex = if_nametoindex(p->outside ? "out" : "in"),
		.gso_size = p->gso,
		.gso_segs = p->gso ? (f->bytes + p->gso - 1u) / p->gso : 0,
	};
	uint8_t out[FRAME_MAX];
	LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = f->at, .data_size_in = f->bytes,
		    .data_out = out, .data_size_out = sizeof(out), .ctx_in = &context,
		    .ctx_size_in = sizeof(context), .repeat = 1);

	assert_int_equal(bpf_prog_test_run_opts(bpf_program__fd(path->skeleton->progs.judge), &run), 0);
	assert_int_equal(run.data_size_out, f->bytes);
	memcpy(f->at, out, f->bytes);
	return run.retval;
}

#endif
