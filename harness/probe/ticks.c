/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/probe/ticks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/own.h"
#include "harness/lab/namespace.h"

#define STAT_BYTES 65536 /* the lines of the cores stand first */

void ticks_parse(const char *text, uint64_t tick_ns, struct ticks *out)
{
	*out = (struct ticks){ 0 };
	for (const char *line = text; line; line = strchr(line, '\n')) {
		uint64_t idle, iowait, steal;
		unsigned core;

		line += *line == '\n';
		if (sscanf(line, "cpu%u %*u %*u %*u %" SCNu64 " %" SCNu64 " %*u %*u %" SCNu64,
			   &core, &idle, &iowait, &steal) != 4 || core >= CORES_MAX)
			continue;
		out->idle_ns[core] = (idle + iowait) * tick_ns;
		out->steal_ns[core] = steal * tick_ns;
	}
}

/* /proc gives what fits, a page or so, at each read. */
static int ticks_read_all(const char *path, char *out, size_t size)
{
	OWN_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t n = 1;

	if (fd < 0)
		return -errno;
	while (length < size - 1 && (n = read(fd, out + length, size - 1 - length)) > 0)
		length += (size_t)n;
	out[length] = '\0';
	return n < 0 ? -errno : 0;
}

int ticks_read(struct ticks *out)
{
	OWN_MEM char *text = malloc(STAT_BYTES);
	int code = text ? ticks_read_all("/proc/stat", text, STAT_BYTES) : -ENOMEM;

	if (!code)
		ticks_parse(text, NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK), out);
	return code;
}

static bool softnet_counts(const struct cores *cores, unsigned core)
{
	for (unsigned i = 0; i < cores->count; i++)
		if (cores->core[i] == core)
			return true;
	return false;
}

/* Hexadecimal columns, a line a core that is online: processed, dropped, …; the
 * thirteenth is the core's number (kernel 5.10 and later). */
uint64_t softnet_parse(const char *text, const struct cores *cores)
{
	uint64_t drops = 0;
	bool found = false;

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		unsigned dropped, core;

		line += *line == '\n';
		if (sscanf(line, "%*x %x %*x %*x %*x %*x %*x %*x %*x %*x %*x %*x %x", &dropped,
			   &core) != 2)
			continue;
		if (softnet_counts(cores, core)) {
			drops += dropped;
			found = true;
		}
	}
	return found ? drops : UINT64_MAX;
}

uint64_t softnet_drops(const struct cores *cores)
{
	OWN_MEM char *text = malloc(STAT_BYTES);

	if (!text || ticks_read_all("/proc/thread-self/net/softnet_stat", text, STAT_BYTES))
		return UINT64_MAX;
	return softnet_parse(text, cores);
}

uint64_t threads_run_ns(pid_t pid)
{
	char path[64];
	OWN_DIR DIR *dir = NULL;
	uint64_t sum = 0;
	bool found = false;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		char text[128];
		uint64_t run_ns;

		snprintf(path, sizeof(path), "%.16s/schedstat", e->d_name);
		if (*e->d_name == '.' || file_read(dirfd(dir), path, text, sizeof(text)) ||
		    sscanf(text, "%" SCNu64, &run_ns) != 1)
			continue;
		sum += run_ns;
		found = true;
	}
	return found ? sum : UINT64_MAX;
}
