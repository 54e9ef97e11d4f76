/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/limits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "common/log.h"
#include "common/own.h"

/* Descriptors besides the connections: standard ones, and a few a worker. */
enum { LIMITS_BASE = 32, LIMITS_PER_WORKER = 8 };

static int limits_read(const char *path, const char *format, unsigned *a, unsigned *b)
{
	OWN_FILE FILE *file = fopen(path, "re");

	return file && fscanf(file, format, a, b) >= 1 ? 0 : -ENOENT;
}

static rlim_t limits_highest(void)
{
	unsigned most = 1048576, unused;

	limits_read("/proc/sys/fs/nr_open", "%u", &most, &unused);
	return most;
}

int limits_descriptors(const struct options *options)
{
	rlim_t need = LIMITS_BASE + (rlim_t)options->cores.count *
					    (LIMITS_PER_WORKER + options->bind.total);
	struct rlimit limit, root;

	if (options->role == ROLE_CLIENT)
		need = LIMITS_BASE + (rlim_t)options->cores.count * LIMITS_PER_WORKER +
		       options->connections;
	if (getrlimit(RLIMIT_NOFILE, &limit))
		return log_err(-errno, "cannot read the limit of file descriptors");
	root.rlim_cur = root.rlim_max = limits_highest();
	limit.rlim_cur = limit.rlim_max;
	/* A server does not know what will come: all it can get. */
	if ((options->role == ROLE_SERVER || limit.rlim_max < need) && root.rlim_max > limit.rlim_max &&
	    !setrlimit(RLIMIT_NOFILE, &root))
		limit = root;
	if (limit.rlim_max < need)
		return log_err(-EMFILE, "%" PRIu64 " file descriptors are needed and the limit is %" PRIu64
				       ": raise it (ulimit -Hn %" PRIu64 ", as root) or ask for fewer connections",
			       (uint64_t)need, (uint64_t)limit.rlim_max, (uint64_t)need);
	return setrlimit(RLIMIT_NOFILE, &limit) ?
		       log_err(-errno, "cannot raise the limit of file descriptors") : 0;
}

struct ports_wanted limits_ports(const struct options *options)
{
	unsigned low = 32768, high = 60999;
	uint32_t clients = options->bind.total ? options->bind.total : 1;
	struct ports_wanted ports = { .wanted = options->connections };

	limits_read("/proc/sys/net/ipv4/ip_local_port_range", "%u %u", &low, &high);
	ports.each = high >= low ? high - low + 1 : 0;
	ports.found = pool_ports_suffice_for(options->connections, clients, options->servers.total,
					     ports.each);
	if (ports.found < ports.wanted)
		log_warn("%" PRIu64 " connections find %" PRIu64 " local ports: %u for each of %u client and "
			 "%u server addresses; give more of either (-B, -c) or widen "
			 "net.ipv4.ip_local_port_range",
			 ports.wanted, ports.found, ports.each, clients, options->servers.total);
	return ports;
}

static int limits_window(int fd, uint32_t window_bytes)
{
	int got = 0;
	socklen_t length = sizeof(got);
	int code = flow_set_window(fd, window_bytes);

	if (code)
		return log_err(code, "--window %u: %s", window_bytes, strerror(-code));
	/* The kernel doubles what is asked, for its own book-keeping. */
	getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &got, &length);
	if (got / 2 < (int)window_bytes)
		return log_err(-EPERM, "--window %u: the kernel gives %d; raise net.core.rmem_max and "
				       "net.core.wmem_max", window_bytes, got / 2);
	return 0;
}

int limits_sockets(const struct options *options)
{
	int family = pools_family(&options->servers) == 6 ? AF_INET6 : AF_INET;
	OWN_FD int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int code = 0;

	if (fd < 0)
		return log_err(-errno, "cannot open a socket for IPv%d: %s",
			       family == AF_INET6 ? 6 : 4, strerror(errno));
	if (options->window_bytes)
		code = limits_window(fd, (uint32_t)options->window_bytes);
	if (!code && *options->congestion) {
		code = flow_set_congestion(fd, options->congestion);
		if (code)
			return log_err(code, "--congestion %s: the kernel %s; see net.ipv4.tcp_%s_congestion_control",
				       options->congestion,
				       code == -ENOENT ? "does not have it" : "refuses it to this user",
				       code == -ENOENT ? "available" : "allowed");
	}
	return code;
}
