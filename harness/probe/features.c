/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/probe/features.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/if_packet.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "common/child.h"
#include "common/own.h"
#include "harness/lab/namespace.h"
#include "harness/lab/offload.h"
#include "harness/lab/shares.h"
#include "harness/probe/machine.h"
#include "harness/probe/tracing.h"

#define COMMAND_TIMEOUT_MS 5000

/* Says why, and is false. */
static bool __attribute__((format(printf, 2, 3))) feature_why(struct trial_ground *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(g->why, sizeof(g->why), fmt, ap);
	va_end(ap);
	return false;
}

static bool feature_ground(struct trial_ground *g)
{
	return g->netns_fd >= 0 ? true : feature_why(g, "no network namespace to try it in");
}

/* Runs a command in the scratch namespace; its first words on stderr are why. */
static bool feature_command(struct trial_ground *g, const char *const *argv, const char *input)
{
	struct child_options o = { .argv = argv, .input = input, .netns_fd = g->netns_fd, .quiet = true };
	OWN_MEM char *err = NULL;
	int code;

	if (!feature_ground(g))
		return false;
	if (!machine_program(argv[0]))
		return feature_why(g, "there is no program %s", argv[0]);
	code = child_run(&o, COMMAND_TIMEOUT_MS, NULL, &err);
	if (!code)
		return true;
	if (err)
		err[strcspn(err, "\n")] = '\0';
	return feature_why(g, "%s", err && *err ? err : code < 0 ? strerror(-code) : "it failed");
}

static bool feature_root(struct trial_ground *g)
{
	return g->host->root ? true : feature_why(g, "not root, or root of a user namespace only");
}

static bool feature_namespaces(struct trial_ground *g)
{
	return g->host->namespaces ? true : feature_why(g, "%s", g->host->why);
}

static bool feature_cores(struct trial_ground *g)
{
	struct cores cores;
	char text[128];

	if (cores_allowed(&cores))
		return feature_why(g, "the allowed cores cannot be read");
	snprintf(g->why, sizeof(g->why), "%u: %s", cores.count, cores_print(text, sizeof(text), &cores));
	return cores.count > 1;
}

static bool feature_veth(struct trial_ground *g)
{
	static const char *const argv[] = { "ip", "link", "add", "try0", "type", "veth", "peer", "name",
					    "try1", NULL };

	return feature_command(g, argv, NULL);
}

static bool feature_bridge(struct trial_ground *g)
{
	static const char *const argv[] = { "ip", "link", "add", "trybr", "type", "bridge", NULL };

	return feature_command(g, argv, NULL);
}

static bool feature_offload(struct trial_ground *g)
{
	int on[16], code;

	if (!feature_ground(g))
		return false;
	code = offload_read(g->netns_fd, "try0", on);
	if (!code && on[0] >= 0)
		code = offload_set(g->netns_fd, "try0", false);
	return !code && on[0] >= 0 ? true : feature_why(g, "%s", code ? strerror(-code) : "no veth pair");
}

static bool feature_steering(struct trial_ground *g)
{
	struct cores cores = { .count = 1 };
	OWN_FD int sysfs = -1;
	int code;

	if (!feature_ground(g))
		return false;
	sysfs = namespace_sysfs(g->netns_fd);
	code = sysfs < 0 ? sysfs : shares_steer_interface(sysfs, "try0", &cores);
	return !code ? true : feature_why(g, "rps_cpus of a veth: %s", strerror(-code));
}

static bool feature_queue(struct trial_ground *g)
{
	static const char path[] = "/proc/sys/net/core/netdev_max_backlog";
	char value[32];
	int code = file_read(AT_FDCWD, path, value, sizeof(value));

	/* The same value written again changes nothing. */
	if (!code)
		code = file_write(AT_FDCWD, path, value);
	return !code ? true : feature_why(g, "%s: %s", path, strerror(-code));
}

static bool feature_clsact(struct trial_ground *g)
{
	static const char *const qdisc[] = { "tc", "qdisc", "add", "dev", "lo", "clsact", NULL };
	static const char *const filter[] = { "tc", "filter", "add", "dev", "lo", "ingress", "bpf",
					      "bytecode", "1,6 0 0 0", NULL };

	return feature_command(g, qdisc, NULL) && feature_command(g, filter, NULL);
}

/* return 0, as a program for the tc hook. */
static bool feature_bpf(struct trial_ground *g)
{
#ifndef HAVE_BPF
	return feature_why(g, "built without clang or bpftool");
#else
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SCHED_CLS;
	attr.insns = (uintptr_t)program;
	attr.insn_cnt = ARRAY_LEN(program);
	attr.license = (uintptr_t)"GPL";
	fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	if (fd < 0)
		return feature_why(g, "loading a program: %s", strerror(errno));
	close(fd);
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return feature_why(g, "the kernel has no type information (/sys/kernel/btf/vmlinux)");
	return true;
#endif
}

static bool feature_tracing(struct trial_ground *g)
{
	struct tracing *tracing;
	int code = tracing_open(getpid(), &tracing);

	if (code == -ENOSYS)
		return feature_why(g, "built without clang or bpftool");
	if (code)
		return feature_why(g, "softirq tracepoints: %s", strerror(-code));
	tracing_close(tracing);
	return true;
}

