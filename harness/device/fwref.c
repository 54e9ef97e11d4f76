/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference firewall, started as a process in the device node. The policy
 * goes to it in an anonymous file, so that nothing is left by a kill -9; the
 * control socket lies in this run's private /run/netns for the same reason. */
#include "harness/device/device.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"
#include "common/program.h"
#include "harness/device/fwref_text.h"

#define FWREF_READY_MS 15000
#define FWREF_ANSWER_MS 5000
#define FWREF_GRACE_MS 3000

static const char *const path_words[] = {
	[PATH_AUTO] = "auto", [PATH_KERNEL] = "kernel", [PATH_USER] = "user",
};

static int fwref_supports(const struct settings *settings, const struct lab_host *host, char *why,
			  size_t why_size)
{
	if (settings->lab.topology != TOPOLOGY_ROUTED) {
		snprintf(why, why_size, "fwref: only topology routed: it forwards between two networks");
		return -ENOTSUP;
	}
	if (settings->device.path == PATH_KERNEL && !host->root) {
		snprintf(why, why_size, "fwref: the kernel path needs root; path: user runs without");
		return -ENOTSUP;
	}
	return 0;
}

static void fwref_socket(char *out, size_t size)
{
	snprintf(out, size, "/run/netns/fwref-%d.sock", (int)getpid());
}

static int fwref_policy_file(const char *text, char *path, size_t size)
{
	OWN_FD int fd = memfd_create("policy", MFD_CLOEXEC);

	for (size_t left = strlen(text); fd >= 0 && left;) {
		ssize_t n = write(fd, text, left);

		if (n <= 0)
			return -EIO;
		text += n;
		left -= (size_t)n;
	}
	if (fd < 0)
		return -errno;
	snprintf(path, size, "/proc/%d/fd/%d", (int)getpid(), fd);
	return TAKE_FD(fd);
}

/* The path of a ready line, or false. */
static bool fwref_ready(const char *line, char *path, size_t size)
{
	json_t *event = json_loads(line, 0, NULL);
	const char *word = json_string_value(json_object_get(event, "event"));
	const char *found = json_string_value(json_object_get(event, "path"));
	bool ready = word && !strcmp(word, "ready");

	if (ready)
		snprintf(path, size, "%s", found ? found : "");
	json_decref(event);
	return ready;
}

static int fwref_wait_ready(struct device *device)
{
	uint64_t end = clock_now_ns() + FWREF_READY_MS * NS_PER_MS;

	for (;;) {
		struct pollfd p[] = { { device->process.out, POLLIN, 0 },
				      { device->process.err, POLLIN, 0 } };
		uint64_t now = clock_now_ns();
		const char *line;
		int got;

		while ((got = lines_next(&device->out, device->process.out, &line)) == 1)
			if (fwref_ready(line, device->path, sizeof(device->path)))
				return 0;
		device_listen(device);
		if (got < 0) {
			child_wait(&device->process, 1000);
			device_listen(device);
			return log_err(-EIO, "fwref: ended before it was ready: %s",
				       device->said[0] ? device->said : "it said nothing");
		}
		if (now >= end)
			return log_err(-ETIMEDOUT, "fwref: not ready after %d s", FWREF_READY_MS / 1000);
		poll(p, 2, (int)((end - now) / NS_PER_MS) + 1);
	}
}

static void fwref_stop(struct device *device)
{
	char path[64];

	child_end(&device->process, FWREF_GRACE_MS);
	device->process = (struct child)CHILD_NONE;
	lines_free(&device->out);
	lines_free(&device->err);
	fwref_socket(path, sizeof(path));
	unlink(path);
	free(device->policy_text);
	device->policy_text = NULL;
}

static int fwref_launch(struct device *device, const char *policy_file)
{
	char program[4096], cores[1024], socket[64];
	const struct settings *s = device->settings;
	const char *argv[20];
	int n = 0, code;

	fwref_socket(socket, sizeof(socket));
	argv[n++] = program_find("fwref", program, sizeof(program));
	argv[n++] = "run";
	argv[n++] = "--inside";
	argv[n++] = lab_interface(NODE_DEVICE, false);
	argv[n++] = "--outside";
	argv[n++] = lab_interface(NODE_DEVICE, true);
	argv[n++] = "--policy";
	argv[n++] = policy_file;
	argv[n++] = "--path";
	argv[n++] = path_words[s->device.path];
	argv[n++] = "--control";
	argv[n++] = socket;
	if (device->lab->device_cores.count) {
		argv[n++] = "--cores";
		argv[n++] = cores_print(cores, sizeof(cores), &device->lab->device_cores);
	}
	if (s->device.empty)
		argv[n++] = "--empty";
	argv[n] = NULL;
	code = lab_start(device->lab, NODE_DEVICE, argv, &device->process);
	return code ? code : fwref_wait_ready(device);
}

/* The kernel path asks the kernel's routing for the next hop, and that answers
 * only where forwarding is on; on the user path the kernel must not forward the
 * same packets a second time. */
static int fwref_start(struct device *device, const struct policy *policy)
{
	OWN_FD int file = -1;
	char path[64];
	int code;

	device->process = (struct child)CHILD_NONE;
	device->policy_text = fwref_text(policy, device->settings->device.classifier);
	if (!device->policy_text)
		return log_err(-ENOMEM, "fwref: out of memory");
	if (policy->filter_count && policy->limit_bps)
		device->bucket_bytes = policy->burst_bytes;
	code = device_forwarding(device->lab, device->settings->device.path != PATH_USER);
	if (!code) {
		file = fwref_policy_file(device->policy_text, path, sizeof(path));
		code = file < 0 ? log_err(file, "fwref: policy file: %s", strerror(-file)) : 0;
	}
	if (!code)
		code = fwref_launch(device, path);
	if (!code)
		code = device_forwarding(device->lab, !strcmp(device->path, "kernel"));
	if (code)
		fwref_stop(device);
	return code;
}

static json_t *fwref_stats(struct device *device)
{
	char program[4096], socket[64];
	const char *argv[] = { program_find("fwref", program, sizeof(program)), "ctl", "stats",
			       "--control", socket, NULL };
	/* Not on the device's cores: the question must not cost what it asks for. */
	const struct child_options options = {
		.argv = argv,
		.netns_fd = -1,
		.cores = device->lab->generator_cores.count ? &device->lab->generator_cores : NULL,
	};
	OWN_MEM char *out = NULL;
	OWN_MEM char *err = NULL;
	json_t *stats;

	fwref_socket(socket, sizeof(socket));
	if (child_run(&options, FWREF_ANSWER_MS, &out, &err))
		return json_null();
	stats = json_loads(out, 0, NULL);
	if (!stats)
		return json_null();
	json_object_del(stats, "event");
	return stats;
}

const struct device_kind device_fwref = {
	.name = "fwref",
	.queue_reason = "receive-ring-full",
	.help = "the reference firewall; path: kernel (tc, needs root) or user (packet sockets)",
	.supports = fwref_supports,
	.start = fwref_start,
	.stats = fwref_stats,
	.stop = fwref_stop,
};
