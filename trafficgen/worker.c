/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "common/own.h"
#include "trafficgen/payload.h"

enum { WORKER_EVENTS = 128, WORKER_QUEUE_TURNS = 8, WORKER_BUFFER_BYTES = 256 << 10,
       WORKER_NAP_NS = 200000, WORKER_NAP_CONNECTIONS = 32 };
static const uint64_t worker_tick_ns = 50 * NS_PER_MS;

void worker_notice(struct worker *worker)
{
	eventfd_write(worker->crew->notice_fd, 1);
}

int worker_watch(struct worker *worker, struct flow *flow, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = flow };

	return epoll_ctl(worker->epoll_fd, EPOLL_CTL_ADD, flow->fd, &event) ? -errno : 0;
}

void worker_drop(struct flow *flow, bool reset)
{
	flow_close(flow, reset);
	flow->state = FLOW_CLOSED;
	if (!flow->queued)
		free(flow);
}

static void worker_queue(struct worker *worker, struct flow *flow)
{
	if (flow->queued)
		return;
	flow->queued = true;
	flow->queue_next = NULL;
	*worker->queue_end = flow;
	worker->queue_end = &flow->queue_next;
}

static void worker_note_moved(struct tally *tally, struct flow *flow)
{
	if (flow->moved || !flow_has_moved(flow))
		return;
	flow->moved = true;
	tally_step(&tally->moved, 1);
	tally_step(&tally->unmoved, -1);
}

/* The end of a running connection. A peer that ends by time before the client
 * has ended it was not in good order either. */
static void worker_close(struct worker *worker, struct flow *flow, enum outcome outcome)
{
	struct tally *tally = flow->tally;
	bool early = flow->plan.client && !flow->plan.by_amount && !flow->finishing;

	worker_note_moved(tally, flow);
	if (!flow->moved)
		tally_step(&tally->unmoved, -1);
	flow_record_tcp(flow);
	flow_unlink(&tally->first, flow);
	if (tally->in_window)
		spread_add(&tally->spread,
			   flow->sent_bytes + flow->received_bytes - flow->mark_bytes);
	if (flow->state == FLOW_RUNNING) {
		worker->running--;
		worker->running_bulk -= flow->workload->bulk;
	}
	if (outcome == OUTCOME_FAILED || early)
		tally_step(&tally->aborted, 1);
	tally_step(&tally->closed, 1);
	worker_drop(flow, outcome == OUTCOME_FAILED);
	tally_step(&tally->open, -1);
	worker_notice(worker);
}

static void worker_judge(struct worker *worker, struct flow *flow, enum outcome outcome)
{
	if (outcome == OUTCOME_MORE)
		worker_queue(worker, flow);
	else if (outcome != OUTCOME_WAIT)
		worker_close(worker, flow, outcome);
}

/* The scratch buffer comes with the first connection that copies. */
static bool worker_reserve(struct work *work, size_t bytes)
{
	if (bytes < WORKER_BUFFER_BYTES)
		bytes = WORKER_BUFFER_BYTES;
	if (work->buffer_bytes >= bytes)
		return true;
	free(work->buffer);
	work->buffer = malloc(bytes);
	work->buffer_bytes = work->buffer ? bytes : 0;
	if (work->buffer)
		payload_fill(work->buffer, bytes, 1, 0);
	return work->buffer;
}

void worker_begin(struct worker *worker, struct flow *flow, unsigned slot)
{
	flow->state = FLOW_RUNNING;
	worker->running++;
	worker->running_bulk += flow->workload->bulk;
	flow->slot = (uint8_t)slot;
	flow->tally = &worker->tally[slot];
	flow_link(&flow->tally->first, flow);
	tally_step(&flow->tally->unmoved, 1);
	/* By amount all of it is measured. */
	if (flow->plan.by_amount)
		flow->tally->in_window = true;
	if (flow->plan.copy && !worker_reserve(&worker->work, flow->plan.write_bytes)) {
		worker_close(worker, flow, OUTCOME_FAILED);
		return;
	}
	worker_judge(worker, flow, flow->workload->begin(&worker->work, flow));
}

