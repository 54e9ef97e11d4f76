/* SPDX-License-Identifier: BSD-2-Clause */
/* Who gets which cores, and the masks that are written for them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/own.h"
#include "harness/lab/namespace.h"
#include "harness/lab/shares.h"
#include "tests/unit/skip.h"

struct row {
	const char *allowed, *device, *generators; /* settings; NULL: none */
	enum topology topology;
	bool root;
	int code;
	bool shares;
	const char *device_out, *generators_out;
};

static const struct row rows[] = {
	{ "0-1", NULL, NULL, TOPOLOGY_ROUTED, true, 0, true, "1", "0" },
	{ "0-3", NULL, NULL, TOPOLOGY_ROUTED, true, 0, true, "2-3", "0-1" },
	{ "0-2", NULL, NULL, TOPOLOGY_BRIDGED, true, 0, true, "2", "0-1" },
	{ "4,6", NULL, NULL, TOPOLOGY_ROUTED, true, 0, true, "6", "4" },
	{ "0-7", "0", NULL, TOPOLOGY_ROUTED, true, 0, true, "0", "1-7" },
	{ "0-7", NULL, "0-5", TOPOLOGY_ROUTED, true, 0, true, "6-7", "0-5" },
	{ "0-7", "7", "0-1", TOPOLOGY_ROUTED, true, 0, true, "7", "0-1" },
	/* One core, or no root: nobody has a share. */
	{ "0", NULL, NULL, TOPOLOGY_ROUTED, true, 0, false, "0", "0" },
	{ "0-3", NULL, NULL, TOPOLOGY_ROUTED, false, 0, false, "0-3", "0-3" },
	/* No device: the generators have all, unless told. */
	{ "0-1", NULL, NULL, TOPOLOGY_DIRECT, true, 0, true, "", "0-1" },
	{ "0-3", "3", "0", TOPOLOGY_DIRECT, true, 0, true, "", "0" },
	{ "0", NULL, NULL, TOPOLOGY_DIRECT, true, 0, true, "", "0" },
	/* Refused: the same core twice, a core that is not there, nothing left. */
	{ "0-3", "1-2", "2-3", TOPOLOGY_ROUTED, true, -EINVAL, false, NULL, NULL },
	{ "0-1", "2", NULL, TOPOLOGY_ROUTED, true, -EINVAL, false, NULL, NULL },
	{ "0-1", NULL, "0,5", TOPOLOGY_ROUTED, true, -EINVAL, false, NULL, NULL },
	{ "0-1", "0-1", NULL, TOPOLOGY_ROUTED, true, -EINVAL, false, NULL, NULL },
	{ "0-1", NULL, "0-1", TOPOLOGY_ROUTED, true, -EINVAL, false, NULL, NULL },
};

static struct cores cores(const char *text)
{
	struct cores c = { 0 };

	if (text)
		assert_int_equal(cores_read(text, &c), 0);
	return c;
}

static void each_gets_its_cores(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *r = &rows[i];
		struct lab lab = { .settings = { .topology = r->topology,
						 .device_cores = cores(r->device),
						 .generator_cores = cores(r->generators) } };
		struct lab_host host = { .root = r->root, .namespaces = true };
		struct cores allowed = cores(r->allowed);
		char text[64] = "", why[SHARES_WHY_BYTES] = "";

		assert_int_equal(shares_choose(&lab, &host, &allowed, why), r->code);
		assert_int_equal(!!*why, !!r->code);
		if (r->code)
			continue;
		assert_int_equal(lab.cpu_shares, r->shares);
		if (lab.device_cores.count)
			cores_print(text, sizeof(text), &lab.device_cores);
		assert_string_equal(text, r->device_out);
		assert_string_equal(cores_print(text, sizeof(text), &lab.generator_cores),
				    r->generators_out);
	}
}

static void make(int dirfd, const char *path, bool folder)
{
	if (folder) {
		assert_int_equal(mkdirat(dirfd, path, 0755), 0);
		return;
	}
	close(openat(dirfd, path, O_CREAT | O_WRONLY, 0644));
}

/* A sysfs of our own: all receive queues are steered, no transmit queue is. */
static void all_receive_queues_are_steered(void **state)
{
	char folder[] = "/tmp/shares_test.XXXXXX", text[64], command[64];
	static const char *const folders[] = { "class", "class/net", "class/net/x", "class/net/x/queues",
		"class/net/x/queues/rx-0", "class/net/x/queues/rx-1", "class/net/x/queues/tx-0",
		"class/net/y", "class/net/y/queues" };
	static const char *const files[] = { "class/net/x/queues/rx-0/rps_cpus",
		"class/net/x/queues/rx-1/rps_cpus", "class/net/x/queues/tx-0/xps_cpus" };
	struct cores wide = cores("1,33");
	OWN_FD int fd = -1;

	(void)state;
	assert_non_null(mkdtemp(folder));
	fd = open(folder, O_RDONLY | O_DIRECTORY);
	for (size_t i = 0; i < ARRAY_LEN(folders); i++)
		make(fd, folders[i], true);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		make(fd, files[i], false);
	assert_int_equal(shares_steer_interface(fd, "x", &wide), 0);
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		assert_int_equal(file_read(fd, files[i], text, sizeof(text)), 0);
		assert_string_equal(text, i < 2 ? "2,00000002" : "");
	}
	assert_int_equal(shares_steer_interface(fd, "y", &wide), -ENOENT);
	assert_int_equal(shares_steer_interface(fd, "z", &wide), -ENOENT);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_gets_its_cores),
		cmocka_unit_test(all_receive_queues_are_steered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
