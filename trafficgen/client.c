/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/client.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "trafficgen/crew.h"
#include "trafficgen/limits.h"
#include "trafficgen/report.h"

/* How long beyond the warm-up to wait for the last connection to move data. */
static const uint64_t client_extra_ns = 10 * NS_PER_S;
/* The drain after a signal. */
static const uint64_t client_hurry_ns = 2 * NS_PER_S;
/* How often to look for what nobody reports. */
static const uint64_t client_look_ns = 100 * NS_PER_MS;

/* Why a stage of the run is over. */
enum why { WHY_OVER, WHY_DEADLINE, WHY_SIGNAL, WHY_SILENCE, WHY_BROKEN };

struct run {
	const struct options *options;
	struct crew crew;
	struct report report;
	struct meter meter;
	int signal_fd;
	unsigned signals;
	bool omitted;                  /* what passes now is not measured */
	bool all_moved, drained;
	uint64_t next_interval_ns;
	struct totals moved;           /* when bytes were last seen to move */
	const char *reason;
};

static void run_cut(struct run *run, const struct totals *totals)
{
	struct interval interval = meter_cut(&run->meter, totals, run->omitted);

	if (interval.end_ns == interval.start_ns && !interval.sent_bytes && !interval.received_bytes)
		return;
	interval.connections = crew_count(&run->crew, 0).open;
	if (run->options->interval_ns)
		report_interval(&run->report, NULL, &interval);
}

/* Ends the interval under way exactly where the workers stand. */
static void run_boundary(struct run *run, enum cut kind)
{
	struct totals totals;

	if (crew_cut(&run->crew, 0, kind, &totals))
		totals = crew_totals(&run->crew, 0, clock_now_ns());
	if (totals.time_ns < run->meter.last.time_ns)
		totals.time_ns = run->meter.last.time_ns;
	run_cut(run, &totals);
	run->next_interval_ns = totals.time_ns + run->options->interval_ns;
}

static void run_signals(struct run *run)
{
	struct signalfd_siginfo info;

	while (read(run->signal_fd, &info, sizeof(info)) == sizeof(info))
		run->signals++;
}

