/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/trial/trial.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"
#include "harness/lab/namespace.h"
#include "harness/stop.h"

#define TRIAL_STRANGER_MS 1000 /* to reach the device */
#define TRIAL_ANSWER_MS 100    /* from there: the way takes well under a millisecond */
#define TRIAL_QUIET_MS 1000

const char *trial_state_word(enum trial_state state)
{
	static const char *const words[] = {
		[TRIAL_OK] = "ok", [TRIAL_FAILED] = "failed", [TRIAL_INTERRUPTED] = "interrupted",
		[TRIAL_UNSUPPORTED] = "unsupported",
	};

	return words[state];
}

bool trial_policed(const struct trial *t)
{
	return t->settings->policy.present && !t->settings->device.empty &&
	       strcmp(t->settings->device.kind, "none");
}

void trial_fail(struct trial *t, const char *fmt, ...)
{
	va_list ap;

	if (t->state != TRIAL_OK)
		return;
	t->state = TRIAL_FAILED;
	va_start(ap, fmt);
	vsnprintf(t->reason, sizeof(t->reason), fmt, ap);
	va_end(ap);
}

/* A socket of the stranger's on its way to the server, or -errno. */
static int trial_stranger_connect(const struct trial *t)
{
	int ip = t->settings->ip;
	OWN_FD int fd = namespace_socket(t->lab->netns_fd[NODE_CLIENT], ip == 6 ? AF_INET6 : AF_INET,
					 SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct address from = lab_stranger(ip), to = lab_server(ip, 0);
	struct sockaddr_storage ss;
	socklen_t length = address_sockaddr(&from, 0, &ss);

	if (fd < 0)
		return fd;
	if (bind(fd, (struct sockaddr *)&ss, length))
		return -errno;
	length = address_sockaddr(&to, LOAD_PORT, &ss);
	if (connect(fd, (struct sockaddr *)&ss, length) && errno != EINPROGRESS)
		return -errno;
	return TAKE_FD(fd);
}

static uint64_t trial_frames_in(const struct trial *t)
{
	struct interface_sample now = { 0 };

	interface_read(t->lab, NODE_DEVICE, lab_interface(NODE_DEVICE, false), &now);
	return now.rx_packets;
}

/* Does an address that no filter names get through? Before the first counters
 * are read, so that its packets are in no account. The answer is waited for from
 * when the attempt has reached the device. An answer of any kind but a connection
 * (a reset, unreachable) is the firewall's own and no passage. */
static void trial_stranger(struct trial *t)
{
	struct pollfd p = { -1, POLLOUT, 0 };
	OWN_FD int fd = -1;
	int error = 0;
	socklen_t length = sizeof(error);
	uint64_t before, end = clock_now_ns() + TRIAL_STRANGER_MS * NS_PER_MS;

	if (!trial_policed(t) || !t->policy.filter_count || t->settings->lab.topology == TOPOLOGY_DIRECT)
		return;
	before = trial_frames_in(t);
	fd = trial_stranger_connect(t);
	if (fd < 0) {
		trial_fail(t, "the stranger's attempt could not be made: %s", strerror(-fd));
		return;
	}
	p.fd = fd;
	while (trial_frames_in(t) == before && clock_now_ns() < end)
		if (poll(&p, 1, 1) > 0)
			break;
	t->stranger_tried = trial_frames_in(t) != before;
	t->stranger_passed = poll(&p, 1, TRIAL_ANSWER_MS) > 0 &&
			     !getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) && !error;
	if (!t->stranger_tried)
		trial_fail(t, "the stranger's attempt never reached the device");
}

static bool trial_set_up(struct trial *t)
{
	const struct device_kind *kind = t->device.kind;
	struct settings policy_of = *t->settings;
	int code;

	if (!trial_policed(t))
		policy_of.policy = (struct policy_settings){ .present = false };
	if (policy_make(&policy_of, &t->policy)) {
		trial_fail(t, "the policy could not be made");
		return false;
	}
	code = kind->start(&t->device, &t->policy);
	if (code) {
		trial_fail(t, "%s did not start: %s", kind->name,
			   t->device.said[0] ? t->device.said : strerror(-code));
		return false;
	}
	if (cpu_probe_open(&t->probe, t->lab, t->device.process.pid))
		t->probe = NULL;
	code = load_open(&t->load, t->lab, t->settings);
	if (code) {
		trial_fail(t, "fwgen server did not start: %s",
			   t->load.side[LOAD_SERVER].said[0] ? t->load.side[LOAD_SERVER].said : strerror(-code));
		return false;
	}
	return true;
}

static bool trial_begin(struct trial *t)
{
	t->stats_base = t->device.kind->stats(&t->device);
	if (reading_take(&t->base, t->lab, t->probe)) {
		trial_fail(t, "the interfaces' counters could not be read");
		return false;
	}
	t->last = t->base;
	t->opened = true;
	if (load_begin(&t->load)) {
		trial_fail(t, "fwgen client did not start");
		return false;
	}
	return true;
}

/* Nothing may be in flight when the counters are read for the account. Where
 * there will be no account, they are read at once. */
static void trial_settle(struct trial *t)
{
	if (t->state == TRIAL_OK && !stop_sleep(TRIAL_QUIET_MS)) {
		t->state = TRIAL_INTERRUPTED;
		snprintf(t->reason, sizeof(t->reason), "interrupted");
	}
	t->settled = !reading_take(&t->final, t->lab, t->probe);
	t->stats_final = t->device.kind->stats(&t->device);
	/* A device that has a process of its own counts; without it nothing accounts. */
	if (t->device.process.pid && !json_is_object(t->stats_final))
		trial_fail(t, "%s did not answer when asked for its counters", t->device.kind->name);
}

void trial_run(struct trial *t)
{
	t->device = (struct device){
		.kind = device_find(t->settings->device.kind),
		.lab = t->lab,
		.settings = t->settings,
		.process = CHILD_NONE,
	};
	for (int i = 0; i < LOAD_SIDES; i++)
		t->load.side[i].child = (struct child)CHILD_NONE;
	t->rate_now_bps = NAN;
	clock_iso8601(t->started, sizeof(t->started));
	t->samples = open_memstream(&t->samples_text, &t->samples_size);
	t->checks = json_array();
	if (!t->device.kind || !t->samples || !t->checks) {
		trial_fail(t, t->device.kind ? "out of memory" : "no such device");
		return;
	}
	if (!trial_set_up(t))
		return;
	trial_stranger(t);
	if (t->state == TRIAL_OK && trial_begin(t)) {
		trial_watch(t);
		trial_settle(t);
		trial_check(t);
	}
	fflush(t->samples);
}

void trial_free(struct trial *t)
{
	json_t *owned[] = { t->stats_base,  t->stats_window[0], t->stats_window[1],
			    t->stats_final, t->connected,       t->checks };

	load_close(&t->load);
	cpu_probe_close(t->probe);
	if (t->device.policy_text)
		t->device.kind->stop(&t->device);
	policy_free(&t->policy);
	if (t->samples)
		fclose(t->samples);
	free(t->samples_text);
	for (size_t i = 0; i < ARRAY_LEN(owned); i++)
		json_decref(owned[i]);
	memset(t, 0, sizeof(*t));
}
