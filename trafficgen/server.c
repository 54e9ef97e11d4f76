/* SPDX-License-Identifier: BSD-2-Clause */
/* The server's main thread: a test begins with its first hello and ends when
 * its last connection has closed. The window begins after the client's warm-up,
 * once every open connection has moved data, and lasts the client's time. */
#include "trafficgen/server.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "trafficgen/crew.h"
#include "trafficgen/limits.h"
#include "trafficgen/report.h"

static const uint64_t server_look_ns = 50 * NS_PER_MS;
/* All connections that came have closed, but fewer came than were asked for:
 * the others may still be on their way. */
static const uint64_t server_grace_ns = NS_PER_S;

enum stage { STAGE_UNUSED, STAGE_WARM_UP, STAGE_MEASURE, STAGE_AFTER };

/* A test as the main thread follows it. */
struct watch {
	enum stage stage;
	bool all_moved, vanished;
	struct meter meter;
	struct totals moved;           /* when bytes were last seen to move */
	uint64_t next_interval_ns, window_end_ns;
	uint64_t idle_since_ns;        /* nothing open, and nothing has closed, since then */
	uint32_t closed;
};

struct server {
	const struct options *options;
	struct crew crew;
	struct report report;
	int signal_fd;
	bool stopped, served, any_incomplete;
	struct watch watch[TESTS_MAX];
};

static void watch_interval(struct server *server, unsigned slot, const struct totals *totals)
{
	struct watch *watch = &server->watch[slot];
	struct interval interval = meter_cut(&watch->meter, totals, watch->stage != STAGE_MEASURE);

	if (interval.end_ns == interval.start_ns && !interval.sent_bytes && !interval.received_bytes)
		return;
	interval.connections = crew_count(&server->crew, slot).open;
	if (server->options->interval_ns)
		report_interval(&server->report, &server->crew.tests.test[slot], &interval);
}

static void watch_boundary(struct server *server, unsigned slot, enum cut kind, enum stage next)
{
	struct watch *watch = &server->watch[slot];
	struct totals totals;

	if (crew_cut(&server->crew, slot, kind, &totals))
		totals = crew_totals(&server->crew, slot, clock_now_ns());
	if (totals.time_ns < watch->meter.last.time_ns)
		totals.time_ns = watch->meter.last.time_ns;
	watch_interval(server, slot, &totals);
	watch->stage = next;
	watch->next_interval_ns = totals.time_ns + server->options->interval_ns;
}

static void watch_begin(struct server *server, unsigned slot)
{
	const struct test *test = &server->crew.tests.test[slot];
	struct totals start = { .time_ns = test->began_ns };

	server->watch[slot] = (struct watch){
		.stage = test->hello.flags & HELLO_AMOUNT ? STAGE_MEASURE : STAGE_WARM_UP,
		.window_end_ns = UINT64_MAX, .moved = start, .idle_since_ns = clock_now_ns(),
		.next_interval_ns = start.time_ns + server->options->interval_ns,
	};
	meter_start(&server->watch[slot].meter, &start);
	if (server->watch[slot].stage == STAGE_MEASURE)
		server->watch[slot].all_moved = true;
}

static void watch_warm_up(struct server *server, unsigned slot, uint64_t now_ns)
{
	const struct hello *hello = &server->crew.tests.test[slot].hello;
	struct watch *watch = &server->watch[slot];
	struct totals totals;

	if (now_ns < watch->meter.start.time_ns + hello->warm_up_ms * NS_PER_MS)
		return;
	crew_cut(&server->crew, slot, CUT_MOVED, &totals);
	if (crew_count(&server->crew, slot).unmoved)
		return;
	watch->all_moved = true;
	watch_boundary(server, slot, CUT_BEGIN, STAGE_MEASURE);
	watch->window_end_ns = watch->meter.last.time_ns + hello->duration_ms * NS_PER_MS;
}

/* The first half-close of a client by time ends the window as well, but it is
 * seen only as connections closing; so does the client's time. */
static void watch_measure(struct server *server, unsigned slot, uint64_t now_ns)
{
	struct watch *watch = &server->watch[slot];
	struct crew_counts counts = crew_count(&server->crew, slot);
	bool by_amount = server->crew.tests.test[slot].hello.flags & HELLO_AMOUNT;

	if (now_ns >= watch->window_end_ns || (!by_amount && counts.closed))
		watch_boundary(server, slot, CUT_END, STAGE_AFTER);
}

static bool watch_over(struct server *server, unsigned slot, uint64_t now_ns)
{
	const struct test *test = &server->crew.tests.test[slot];
	struct watch *watch = &server->watch[slot];
	struct crew_counts counts = crew_count(&server->crew, slot);

	if (counts.open || counts.closed != watch->closed)
		watch->idle_since_ns = now_ns;
	watch->closed = counts.closed;
	if (counts.open || !counts.closed)
		return false;
	return counts.closed >= test->hello.connections || watch->vanished ||
	       now_ns - watch->idle_since_ns >= server_grace_ns;
}