static void run_sleep(struct run *run, uint64_t until_ns)
{
	uint64_t now_ns = clock_now_ns();
	struct timespec wait = { 0 };
	struct pollfd fds[] = { { .fd = run->signal_fd, .events = POLLIN },
				{ .fd = run->crew.notice_fd, .events = POLLIN } };
	eventfd_t ignored;

	if (until_ns > now_ns)
		wait = (struct timespec){ .tv_sec = (time_t)((until_ns - now_ns) / NS_PER_S),
					  .tv_nsec = (long)((until_ns - now_ns) % NS_PER_S) };
	ppoll(fds, 2, &wait, NULL);
	eventfd_read(run->crew.notice_fd, &ignored);
	run_signals(run);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static bool run_silent(struct run *run, uint64_t now_ns)
{
	struct totals now = crew_totals(&run->crew, 0, now_ns);

	if (now.sent_bytes != run->moved.sent_bytes ||
	    now.received_bytes != run->moved.received_bytes)
		run->moved = now;
	return now_ns - run->moved.time_ns >= run->options->silence_ns;
}

/* Waits for the stage's end and reports intervals meanwhile. watch: data is to
 * flow, so a long silence is an end as well. */
static enum why run_stage(struct run *run, bool (*over)(struct run *run), uint64_t deadline_ns,
			  bool watch)
{
	unsigned signals = run->signals;

	run->moved.time_ns = clock_now_ns();
	for (;;) {
		uint64_t now_ns = clock_now_ns();

		if (run->options->interval_ns && now_ns >= run->next_interval_ns &&
		    now_ns < deadline_ns) {
			struct totals totals = crew_totals(&run->crew, 0, now_ns);

			run_cut(run, &totals);
			while (run->next_interval_ns <= now_ns)
				run->next_interval_ns += run->options->interval_ns;
		}
		if (run->signals > signals)
			return WHY_SIGNAL;
		if (run->report.broken)
			return WHY_BROKEN;
		if (over(run))
			return WHY_OVER;
		if (now_ns >= deadline_ns)
			return WHY_DEADLINE;
		if (watch && run_silent(run, now_ns))
			return WHY_SILENCE;
		run_sleep(run, earlier(earlier(deadline_ns, now_ns + client_look_ns),
				       run->options->interval_ns ? run->next_interval_ns : UINT64_MAX));
	}
}

static bool over_tried(struct run *run)
{
	return crew_count(&run->crew, 0).tried == run->options->connections;
}

static bool over_closed(struct run *run)
{
	return !crew_count(&run->crew, 0).open;
}

static bool over_moved(struct run *run)
{
	struct totals totals;

	crew_cut(&run->crew, 0, CUT_MOVED, &totals);
	run->all_moved = !crew_count(&run->crew, 0).unmoved;
	return run->all_moved || over_closed(run);
}

/* Returns whether to go on. */
static bool run_judge(struct run *run, enum why why)
{
	if (why == WHY_SIGNAL)
		run->reason = "interrupted";
	else if (why == WHY_SILENCE || (why == WHY_OVER && !run->options->amount_bytes))
		run->reason = "peer-vanished";
	else if (why == WHY_BROKEN)
		run->reason = "interrupted";
	return !run->reason;
}

static bool run_connect(struct run *run)
{
	enum why why = run_stage(run, over_tried, UINT64_MAX, false);
	struct crew_counts counts = crew_count(&run->crew, 0);

	report_connected(&run->report, counts.open, counts.tried - counts.open,
			 run->report.start_ns);
	if (why != WHY_OVER)
		return run_judge(run, why);
	if (!counts.open)
		run->reason = "connect-failed";
	return counts.open;
}

/* By amount everything is measured, so there is no warm-up. */
static bool run_warm_up(struct run *run)
{
	uint64_t end_ns = clock_now_ns() + run->options->warm_up_ns;
	enum why why;

	if (run->options->amount_bytes) {
		run_boundary(run, CUT_BEGIN);
		run->omitted = false;
		crew_phase(&run->crew, PHASE_RUN);
		report_measure(&run->report, run->meter.last.time_ns, true);
		return true;
	}
	crew_phase(&run->crew, PHASE_RUN);
	why = run_stage(run, over_closed, end_ns, true);
	if (why == WHY_DEADLINE)
		why = run_stage(run, over_moved, end_ns + client_extra_ns, true);
	if (why == WHY_OVER && over_closed(run))
		return run_judge(run, why);
	if (why != WHY_OVER && why != WHY_DEADLINE)
		return run_judge(run, why);
	run_boundary(run, CUT_BEGIN);
	run->omitted = false;
	report_measure(&run->report, run->meter.last.time_ns, run->all_moved);
	return true;
}

static void run_measure(struct run *run)
{
	uint64_t end_ns = run->options->amount_bytes ? UINT64_MAX :
			  run->meter.last.time_ns + run->options->duration_ns;
	enum why why = run_stage(run, over_closed, end_ns, true);

	run_boundary(run, CUT_END);
	run->omitted = true;
	if (!run_judge(run, why))
		return;
	run->all_moved |= run->options->amount_bytes > 0;
}

/* A second signal, or the end of patience, resets what is left. */
static void run_drain(struct run *run)
{
	uint64_t patience_ns = run->options->drain_ns;

	if (over_closed(run)) {
		run->drained = true;
		return;
	}
	if (run->reason)
		patience_ns = earlier(patience_ns, client_hurry_ns);
	if (run->crew.phase < PHASE_RUN || (run->reason && !strcmp(run->reason, "peer-vanished")))
		return;
	crew_phase(&run->crew, PHASE_FINISH);
	run->drained = run_stage(run, over_closed, clock_now_ns() + patience_ns, false) == WHY_OVER;
	if (!run->drained && !run->reason)
		log_warn("not all data under way arrived within %.1f s (--drain)",
			 (double)patience_ns / 1e9);
}

/* The one mistake that many client addresses invite, and the way out. */
static void run_advise(const struct summary *summary)
{
	if (summary->failed[EADDRNOTAVAIL] || summary->failed[ENETUNREACH])
		log_warn("are the addresses of -B this host's, and is there a route to those of -c? A whole "
			 "prefix becomes this host's by: ip route add local PREFIX dev lo (IPv6 also: "
			 "sysctl -w net.ipv6.ip_nonlocal_bind=1)");
}

static enum exit_code run_report(struct run *run)
{
	struct totals totals = crew_totals(&run->crew, 0, clock_now_ns());
	struct summary summary = {
		.reason = run->reason ? run->reason : "done", .all_moved = run->all_moved,
		.meter = &run->meter, .counts = crew_count(&run->crew, 0),
		.result = crew_result(&run->crew, 0), .asked = run->options->connections,
	};

	run_cut(run, &totals);
	for (unsigned i = 0; i < run->crew.count; i++)
		for (unsigned e = 0; e < TEST_ERRNO_MAX; e++)
			summary.failed[e] += run->crew.worker[i].failed[e];
	summary.complete = !run->reason && run->drained && run->all_moved &&
			   !summary.counts.aborted && !summary.result.mismatches &&
			   summary.counts.closed == summary.asked;
	report_end(&run->report, &summary);
	run_advise(&summary);
	if (summary.result.mismatches)
		log_err(-EBADMSG, "%u connections received wrong bytes, the first: %s",
			summary.result.mismatches, summary.result.first_mismatch);
	if (run->signals)
		return EXIT_INTERRUPTED;
	return summary.complete && !run->report.broken ? EXIT_PASS : EXIT_RUN_FAILED;
}

enum exit_code client_run(const struct options *options, int signal_fd)
{
	static struct run state;
	struct run *run = &state;
	struct ports_wanted ports;
	struct totals start = { 0 };

	if (limits_descriptors(options))
		return EXIT_MISSING;
	if (limits_sockets(options))
		return EXIT_USAGE;
	run->options = options;
	run->signal_fd = signal_fd;
	run->omitted = true;
	run->crew.tests.test[0].used = true;
	if (getrandom(&run->crew.test_number, sizeof(run->crew.test_number), 0) < 0)
		run->crew.test_number = clock_now_ns();
	ports = limits_ports(options);
	report_start(&run->report, options, &ports);
	start.time_ns = run->report.start_ns;
	meter_start(&run->meter, &start);
	run->next_interval_ns = start.time_ns + options->interval_ns;
	if (crew_start(&run->crew, options))
		return EXIT_RUN_FAILED;
	if (run_connect(run) && run_warm_up(run))
		run_measure(run);
	run_drain(run);
	crew_stop(&run->crew);
	enum exit_code code = run_report(run);
	crew_end(&run->crew);
	return code;
}
