/* SPDX-License-Identifier: BSD-2-Clause */
/* The event loop of a trial: waits for both ends' lines, the device's death, the
 * stop flag and the window's end, and reads the counters at each.
 *
 * The window begins when the client says that every connection moves data, and
 * ends after the asked time by this program's own clock, so that a client which
 * is late to speak does not stretch it. Rates are divided by the time between
 * the readings themselves. */
#include "harness/trial/trial.h"

#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "harness/stop.h"

#define WATCH_CONNECT_NS (30 * NS_PER_S) /* beyond the warm-up */
#define WATCH_CONNECTION_NS (10 * NS_PER_MS)
#define WATCH_DRAIN_NS (30 * NS_PER_S)   /* beyond the window */
#define WATCH_OTHER_END_NS (10 * NS_PER_S)
#define WATCH_INTERRUPT_NS (3 * NS_PER_S)
#define WATCH_LAST_WORD_NS (NS_PER_S / 2) /* of a client whose device is dead */

struct watch {
	struct trial *trial;
	uint64_t deadline_ns; /* for the event that comes next */
	const char *awaited;  /* its name in a message */
	bool over;
};

static void watch_await(struct watch *w, const char *what, uint64_t ns)
{
	w->awaited = what;
	w->deadline_ns = clock_now_ns() + ns;
}

static bool watch_read(struct watch *w, struct reading *out)
{
	if (!reading_take(out, w->trial->lab, w->trial->probe))
		return true;
	trial_fail(w->trial, "the interfaces' counters could not be read");
	w->over = true;
	return false;
}

/* Per-filter counters at a window's end; only where a limit is to be judged. */
static void watch_stats(struct trial *t, int end)
{
	if (t->policy.limit_bps && json_is_array(json_object_get(t->stats_base, "filters")))
		t->stats_window[end] = t->device.kind->stats(&t->device);
}

static void watch_sample(struct watch *w, const struct reading *now)
{
	struct trial *t = w->trial;
	const struct sample sample = {
		.trial = t->plan->trial,
		.omitted = !t->measuring || t->last.time_ns < t->window[0].time_ns,
		.first_ns = t->base.time_ns,
		.generator_bps = t->rate_now_bps,
	};

	sample_print(t->samples, &sample, &t->last, now, t->lab);
	t->last = *now;
}

static void watch_window_begins(struct watch *w, const json_t *event)
{
	struct trial *t = w->trial;

	(void)event;
	if (t->measuring)
		return;
	watch_stats(t, 0);
	if (!watch_read(w, &t->window[0]))
		return;
	/* What is left of the warm-up's last second is a sample of its own. */
	if (t->window[0].time_ns - t->last.time_ns > NS_PER_S / 10)
		watch_sample(w, &t->window[0]);
	else
		t->last = t->window[0];
	t->measuring = true;
	t->window_end_ns = t->window[0].time_ns + t->settings->load.duration_ns;
	watch_await(w, "end", t->settings->load.duration_ns + WATCH_DRAIN_NS);
}

static void watch_window_ends(struct watch *w)
{
	struct trial *t = w->trial;

	if (!t->measuring || t->measured || !watch_read(w, &t->window[1]))
		return;
	t->measured = true;
	watch_stats(t, 1);
}

/* A second of the client's is over: its rate, and a sample. The last one of the
 * window shares the reading at the window's end; what comes later is the drain. */
static void watch_interval(struct watch *w, const json_t *event)
{
	struct trial *t = w->trial;
	const json_t *sent = json_object_get(event, "sent_bps");
	const json_t *received = json_object_get(event, "received_bps");
	struct reading now;

	t->rate_now_bps = json_is_number(sent) && json_is_number(received) ?
				  json_number_value(sent) + json_number_value(received) : NAN;
	progress_now(t->progress, t->rate_now_bps, t->measuring ? "measuring" : "warm-up");
	if (t->measured) {
		if (t->last.time_ns < t->window[1].time_ns)
			watch_sample(w, &t->window[1]);
		return;
	}
	if (!watch_read(w, &now))
		return;
	/* Within the last tenth of a second it is the window's last interval. */
	if (t->measuring && now.time_ns + NS_PER_S / 10 > t->window_end_ns &&
	    t->window_end_ns - t->window[0].time_ns > NS_PER_S / 5) {
		t->window[1] = now;
		t->measured = true;
		watch_stats(t, 1);
	}
	watch_sample(w, &now);
}

