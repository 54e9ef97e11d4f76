/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/kernel/kernel_path.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/log.h"
#include "common/own.h"
#include "fwref.skel.h"

#define HOOK_TCX_INGRESS 46 /* BPF_TCX_INGRESS */
#define HOOK_PRIORITY 1
#define HOOK_HANDLE 0xf3ef0001u     /* of a filter in somebody else's clsact qdisc */
#define HOOK_HANDLE_OWN 0xf3ef0002u /* in one of ours */

static int quiet(enum libbpf_print_level level, const char *format, va_list arguments)
{
	char line[512];

	if (level == LIBBPF_DEBUG)
		return 0;
	vsnprintf(line, sizeof(line), format, arguments);
	line[strcspn(line, "\n")] = '\0';
	log_debug("%s", line);
	return 0;
}

static int load_error(int error)
{
	if (error == -EPERM || (error == -EACCES && geteuid())) /* the verifier says EACCES too */
		return log_err(-EPERM, "kernel path: loading BPF programs needs root (CAP_BPF, "
				       "CAP_NET_ADMIN); run as root or use --path user");
	return log_err(-ENOTSUP, "kernel path: the kernel refuses the program: %s; it needs Linux 5.17 "
			      "with BTF (--path user works without)", strerror(-error));
}

static void sizes_set(struct fwref_bpf *skeleton, const struct path *path)
{
	bpf_map__set_max_entries(skeleton->maps.flow_keys, path->flow_size * 2);
	bpf_map__set_max_entries(skeleton->maps.flows, path->flow_size);
	bpf_map__set_max_entries(skeleton->maps.free_flows, path->flow_size);
	bpf_map__set_max_entries(skeleton->maps.buckets, path->filter_capacity * SLOTS);
	bpf_map__set_max_entries(skeleton->maps.filter_counts, path->filter_capacity * SLOTS);
}

static int free_flows_fill(struct path *path)
{
	int fd = bpf_map__fd(path->skeleton->maps.free_flows);

	for (uint32_t i = path->flow_size; i--;)
		if (bpf_map_update_elem(fd, NULL, &i, 0))
			return log_err(-errno, "kernel path: filling the flow table: %s",
				       strerror(errno));
	return 0;
}

/* Is there a kernel function for programs by that name? */
static bool kernel_has(const char *name)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool has = btf && btf__find_by_name_kind(btf, name, BTF_KIND_FUNC) > 0;

	btf__free(btf);
	return has;
}

static void own_path(struct path **path)
{
	kernel_path_free(*path);
}

int kernel_path_load(const struct path_options *options, const unsigned interface[2],
		     unsigned features, bool judge, struct path **out)
{
	__attribute__((cleanup(own_path))) struct path *path = calloc(1, sizeof(*path));
	int cpus = libbpf_num_possible_cpus(), error;

	if (!path)
		return log_err(-ENOMEM, "kernel path: out of memory");
	if (cpus < 1)
		return log_err(cpus, "kernel path: cannot count the cores");
	path->hook[0].link = path->hook[1].link = -1;
	path->cpus = (unsigned)cpus;
	path->flow_size = options->flow_table_size;
	path->filter_capacity = options->filter_capacity > FILTERS_MIN ? options->filter_capacity
								       : FILTERS_MIN;
	libbpf_set_print(quiet);
	path->skeleton = fwref_bpf__open();
	if (!path->skeleton)
		return load_error(-errno);
	sizes_set(path->skeleton, path);
	bpf_program__set_autoload(judge ? path->skeleton->progs.fwref : path->skeleton->progs.judge,
				  false);
	path->skeleton->rodata->inside_interface = interface[0];
	path->skeleton->rodata->outside_interface = interface[1];
	path->skeleton->rodata->filter_capacity = path->filter_capacity;
	path->skeleton->rodata->can_cast = features & FEATURE_CAST && kernel_has("bpf_cast_to_kern_ctx");
	error = fwref_bpf__load(path->skeleton);
	if (error)
		return load_error(error);
	error = free_flows_fill(path);
	if (!error)
		*out = TAKE_PTR(path);
	return error;
}

void kernel_path_free(struct path *path)
{
	if (!path)
		return;
	fwref_bpf__destroy(path->skeleton);
	free(path);
}

/* By hand: the C library's and libbpf's headers may be older than the kernel. */
static int hook_link(unsigned interface, int program)
{
	union bpf_attr attributes = { .link_create = { .prog_fd = (__u32)program,
						       .target_ifindex = interface,
						       .attach_type = HOOK_TCX_INGRESS } };

	return (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attributes, sizeof(attributes));
}