static void worker_finish(struct worker *worker, struct flow *flow)
{
	flow->finishing = true;
	if (flow->workload->finish)
		worker_judge(worker, flow, flow->workload->finish(&worker->work, flow));
}

/* Client: the hello goes out, and behind it the workload's data. */
static void worker_start_flow(struct worker *worker, struct flow *flow)
{
	const struct options *options = worker->crew->options;
	struct hello hello = flow_hello(options, worker->crew->test_number, flow->index);
	uint8_t bytes[HELLO_BYTES];

	flow_unlink(&worker->waiting, flow);
	flow->workload = options->workload;
	flow_plan(flow, &hello, true);
	hello_write(&hello, bytes);
	if (send(flow->fd, bytes, sizeof(bytes), MSG_NOSIGNAL) != sizeof(bytes)) {
		flow->tally = &worker->tally[0];
		flow_link(&flow->tally->first, flow);
		tally_step(&flow->tally->unmoved, 1);
		worker_close(worker, flow, OUTCOME_FAILED);
		return;
	}
	worker_begin(worker, flow, 0);
}

static void worker_end(struct worker *worker)
{
	for (unsigned slot = 0; slot < TESTS_MAX; slot++)
		while (worker->tally[slot].first)
			worker_close(worker, worker->tally[slot].first, OUTCOME_FAILED);
	for (struct flow **lists[] = { &worker->connecting, &worker->waiting, &worker->listeners },
	     ***list = lists; list < lists + ARRAY_LEN(lists); list++) {
		while (**list) {
			struct flow *flow = **list;

			flow_unlink(*list, flow);
			worker_drop(flow, flow->state != FLOW_LISTENING);
		}
	}
}

/* Follows the main thread's phase, one at a time. */
static void worker_follow(struct worker *worker)
{
	while (worker->phase < atomic_load_explicit(&worker->crew->phase, memory_order_acquire)) {
		worker->phase++;
		if (worker->phase == PHASE_RUN)
			while (worker->waiting)
				worker_start_flow(worker, worker->waiting);
		if (worker->phase == PHASE_FINISH)
			for (struct flow *flow = worker->tally[0].first, *next; flow; flow = next) {
				next = flow->next;
				worker_finish(worker, flow);
			}
		if (worker->phase == PHASE_END)
			worker_end(worker);
	}
}

static void worker_cut_flow(struct tally *tally, struct flow *flow, enum cut kind)
{
	uint64_t bytes = flow->sent_bytes + flow->received_bytes;

	if (kind == CUT_BEGIN)
		flow->mark_bytes = bytes;
	if (kind == CUT_END) {
		spread_add(&tally->spread, bytes - flow->mark_bytes);
		tally->socket_bytes += flow_socket_bytes(flow);
	}
	worker_note_moved(tally, flow);
}

/* Counters first, so that the look at each connection costs the window nothing. */
static void worker_cut(struct tally *tally, const struct test *test, uint32_t wanted)
{
	enum cut kind = atomic_load_explicit(&test->cut_kind, memory_order_relaxed);

	tally->at_cut = (struct totals){
		.time_ns = clock_now_ns(),
		.sent_bytes = atomic_load_explicit(&tally->sent_bytes, memory_order_relaxed),
		.received_bytes = atomic_load_explicit(&tally->received_bytes, memory_order_relaxed),
	};
	if (kind == CUT_BEGIN || kind == CUT_END)
		tally->in_window = kind == CUT_BEGIN;
	if (kind == CUT_END)
		tally->socket_known = true;
	for (struct flow *flow = tally->first; flow; flow = flow->next)
		worker_cut_flow(tally, flow, kind);
	atomic_store_explicit(&tally->cut_done, wanted, memory_order_release);
}

