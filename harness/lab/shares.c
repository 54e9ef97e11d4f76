/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/lab/shares.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/lab/namespace.h"

static bool shares_have(const struct cores *set, unsigned core)
{
	for (unsigned i = 0; i < set->count; i++)
		if (set->core[i] == core)
			return true;
	return false;
}

/* What is in all but not in out. */
static struct cores shares_rest(const struct cores *all, const struct cores *out)
{
	struct cores rest = { 0 };

	for (unsigned i = 0; i < all->count; i++)
		if (!shares_have(out, all->core[i]))
			rest.core[rest.count++] = all->core[i];
	return rest;
}

/* Each core wanted is allowed and not the other's as well; else why says so. */
static int shares_check(const struct cores *wanted, const struct cores *allowed,
			const struct cores *other, const char *what, char *why)
{
	char text[SHARES_WHY_BYTES / 2];

	for (unsigned i = 0; i < wanted->count; i++) {
		if (!shares_have(allowed, wanted->core[i]))
			snprintf(why, SHARES_WHY_BYTES, "%s: core %u is not among the allowed cores %s",
				 what, wanted->core[i], cores_print(text, sizeof(text), allowed));
		else if (shares_have(other, wanted->core[i]))
			snprintf(why, SHARES_WHY_BYTES,
				 "core %u is both the device's and the generators'; give each its own",
				 wanted->core[i]);
		else
			continue;
		return -EINVAL;
	}
	return 0;
}

/* The upper half, at least one core: core 0 does the machine's own work too, and
 * that must not be counted as the device's. */
static struct cores shares_upper_half(const struct cores *allowed)
{
	struct cores half = { 0 };
	unsigned count = allowed->count / 2;

	for (unsigned i = allowed->count - count; i < allowed->count; i++)
		half.core[half.count++] = allowed->core[i];
	return half;
}

int shares_choose(struct lab *lab, const struct lab_host *host, const struct cores *allowed, char *why)
{
	static const struct cores none;
	bool device = lab->settings.topology != TOPOLOGY_DIRECT;
	struct cores dev = lab->settings.device_cores, gen = lab->settings.generator_cores;

	if (shares_check(&dev, allowed, &gen, "device-cores", why) ||
	    shares_check(&gen, allowed, &none, "generator-cores", why))
		return -EINVAL;
	lab->cpu_shares = host->root && (allowed->count > 1 || !device);
	if (!lab->cpu_shares) {
		lab->device_cores = lab->generator_cores = *allowed;
		return 0;
	}
	if (!device)
		dev = none;
	else if (!dev.count)
		dev = gen.count ? shares_rest(allowed, &gen) : shares_upper_half(allowed);
	if (!gen.count)
		gen = shares_rest(allowed, &dev);
	if (!gen.count || (device && !dev.count)) {
		snprintf(why, SHARES_WHY_BYTES, "no core is left for the %s; name fewer in %s",
			 gen.count ? "device" : "generators",
			 gen.count ? "generator-cores" : "device-cores");
		return -EINVAL;
	}
	lab->device_cores = dev;
	lab->generator_cores = gen;
	return 0;
}

int shares_steer_interface(int sysfs, const char *interface, const struct cores *cores)
{
	char path[128], mask[CORES_MAX / 4 + CORES_MAX / 32 + 2];
	unsigned queues = 0;
	OWN_DIR DIR *dir = NULL;
	int fd;

	cores_mask(mask, sizeof(mask), cores);
	snprintf(path, sizeof(path), "class/net/%s/queues", interface);
	fd = openat(sysfs, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -errno;
	}
	for (struct dirent *e; (e = readdir(dir));) {
		int code;

		if (strncmp(e->d_name, "rx-", 3))
			continue;
		snprintf(path, sizeof(path), "class/net/%s/queues/%.32s/rps_cpus", interface, e->d_name);
		code = file_write(sysfs, path, mask);
		if (code)
			return code;
		queues++;
	}
	return queues ? 0 : -ENOENT;
}

int shares_steer(const struct lab *lab)
{
	/* Without a device all receive work is already on the generators' cores, the
	 * senders'; moving it from one to another of them costs a quarter of the rate. */
	if (lab->settings.topology == TOPOLOGY_DIRECT)
		return 0;
	for (enum lab_node node = 0; node < NODE_COUNT; node++) {
		OWN_FD int sysfs = -1;

		if (!lab->cpu_shares || lab->netns_fd[node] < 0)
			continue;
		sysfs = namespace_sysfs(lab->netns_fd[node]);
		if (sysfs < 0)
			return log_err(sysfs, "no sysfs for the %s: %s", lab_node_names[node],
				       strerror(-sysfs));
		for (int side = 0; side < (node == NODE_DEVICE ? 2 : 1); side++) {
			const char *name = lab_interface(node, side);
			int code = shares_steer_interface(sysfs, name, node == NODE_DEVICE ?
							  &lab->device_cores : &lab->generator_cores);

			if (code)
				return log_err(code, "%s: cannot steer its receive work (rps_cpus): %s",
					       name, strerror(-code));
		}
	}
	return 0;
}
