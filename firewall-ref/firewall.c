/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/firewall.h"

#include <errno.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/exit.h"
#include "common/log.h"
#include "common/own.h"
#include "firewall-ref/policy_compile.h"

/* The first IPv4 address of an interface, in network order; 0: none. */
static uint32_t firewall_interface_address(const char *name)
{
	struct ifaddrs *list;
	uint32_t found = 0;

	if (getifaddrs(&list))
		return 0;
	for (struct ifaddrs *a = list; a && !found; a = a->ifa_next)
		if (a->ifa_addr && a->ifa_addr->sa_family == AF_INET && !strcmp(a->ifa_name, name))
			found = ((struct sockaddr_in *)(void *)a->ifa_addr)->sin_addr.s_addr;
	freeifaddrs(list);
	return found;
}

static int firewall_nat(const struct policy *policy, const char *outside, struct setting *out)
{
	uint32_t mask[4];

	out->flags |= SETTING_NAT;
	policy_mask(policy->nat.prefix.length, mask);
	out->nat_source_mask = mask[0];
	memcpy(&out->nat_source, policy->nat.prefix.address.bytes, sizeof(out->nat_source));
	if (policy->nat.address.family)
		memcpy(&out->nat_address, policy->nat.address.bytes, sizeof(out->nat_address));
	else
		out->nat_address = firewall_interface_address(outside);
	return out->nat_address ? 0 : -EADDRNOTAVAIL;
}

_Static_assert((int)TIMER_ESTABLISHED == (int)POLICY_TIMER_ESTABLISHED &&
	       (int)TIMER_TRANSITORY == (int)POLICY_TIMER_TRANSITORY &&
	       (int)TIMER_UDP == (int)POLICY_TIMER_UDP && (int)TIMER_ICMP == (int)POLICY_TIMER_ICMP &&
	       (int)TIMERS == (int)POLICY_TIMERS, "timers in the same order");

static int firewall_setting(const struct policy *policy, const char *outside, struct setting *out)
{
	*out = (struct setting){ .flags = policy->inspect_tcp ? SETTING_INSPECT : 0 };
	for (int i = 0; i < TIMERS; i++)
		out->timeout_s[i] = (uint32_t)(policy->timeout_ns[i] / 1000000000ull);
	return policy->nat.on ? firewall_nat(policy, outside, out) : 0;
}

/* Compiles and publishes; the reason of a failure in why. */
static int firewall_publish(struct firewall *firewall, struct policy *policy, char *why, size_t size)
{
	OWN_COMPILED struct compiled rules = { 0 };
	struct setting setting;
	int error = firewall_setting(policy, firewall->options->outside, &setting);

	if (error) {
		snprintf(why, size, "%s:%u:1: nat to interface: %s has no IPv4 address", policy->name,
			 policy->nat.line, firewall->options->outside);
		return error;
	}
	error = policy_compile(policy, &rules);
	if (error) {
		policy_first_error(why, size, policy);
		if (!*why)
			snprintf(why, size, "%s: no memory for the policy", policy->name);
		return error;
	}
	error = firewall->ops->publish(firewall->path, &setting, &rules);
	if (error)
		snprintf(why, size, "%s: the %s path did not take it: %s", policy->name,
			 firewall->ops->name, strerror(-error));
	firewall->loads += !error;
	return error;
}

/* A pipe (--policy <(…)) tells its text once; to open it again would wait for ever. */
static bool firewall_readable_again(const char *path)
{
	struct stat st;

	return stat(path, &st) || !S_ISFIFO(st.st_mode);
}

int firewall_reload(struct firewall *firewall, char *why, size_t size)
{
	OWN_POLICY struct policy policy;
	int error;

	if (firewall->options->empty) {
		policy_init(&policy, "");
		snprintf(why, size, "--empty has no policy to reload");
		return -EINVAL;
	}
	if (!firewall_readable_again(firewall->options->policy)) {
		policy_init(&policy, "");
		snprintf(why, size, "%s is a pipe: it cannot be read anew", firewall->options->policy);
		return -EINVAL;
	}
	error = policy_read_file(&policy, firewall->options->policy);
	if (error) {
		policy_first_error(why, size, &policy);
		return error;
	}
	error = firewall_publish(firewall, &policy, why, size);
	if (error)
		return error;
	if (policy.flow_table != firewall->flow_table)
		log_warn("flow-table stays %u until fwref is started anew", firewall->flow_table);
	policy_free(&firewall->policy);
	firewall->policy = policy;
	policy_init(&policy, "");
	return 0;
}

