/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/lab/lab.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/lab/build.h"
#include "harness/lab/namespace.h"
#include "harness/lab/offload.h"
#include "harness/lab/ping.h"
#include "harness/lab/shares.h"
#include "harness/lab/state.h"
#include "harness/lab/topology.h"

#define RUN_TIMEOUT_MS 30000
#define PING_TIMEOUT_MS 3000
#define IPV6_MTU_MIN_BYTES 1280u /* RFC 8200, section 5 */

const char *const lab_node_names[NODE_COUNT] = { "client", "device", "server" };

const char *lab_interface(enum lab_node node, bool server_side)
{
	if (node == NODE_DEVICE)
		return server_side ? "out" : "in";
	return node == NODE_CLIENT ? "c0" : "s0";
}

static bool lab_has(const struct lab *lab, enum lab_node node)
{
	return node != NODE_DEVICE || lab->settings.topology != TOPOLOGY_DIRECT;
}

static int lab_make_namespaces(struct lab *lab)
{
	for (enum lab_node node = 0; node < NODE_COUNT; node++) {
		if (!lab_has(lab, node))
			continue;
		lab->netns_fd[node] = namespace_make(lab->netns_name[node]);
		if (lab->netns_fd[node] < 0)
			return lab->netns_fd[node];
		lab->rtnl_fd[node] = namespace_socket(lab->netns_fd[node], AF_NETLINK, SOCK_RAW,
						      NETLINK_ROUTE);
		if (lab->rtnl_fd[node] < 0)
			return log_err(lab->rtnl_fd[node], "the %s: no netlink socket: %s",
				       lab_node_names[node], strerror(-lab->rtnl_fd[node]));
	}
	return 0;
}

static int lab_set_sysctls(struct lab *lab)
{
	char text[32];

	/* ipv6.disable=1 on the kernel's command line, or a kernel built without. */
	lab->ipv6 = namespace_sysctl_read(lab->netns_fd[NODE_CLIENT], "net/ipv6/conf/all/forwarding",
					  text, sizeof(text)) == 0;
	if (lab->ip == 6 && !lab->ipv6)
		return log_err(-EAFNOSUPPORT, "this kernel has no IPv6 (ipv6.disable=1?); measure ip: 4");
	/* The kernel gives an interface of less no IPv6 at all. */
	if (lab->settings.mtu_bytes < IPV6_MTU_MIN_BYTES)
		lab->ipv6 = false;
	for (enum lab_node node = 0; node < NODE_COUNT; node++)
		for (const char *const *s = topology_sysctls(node); lab_has(lab, node) && *s; s++) {
			const char *value = strchr(*s, '=');
			char path[128];
			int code;

			snprintf(path, sizeof(path), "%.*s", (int)(value - *s), *s);
			code = namespace_sysctl_write(lab->netns_fd[node], path, value + 1);
			if (code && (lab->ipv6 || !strstr(path, "ipv6")))
				return log_err(code, "the %s: sysctl %s=%s: %s", lab_node_names[node],
					       path, value + 1, strerror(-code));
		}
	return 0;
}

/* The same in every namespace and on every machine: cubic, or reno where the
 * kernel allows only unrestricted ones as a namespace's default. */
static int lab_set_congestion_control(struct lab *lab)
{
	static const char path[] = "net/ipv4/tcp_congestion_control";
	static const char *const names[] = { "cubic", "reno" };
	int code = -EINVAL;

	for (size_t i = 0; code && i < ARRAY_LEN(names); i++) {
		snprintf(lab->congestion_control, sizeof(lab->congestion_control), "%s", names[i]);
		code = 0;
		for (enum lab_node node = 0; !code && node < NODE_COUNT; node++)
			if (lab_has(lab, node))
				code = namespace_sysctl_write(lab->netns_fd[node], path, names[i]);
	}
	return code ? log_err(code, "%s=reno: %s", path, strerror(-code)) : 0;
}

/* What a program said, on one line. */
static const char *lab_one_line(char *text)
{
	for (char *p = text; *p; p++)
		if (*p == '\n')
			*p = p[1] ? ';' : '\0';
	return text;
}

static int lab_make_links(struct lab *lab)
{
	static const char *const argv[] = { "ip", "-batch", "-", NULL };

	for (enum lab_node node = 0; node < NODE_COUNT; node++) {
		OWN_MEM char *batch = NULL;
		OWN_MEM char *err = NULL;
		size_t size;
		FILE *out;
		int code;

		if (!lab_has(lab, node))
			continue;
		out = open_memstream(&batch, &size);
		if (!out)
			return -ENOMEM;
		topology_batch(out, lab, node);
		if (fclose(out))
			return -ENOMEM;
		code = lab_run(lab, node, argv, batch, NULL, &err);
		if (code == -ENOENT)
			return code; /* no such program: lab_run has said so */
		if (code)
			return log_err(code < 0 ? code : -EIO, "the %s: ip -batch failed: %.300s",
				       lab_node_names[node], code < 0 ? strerror(-code) : lab_one_line(err));
	}
	return 0;
}

static int lab_set_offloads(struct lab *lab)
{
	bool on = lab->settings.segmentation_offload;
	int code = 0;

	for (enum lab_node node = 0; !code && node < NODE_COUNT; node++) {
		if (!lab_has(lab, node))
			continue;
		code = offload_set(lab->netns_fd[node], lab_interface(node, false), on);
		if (!code && node == NODE_DEVICE)
			code = offload_set(lab->netns_fd[node], lab_interface(node, true), on);
		if (!code && node == NODE_DEVICE && lab->settings.topology == TOPOLOGY_BRIDGED)
			code = offload_set(lab->netns_fd[node], LAB_BRIDGE, on);
	}
	return code;
}