static uint32_t hook_handle(const struct hook *hook)
{
	return hook->created ? HOOK_HANDLE_OWN : HOOK_HANDLE;
}

/* Did a killed fwref leave a filter of this handle? */
static bool hook_left(struct bpf_tc_hook *tc, uint32_t handle)
{
	LIBBPF_OPTS(bpf_tc_opts, options, .handle = handle, .priority = HOOK_PRIORITY);

	return !bpf_tc_query(tc, &options);
}

/* By a filter; one that a killed fwref left is replaced, and its qdisc taken over. */
static int hook_filter(struct hook *hook, unsigned interface, int program)
{
	LIBBPF_OPTS(bpf_tc_hook, tc, .ifindex = (int)interface, .attach_point = BPF_TC_INGRESS);
	LIBBPF_OPTS(bpf_tc_opts, options, .prog_fd = program, .priority = HOOK_PRIORITY,
		    .flags = BPF_TC_F_REPLACE);
	int error = bpf_tc_hook_create(&tc);

	if (error && error != -EEXIST)
		return error;
	hook->created = !error || hook_left(&tc, HOOK_HANDLE_OWN);
	hook->interface = interface;
	options.handle = hook_handle(hook);
	return bpf_tc_attach(&tc, &options);
}

static int hook_attach(struct hook *hook, unsigned interface, int program, unsigned features)
{
	hook->link = features & FEATURE_LINK ? hook_link(interface, program) : -1;
	return hook->link >= 0 ? 0 : hook_filter(hook, interface, program);
}

static void hook_detach(struct hook *hook)
{
	LIBBPF_OPTS(bpf_tc_hook, tc, .ifindex = (int)hook->interface, .attach_point = BPF_TC_INGRESS);
	LIBBPF_OPTS(bpf_tc_opts, options, .handle = hook_handle(hook), .priority = HOOK_PRIORITY);

	if (hook->link >= 0)
		close(hook->link);
	hook->link = -1;
	if (!hook->interface)
		return;
	bpf_tc_detach(&tc, &options);
	if (hook->created) {
		tc.attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS;
		bpf_tc_hook_destroy(&tc);
	}
	hook->interface = 0;
}

static void kernel_path_close(struct path *path)
{
	if (!path)
		return;
	hook_detach(&path->hook[0]);
	hook_detach(&path->hook[1]);
	kernel_path_free(path);
}

static void own_open_path(struct path **path)
{
	kernel_path_close(*path);
}

/* Off, the kernel's routing look-up answers nothing. */
static void forwarding_check(const char *name)
{
	char file[128];
	OWN_FILE FILE *in = NULL;

	snprintf(file, sizeof(file), "/proc/sys/net/ipv4/conf/%s/forwarding", name);
	in = fopen(file, "re");
	if (in && fgetc(in) == '0')
		log_warn("%s: IPv4 forwarding is off: every packet will be dropped as no-route; "
			 "set net.ipv4.ip_forward=1", name);
}

int kernel_path_open(const struct path_options *options, unsigned features, struct path **out)
{
	const char *names[2] = { options->inside, options->outside };
	__attribute__((cleanup(own_open_path))) struct path *path = NULL;
	unsigned interface[2];
	int error;

	for (int i = 0; i < 2; i++) {
		interface[i] = if_nametoindex(names[i]);
		if (!interface[i])
			return log_err(-ENODEV, "no interface %s in this network namespace", names[i]);
		forwarding_check(names[i]);
	}
	error = kernel_path_load(options, interface, features, false, &path);
	if (error)
		return error;
	for (int i = 0; i < 2; i++) {
		error = hook_attach(&path->hook[i], interface[i],
				    bpf_program__fd(path->skeleton->progs.fwref), features);
		if (error)
			return log_err(error, "%s: attaching to the tc ingress hook: %s", names[i],
				       strerror(-error));
	}
	*out = TAKE_PTR(path);
	return 0;
}

static int open_with_all(const struct path_options *options, struct path **out)
{
	return kernel_path_open(options, FEATURES, out);
}

const struct path_ops path_kernel = {
	.name = "kernel",
	.open = open_with_all,
	.publish = kernel_path_publish,
	.stats = kernel_path_stats,
	.flows = kernel_path_flows,
	.sweep = kernel_path_sweep,
	.close = kernel_path_close,
};