static void watch_end(struct server *server, unsigned slot)
{
	struct watch *watch = &server->watch[slot];
	const struct test *test = &server->crew.tests.test[slot];
	struct totals totals;
	struct summary summary = { .meter = &watch->meter, .asked = test->hello.connections,
				   .test = test, .all_moved = watch->all_moved };

	/* A signal has ended the workers already. */
	if (!server->stopped && !crew_conclude(&server->crew, slot))
		return;
	totals = crew_totals(&server->crew, slot, clock_now_ns());
	watch_interval(server, slot, &totals);
	summary.counts = crew_count(&server->crew, slot);
	summary.result = crew_result(&server->crew, slot);
	summary.reason = server->stopped ? "interrupted" :
			 watch->vanished || summary.counts.aborted ? "peer-vanished" : "done";
	summary.complete = !server->stopped && !watch->vanished && watch->all_moved &&
			   !summary.counts.aborted && !summary.result.mismatches &&
			   summary.counts.closed == summary.asked;
	report_end(&server->report, &summary);
	if (summary.result.mismatches)
		log_err(-EBADMSG, "%u connections received wrong bytes, the first: %s",
			summary.result.mismatches, summary.result.first_mismatch);
	server->any_incomplete |= !summary.complete;
	server->served = true;
	if (!server->stopped)
		crew_release(&server->crew, slot);
	watch->stage = STAGE_UNUSED;
}

/* A client that stopped, or whose cable was cut, sends no reset. */
static void watch_silence(struct server *server, unsigned slot, uint64_t now_ns)
{
	struct watch *watch = &server->watch[slot];
	struct totals now = crew_totals(&server->crew, slot, now_ns);

	if (now.sent_bytes != watch->moved.sent_bytes ||
	    now.received_bytes != watch->moved.received_bytes)
		watch->moved = now;
	if (watch->vanished || now_ns - watch->moved.time_ns < server->options->silence_ns)
		return;
	watch->vanished = true;
	crew_cut(&server->crew, slot, CUT_RESET, &now);
}

static void server_look(struct server *server, unsigned slot, uint64_t now_ns)
{
	struct watch *watch = &server->watch[slot];

	if (watch->stage == STAGE_UNUSED)
		watch_begin(server, slot);
	if (server->options->interval_ns && now_ns >= watch->next_interval_ns) {
		struct totals totals = crew_totals(&server->crew, slot, now_ns);

		watch_interval(server, slot, &totals);
		while (watch->next_interval_ns <= now_ns)
			watch->next_interval_ns += server->options->interval_ns;
	}
	if (watch->stage == STAGE_WARM_UP)
		watch_warm_up(server, slot, now_ns);
	else if (watch->stage == STAGE_MEASURE)
		watch_measure(server, slot, now_ns);
	watch_silence(server, slot, now_ns);
	if (watch_over(server, slot, now_ns))
		watch_end(server, slot);
}

/* Returns whether any test is under way. */
static bool server_look_all(struct server *server)
{
	bool any = false;

	for (unsigned slot = 0; slot < TESTS_MAX; slot++) {
		bool used;

		pthread_mutex_lock(&server->crew.tests.lock);
		used = server->crew.tests.test[slot].used;
		pthread_mutex_unlock(&server->crew.tests.lock);
		if (used)
			server_look(server, slot, clock_now_ns());
		any |= used;
	}
	return any;
}

static void server_wait(struct server *server, bool busy)
{
	struct pollfd fds[] = { { .fd = server->signal_fd, .events = POLLIN },
				{ .fd = server->crew.notice_fd, .events = POLLIN } };
	struct signalfd_siginfo info;
	eventfd_t ignored;

	poll(fds, 2, busy ? (int)(server_look_ns / NS_PER_MS) : -1);
	eventfd_read(server->crew.notice_fd, &ignored);
	if (read(server->signal_fd, &info, sizeof(info)) == sizeof(info))
		server->stopped = true;
}

/* Tests that a signal cut off. */
static bool server_stop(struct server *server)
{
	bool cut_off = false;

	for (unsigned slot = 0; slot < TESTS_MAX; slot++) {
		if (server->watch[slot].stage == STAGE_UNUSED)
			continue;
		if (server->watch[slot].stage == STAGE_MEASURE)
			watch_boundary(server, slot, CUT_END, STAGE_AFTER);
		cut_off = true;
	}
	crew_stop(&server->crew);
	for (unsigned slot = 0; slot < TESTS_MAX; slot++)
		if (server->watch[slot].stage != STAGE_UNUSED)
			watch_end(server, slot);
	return cut_off;
}

enum exit_code server_run(const struct options *options, int signal_fd)
{
	static struct server state;
	struct server *server = &state;
	bool cut_off;

	if (limits_descriptors(options))
		return EXIT_MISSING;
	server->options = options;
	server->signal_fd = signal_fd;
	report_start(&server->report, options, NULL);
	if (crew_start(&server->crew, options))
		return EXIT_RUN_FAILED;
	report_ready(&server->report);
	while (!server->stopped && !server->report.broken) {
		bool busy = server_look_all(server);

		if (options->one_off && server->served)
			break;
		server_wait(server, busy);
	}
	cut_off = server_stop(server);
	crew_end(&server->crew);
	if (server->stopped)
		return cut_off ? EXIT_INTERRUPTED : EXIT_PASS;
	return server->report.broken || server->any_incomplete ? EXIT_RUN_FAILED : EXIT_PASS;
}