/* Within a batch of events no connection may go that a later event names. */
static void worker_cuts(struct worker *worker, bool in_batch)
{
	uint32_t seen = atomic_load_explicit(&worker->crew->cuts, memory_order_acquire);

	for (unsigned slot = 0; slot < TESTS_MAX; slot++) {
		const struct test *test = &worker->crew->tests.test[slot];
		struct tally *tally = &worker->tally[slot];
		uint32_t wanted = atomic_load_explicit(&test->cut_wanted, memory_order_acquire);

		if (wanted == atomic_load_explicit(&tally->cut_done, memory_order_relaxed))
			continue;
		if (atomic_load_explicit(&test->cut_kind, memory_order_relaxed) == CUT_RESET) {
			if (in_batch)
				return;
			while (tally->first)
				worker_close(worker, tally->first, OUTCOME_FAILED);
		}
		worker_cut(tally, test, wanted);
	}
	worker->cuts_seen = seen;
}

static bool worker_cut_due(const struct worker *worker)
{
	return worker->cuts_seen !=
	       atomic_load_explicit(&worker->crew->cuts, memory_order_relaxed);
}

static void worker_event(struct worker *worker, struct flow *flow, uint32_t events)
{
	eventfd_t ignored;

	switch (flow->state) {
	case FLOW_WAKE:
		eventfd_read(flow->fd, &ignored);
		break;
	case FLOW_LISTENING:
		accept_event(worker, flow);
		break;
	case FLOW_CONNECTING:
		dial_event(worker, flow);
		break;
	case FLOW_WAITING:
		if (worker->crew->options->role == ROLE_SERVER)
			accept_hello(worker, flow, events);
		break;
	case FLOW_RUNNING:
		worker_judge(worker, flow, flow->workload->event(&worker->work, flow, events));
		break;
	}
}

static void worker_turns(struct worker *worker)
{
	for (int i = 0; i < WORKER_QUEUE_TURNS && worker->queue; i++) {
		struct flow *flow = worker->queue;

		worker->queue = flow->queue_next;
		if (!worker->queue)
			worker->queue_end = &worker->queue;
		flow->queued = false;
		if (flow->state == FLOW_CLOSED)
			free(flow);
		else
			worker_judge(worker, flow, flow->workload->turn(&worker->work, flow));
	}
}

/* Once in a while: what has a deadline. */
static void worker_tick(struct worker *worker, uint64_t now_ns)
{
	if (now_ns < worker->tick_ns)
		return;
	worker->tick_ns = now_ns + worker_tick_ns;
	if (worker->crew->options->role == ROLE_SERVER)
		accept_expire(worker, now_ns);
	else if (worker->connecting)
		dial_expire(worker, now_ns);
}

static int worker_timeout_ms(const struct worker *worker)
{
	if (worker->queue)
		return 0;
	if (worker->crew->options->role == ROLE_CLIENT && !dial_over(worker))
		return worker->next_index < worker->crew->options->connections ? 5 : 50;
	return worker->waiting ? 1000 : -1;
}

/* With many connections something always arrives, and a receiver that is woken
 * for each of them spends its core on waking up. So between two looks it waits,
 * whatever comes: the kernel acknowledges meanwhile, and queues stay short. */
static void worker_nap(const struct worker *worker, int events)
{
	static const struct timespec nap = { .tv_nsec = WORKER_NAP_NS };

	if (events > 0 && !worker->queue && worker->running >= WORKER_NAP_CONNECTIONS &&
	    worker->running == worker->running_bulk)
		nanosleep(&nap, NULL);
}

void *worker_run(void *arg)
{
	struct worker *worker = arg;
	struct cores one = { .count = 1,
			     .core = { worker->crew->options->cores.core[worker->number] } };
	struct epoll_event events[WORKER_EVENTS];

	cores_bind(&one);
	while (worker->phase < PHASE_END) {
		int n;

		if (worker->crew->options->role == ROLE_CLIENT && worker->phase == PHASE_CONNECT)
			dial_more(worker, clock_now_ns());
		n = epoll_wait(worker->epoll_fd, events, WORKER_EVENTS, worker_timeout_ms(worker));
		for (int i = 0; i < n; i++) {
			worker_event(worker, events[i].data.ptr, events[i].events);
			if (worker_cut_due(worker))
				worker_cuts(worker, true);
		}
		worker_turns(worker);
		if (worker_cut_due(worker))
			worker_cuts(worker, false);
		worker_tick(worker, clock_now_ns());
		worker_follow(worker);
		worker_nap(worker, n);
	}
	return NULL;
}