static int lab_steer(struct lab *lab)
{
	return shares_steer(lab);
}

static int lab_raise_queues(struct lab *lab)
{
	/* Not the end of the lab: the drops of a short queue are counted. */
	if (lab->host_root)
		lab->state_held = !state_acquire(&state_host, lab->run_id);
	return 0;
}

static int lab_verify(struct lab *lab)
{
	for (int ip = 4; ip <= (lab->ipv6 ? 6 : 4); ip += 2) {
		struct address client = lab_client(ip, 0), server = lab_server(ip, 0);
		int code = ping(lab->netns_fd[NODE_CLIENT], &client, &server, PING_TIMEOUT_MS);

		if (!code)
			code = ping(lab->netns_fd[NODE_SERVER], &server, &client, PING_TIMEOUT_MS);
		if (code)
			return log_err(code, "the lab is up, but an IPv%d ping between its ends fails: %s",
				       ip, strerror(-code));
	}
	return 0;
}

/* In this order; each step undone by lab_close, whether it was reached or not. */
static int (*const lab_steps[])(struct lab *lab) = {
	lab_make_namespaces, lab_set_sysctls, lab_set_congestion_control, lab_make_links,
	lab_set_offloads, lab_steer, lab_raise_queues, lab_verify,
};
const unsigned lab_step_count = ARRAY_LEN(lab_steps);

static int lab_prepare(struct lab *lab, const struct lab_host *host, const struct settings *settings,
		       const char *run_id)
{
	char why[SHARES_WHY_BYTES];
	struct cores allowed;
	int code;

	*lab = (struct lab){ .settings = settings->lab, .ip = settings->ip, .host_root = host->root };
	snprintf(lab->run_id, sizeof(lab->run_id), "%s", run_id);
	for (enum lab_node node = 0; node < NODE_COUNT; node++) {
		lab->netns_fd[node] = lab->rtnl_fd[node] = -1;
		snprintf(lab->netns_name[node], sizeof(lab->netns_name[node]), "%.23s-%s", run_id,
			 lab_node_names[node]);
	}
	if (!host->namespaces)
		return log_err(-EPERM, "no lab: %s", host->why);
	code = cores_allowed(&allowed);
	if (code)
		return log_err(code, "cannot read the allowed cores: %s", strerror(-code));
	return shares_choose(lab, host, &allowed, why) ? log_err(-EINVAL, "%s", why) : 0;
}

int lab_supports(const struct settings *settings, const struct lab_host *host, char *why, size_t why_size)
{
	struct lab lab = { .settings = settings->lab };
	char reason[SHARES_WHY_BYTES];
	struct cores allowed;

	if (cores_allowed(&allowed) || !shares_choose(&lab, host, &allowed, reason))
		return 0;
	snprintf(why, why_size, "%s", reason);
	return -ENOTSUP;
}

int lab_open_failing(struct lab *lab, const struct lab_host *host, const struct settings *settings,
		     const char *run_id, int failing)
{
	int code = lab_prepare(lab, host, settings, run_id);

	for (unsigned i = 0; !code && i < lab_step_count; i++) {
		code = lab_steps[i](lab);
		if (!code && (int)i == failing)
			code = -ECANCELED;
	}
	if (code)
		lab_close(lab);
	return code;
}

int lab_open(struct lab *lab, const struct lab_host *host, const struct settings *settings,
	     const char *run_id)
{
	return lab_open_failing(lab, host, settings, run_id, -1);
}

void lab_close(struct lab *lab)
{
	if (lab->state_held)
		state_release(&state_host, lab->run_id);
	lab->state_held = false;
	for (enum lab_node node = 0; node < NODE_COUNT; node++) {
		int *fds[] = { &lab->rtnl_fd[node], &lab->netns_fd[node] };

		if (lab->netns_fd[node] >= 0)
			namespace_remove(lab->netns_name[node]);
		for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
			if (*fds[i] >= 0)
				close(*fds[i]);
			*fds[i] = -1;
		}
	}
}

static int lab_options(const struct lab *lab, enum lab_node node, struct child_options *o)
{
	o->netns_fd = lab->netns_fd[node];
	if (lab->cpu_shares)
		o->cores = node == NODE_DEVICE ? &lab->device_cores : &lab->generator_cores;
	return o->netns_fd >= 0 ? 0 : log_err(-EINVAL, "%s: this lab has no %s", o->argv[0],
					      lab_node_names[node]);
}

int lab_run(const struct lab *lab, enum lab_node node, const char *const *argv, const char *input,
	    char **out, char **err)
{
	struct child_options o = { .argv = argv, .input = input, .quiet = true };
	int code = lab_options(lab, node, &o);

	return code ? code : child_run(&o, RUN_TIMEOUT_MS, out, err);
}

int lab_start(const struct lab *lab, enum lab_node node, const char *const *argv, struct child *child)
{
	struct child_options o = { .argv = argv, .take_out = true, .take_err = true };
	int code = lab_options(lab, node, &o);

	return code ? code : child_start(child, &o);
}

int lab_sysctl(const struct lab *lab, enum lab_node node, const char *path, const char *value)
{
	int code = lab->netns_fd[node] < 0 ? -EINVAL :
		   namespace_sysctl_write(lab->netns_fd[node], path, value);

	return code ? log_err(code, "the %s: sysctl %s=%s: %s", lab_node_names[node], path, value,
			      strerror(-code)) : 0;
}

int lab_clean(bool dry_run, unsigned *removed)
{
	return state_clean(&state_host, dry_run, removed);
}