static const char *firewall_why_no_kernel(void)
{
#ifndef HAVE_BPF
	return "built without clang or bpftool";
#else
	return geteuid() ? "not root" : NULL;
#endif
}

static int firewall_try(struct firewall *firewall, const struct path_ops *ops)
{
	const struct path_options options = {
		.inside = firewall->options->inside,
		.outside = firewall->options->outside,
		.cores = &firewall->options->cores,
		.flow_table_size = firewall->flow_table,
		.filter_capacity = firewall->filter_capacity,
	};

	firewall->ops = ops;
	return ops->open(&options, &firewall->path);
}

static int firewall_open_path(struct firewall *firewall)
{
	enum path_choice choice = firewall->options->path;
	const char *why = firewall_why_no_kernel();
	int error = -ENOTSUP;

	if (choice == CHOICE_KERNEL && why)
		return log_err(-EPERM, "the kernel path is not possible here: %s; --path user is", why);
#ifdef HAVE_BPF
	if (choice != CHOICE_USER && !why) {
		error = firewall_try(firewall, &path_kernel);
		if (!error || choice == CHOICE_KERNEL || (error != -EPERM && error != -ENOTSUP))
			return error;
		why = strerror(-error);
	}
#endif
	if (choice == CHOICE_AUTO)
		log_info("path user: the kernel path is not possible here (%s)", why);
	return firewall_try(firewall, &path_user);
}

static int firewall_read(struct firewall *firewall)
{
	int error;

	if (firewall->options->empty) {
		policy_init(&firewall->policy, "");
		firewall->flow_table = POLICY_FLOWS_MIN;
		firewall->filter_capacity = FILTERS_MIN;
		return 0;
	}
	error = policy_read_file(&firewall->policy, firewall->options->policy);
	for (uint32_t i = 0; i < firewall->policy.note_count; i++)
		policy_note_print(stderr, &firewall->policy, &firewall->policy.notes[i]);
	firewall->flow_table = firewall->policy.flow_table;
	/* Room for twice as many, so that a reload may grow. */
	firewall->filter_capacity = firewall->policy.rule_count * 2;
	if (firewall->filter_capacity > POLICY_RULES_MAX)
		firewall->filter_capacity = POLICY_RULES_MAX;
	if (firewall->filter_capacity < FILTERS_MIN)
		firewall->filter_capacity = FILTERS_MIN;
	return error;
}

static int firewall_first(struct firewall *firewall)
{
	const struct setting empty = { .flags = SETTING_EMPTY };
	char why[512] = "";
	int error;

	if (firewall->options->empty)
		error = firewall->ops->publish(firewall->path, &empty, NULL);
	else
		error = firewall_publish(firewall, &firewall->policy, why, sizeof(why));
	if (error && *why)
		log_err(error, "%s", why);
	return error;
}

int firewall_open(struct firewall *firewall, const struct options *options)
{
	int error;

	*firewall = (struct firewall){ .options = options };
	if (firewall_read(firewall)) {
		firewall_close(firewall);
		return EXIT_USAGE;
	}
	error = firewall_open_path(firewall);
	if (error) {
		firewall->ops = NULL;
		firewall_close(firewall);
		return error == -EPERM || error == -ENOTSUP ? EXIT_MISSING : EXIT_RUN_FAILED;
	}
	error = firewall_first(firewall);
	if (!error)
		return EXIT_PASS;
	firewall_close(firewall);
	return error == -E2BIG || error == -EADDRNOTAVAIL ? EXIT_USAGE :
	       error == -ENOTSUP ? EXIT_MISSING : EXIT_RUN_FAILED;
}

void firewall_close(struct firewall *firewall)
{
	if (firewall->ops)
		firewall->ops->close(firewall->path);
	firewall->ops = NULL;
	firewall->path = NULL;
	policy_free(&firewall->policy);
}