static void watch_client_end(struct watch *w, const json_t *event)
{
	struct trial *t = w->trial;
	const char *reason = json_string_value(json_object_get(event, "reason"));

	watch_window_ends(w);
	if (t->measured && t->last.time_ns < t->window[1].time_ns)
		watch_sample(w, &t->window[1]);
	if (t->state == TRIAL_OK && (!reason || strcmp(reason, "done"))) {
		char *failed = json_dumps(json_object_get(json_object_get(event, "connections"), "failed"),
					  JSON_COMPACT);

		trial_fail(t, "fwgen client: ended early: %s%s%s%s%s", reason ? reason : "no reason given",
			   failed ? ", failed " : "", failed ? failed : "",
			   t->load.side[LOAD_CLIENT].said[0] ? ": " : "", t->load.side[LOAD_CLIENT].said);
		free(failed);
	}
	/* What the server has seen is in no other place, but a client that never
	 * had a connection leaves no test there. */
	if (t->measuring)
		watch_await(w, "the server's end", WATCH_OTHER_END_NS);
	else
		w->over = true;
}

static void watch_event(struct watch *w, const struct load_event *event)
{
	struct trial *t = w->trial;

	if (event->kind == LOAD_DEAD) {
		watch_window_ends(w);
		trial_fail(t, "%s", t->load.side[event->side].said);
		w->over = true;
	} else if (event->side == LOAD_CLIENT) {
		if (event->kind == LOAD_CONNECTED && !t->connected)
			t->connected = json_incref(event->body);
		else if (event->kind == LOAD_MEASURE)
			watch_window_begins(w, event->body);
		else if (event->kind == LOAD_INTERVAL)
			watch_interval(w, event->body);
		else if (event->kind == LOAD_END)
			watch_client_end(w, event->body);
	}
	if (t->load.end[LOAD_CLIENT] && t->load.end[LOAD_SERVER])
		w->over = true;
}

static void watch_interrupt(struct watch *w)
{
	struct trial *t = w->trial;

	if (t->state == TRIAL_OK) {
		t->state = TRIAL_INTERRUPTED;
		snprintf(t->reason, sizeof(t->reason), "interrupted");
	}
	watch_window_ends(w);
	if (t->measured && t->last.time_ns < t->window[1].time_ns)
		watch_sample(w, &t->window[1]);
	load_interrupt(&t->load);
	watch_await(w, "the client's end", WATCH_INTERRUPT_NS);
}

static void watch_wait(struct watch *w, bool stopping)
{
	struct trial *t = w->trial;
	struct pollfd p[LOAD_POLL_MAX + 3];
	uint64_t now = clock_now_ns(), until = w->deadline_ns;
	nfds_t n = load_poll(&t->load, p);
	struct timespec left;

	if (!stopping)
		p[n++] = (struct pollfd){ stop_fd(), POLLIN, 0 };
	if (t->device.process.pid && !t->device.process.reaped) {
		p[n++] = (struct pollfd){ t->device.process.pidfd, POLLIN, 0 };
		if (!t->device.err.ended)
			p[n++] = (struct pollfd){ t->device.process.err, POLLIN, 0 };
	}
	if (t->measuring && !t->measured && t->window_end_ns < until)
		until = t->window_end_ns;
	now = until > now ? until - now : 0;
	left = (struct timespec){ (time_t)(now / NS_PER_S), (long)(now % NS_PER_S) };
	ppoll(p, n, &left, NULL);
}

void trial_watch(struct trial *t)
{
	struct watch w = { .trial = t };
	struct load_event event;
	bool stopping = false;
	char why[300];

	watch_await(&w, "measure", t->settings->load.warm_up_ns + WATCH_CONNECT_NS +
				   t->settings->load.connections * WATCH_CONNECTION_NS);
	while (!w.over) {
		watch_wait(&w, stopping);
		if (t->measuring && !t->measured && clock_now_ns() >= t->window_end_ns)
			watch_window_ends(&w);
		while (!w.over && load_next(&t->load, &event)) {
			watch_event(&w, &event);
			json_decref(event.body);
		}
		if (!w.over && t->state == TRIAL_OK && device_dead(&t->device, why, sizeof(why))) {
			trial_fail(t, "%s", why);
			watch_window_ends(&w);
			load_interrupt(&t->load);
			watch_await(&w, "the client's end", WATCH_LAST_WORD_NS);
		}
		if (!w.over && stop_asked() && !stopping) {
			stopping = true;
			watch_interrupt(&w);
		}
		if (!w.over && clock_now_ns() >= w.deadline_ns) {
			trial_fail(t, "fwgen: no %s in time", w.awaited);
			w.over = true;
		}
	}
}