static bool feature_packet(struct trial_ground *g)
{
	OWN_FD int fd = -1;
	int one = 1;

	if (!feature_ground(g))
		return false;
	fd = namespace_socket(g->netns_fd, AF_PACKET, SOCK_RAW, 0);
	if (fd < 0)
		return feature_why(g, "a packet socket: %s", strerror(-fd));
	if (setsockopt(fd, SOL_PACKET, PACKET_VNET_HDR, &one, sizeof(one)))
		return feature_why(g, "PACKET_VNET_HDR: %s", strerror(errno));
	return true;
}

static bool feature_nftables(struct trial_ground *g)
{
	static const char *const argv[] = { "nft", "-f", "-", NULL };

	return feature_command(g, argv,
		"table inet try {\n"
		" set s { type ipv4_addr; elements = { 198.18.64.1 } }\n"
		" chain f { type filter hook forward priority 0; policy drop;\n"
		"  ct state established accept\n"
		"  ip saddr @s accept\n"
		"  limit rate 500 kbytes/second accept;\n }\n"
		"}\n"
		"table ip try {\n"
		" chain n { type nat hook postrouting priority 100; oifname \"out\" masquerade; }\n"
		"}\n");
}

static bool feature_congestion(struct trial_ground *g)
{
	char available[128];
	int code;

	if (file_read(AT_FDCWD, "/proc/sys/net/ipv4/tcp_available_congestion_control", available,
		      sizeof(available)))
		return feature_why(g, "tcp_available_congestion_control cannot be read");
	if (!feature_ground(g))
		return false;
	code = namespace_sysctl_write(g->netns_fd, "net/ipv4/tcp_congestion_control", "cubic");
	if (code) {
		feature_why(g, "cubic is refused as a namespace's default (%s), the lab uses reno; there are: %s",
		    strerror(-code), available);
		return !namespace_sysctl_write(g->netns_fd, "net/ipv4/tcp_congestion_control", "reno");
	}
	feature_why(g, "the lab uses cubic; there are: %s", available);
	return true;
}

static bool feature_gnuplot(struct trial_ground *g)
{
	static const char *const argv[] = { "gnuplot", "--version", NULL };
	OWN_MEM char *version = machine_version(argv);

	feature_why(g, "%s", version ? version : "there is no program gnuplot");
	return version != NULL;
}

/* Beside this program first: that is where a build has it. */
static bool feature_sibling(struct trial_ground *g, const char *name)
{
	char path[512];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 32);
	char *slash;

	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		snprintf(slash + 1, 32, "%s", name);
	if (slash && !access(path, X_OK)) {
		feature_why(g, "%.250s", path);
		return true;
	}
	return machine_program(name) ? true : feature_why(g, "neither beside fwbench nor in PATH");
}

static bool feature_fwgen(struct trial_ground *g)
{
	return feature_sibling(g, "fwgen");
}

static bool feature_fwref(struct trial_ground *g)
{
	return feature_sibling(g, "fwref");
}

const struct feature feature_table[] = {
	{ "root", "CPU shares, fwref's kernel path, device CPU by softirq time",
	  "run fwbench as root", feature_root },
	{ "namespaces", "the lab on this machine",
	  "run as root, or let the kernel give ordinary users user namespaces", feature_namespaces },
	{ "cores", "CPU shares: the device on cores of its own",
	  "use a machine with two cores or more", feature_cores },
	{ "veth", "the lab's links", "install iproute2; load the module veth", feature_veth },
	{ "bridge", "topology bridged", "load the module bridge", feature_bridge },
	{ "segmentation offload", "MTU-size packets (segmentation-offload: off)",
	  "use a kernel whose veth can switch it", feature_offload },
	{ "receive steering", "CPU shares: receive work on the right cores",
	  "run as root; use a kernel with CONFIG_RPS", feature_steering },
	{ "receive queue length", "no drops in short queues between cores",
	  "run as root, outside of a container", feature_queue },
	{ "tc clsact", "fwref's kernel path", "run as root; load the modules sch_ingress and cls_bpf",
	  feature_clsact },
	{ "BPF", "fwref's kernel path, device CPU by softirq time",
	  "run as root; build with clang and bpftool", feature_bpf },
	{ "softirq tracing", "device CPU by softirq time",
	  "run as root; use a kernel with CONFIG_BPF_EVENTS and CONFIG_DEBUG_INFO_BTF",
	  feature_tracing },
	{ "packet sockets", "fwref's user path", "load the module af_packet", feature_packet },
	{ "nftables", "device nftables", "install nftables; load nf_tables, nft_ct, nft_masq, nft_limit",
	  feature_nftables },
	{ "congestion control", "the same TCP in every node", "load the module tcp_cubic",
	  feature_congestion },
	{ "fwgen", "traffic", "build it (make) or put it into PATH", feature_fwgen },
	{ "fwref", "device fwref", "build it (make) or put it into PATH", feature_fwref },
	{ "gnuplot", "figures of the report", "install gnuplot-nox", feature_gnuplot },
};
const size_t feature_count = ARRAY_LEN(feature_table);
