/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "trafficgen/payload.h"

enum { CREW_FILE_BYTES = 1 << 20, CREW_CUT_WAIT_MS = 1000 };

static int worker_start(struct worker *worker)
{
	worker->queue_end = &worker->queue;
	worker->next_index = worker->number;
	worker->wake.state = FLOW_WAKE;
	worker->wake.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	worker->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	worker->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (worker->wake.fd < 0 || worker->epoll_fd < 0 || worker->spare_fd < 0)
		return log_err(-errno, "cannot start a worker: %s", strerror(errno));
	if (worker_watch(worker, &worker->wake, EPOLLIN))
		return log_err(-errno, "cannot start a worker: %s", strerror(errno));
	/* A file each: its pages' reference counts then stay in this core's cache. */
	worker->work.file = payload_file(CREW_FILE_BYTES);
	worker->work.file_bytes = CREW_FILE_BYTES;
	if (worker->work.file < 0)
		return worker->work.file;
	return worker->crew->options->role == ROLE_SERVER ? accept_listen(worker) : 0;
}

/* The thread leaves all signals to the main thread, which has blocked them. */
static int crew_threads(struct crew *crew, unsigned *started)
{
	for (; *started < crew->count; (*started)++) {
		struct worker *worker = &crew->worker[*started];
		int code = pthread_create(&worker->thread, NULL, worker_run, worker);

		if (code)
			return log_err(-code, "cannot start a thread: %s", strerror(code));
	}
	return 0;
}

static void crew_free(struct crew *crew)
{
	for (unsigned i = 0; i < crew->count; i++) {
		struct worker *worker = &crew->worker[i];

		while (worker->listeners) {
			struct flow *listener = worker->listeners;

			flow_unlink(&worker->listeners, listener);
			worker_drop(listener, false);
		}
		while (worker->queue) {
			struct flow *flow = worker->queue;

			worker->queue = flow->queue_next;
			free(flow);
		}
		close(worker->wake.fd);
		close(worker->epoll_fd);
		close(worker->spare_fd);
		if (worker->work.file >= 0)
			close(worker->work.file);
		free(worker->work.buffer);
	}
	close(crew->notice_fd);
	for (unsigned slot = 0; slot < TESTS_MAX; slot++)
		peers_free(&crew->tests.test[slot].peers);
	pthread_mutex_destroy(&crew->tests.lock);
	free(crew->worker);
}

static int crew_prepare(struct crew *crew, const struct options *options)
{
	crew->count = options->cores.count;
	crew->worker = aligned_alloc(128, crew->count * sizeof(*crew->worker));
	if (!crew->worker)
		return log_err(-ENOMEM, "out of memory for %u workers", crew->count);
	memset(crew->worker, 0, crew->count * sizeof(*crew->worker));
	for (unsigned i = 0; i < crew->count; i++) {
		struct worker *worker = &crew->worker[i];

		worker->crew = crew;
		worker->number = i;
		worker->wake.fd = worker->epoll_fd = worker->spare_fd = worker->work.file = -1;
	}
	return 0;
}

int crew_start(struct crew *crew, const struct options *options)
{
	unsigned started = 0;
	int code;

	crew->options = options;
	pthread_mutex_init(&crew->tests.lock, NULL);
	crew->notice_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	code = crew_prepare(crew, options);
	if (code)
		return code;
	for (unsigned i = 0; !code && i < crew->count; i++)
		code = worker_start(&crew->worker[i]);
	if (!code)
		code = crew_threads(crew, &started);
	if (!code)
		return 0;
	crew_phase(crew, PHASE_END);
	for (unsigned i = 0; i < started; i++)
		pthread_join(crew->worker[i].thread, NULL);
	crew_free(crew);
	return code;
}

static void crew_wake(struct crew *crew)
{
	for (unsigned i = 0; i < crew->count; i++)
		eventfd_write(crew->worker[i].wake.fd, 1);
}

void crew_phase(struct crew *crew, enum phase phase)
{
	atomic_store_explicit(&crew->phase, phase, memory_order_release);
	crew_wake(crew);
}

void crew_stop(struct crew *crew)
{
	crew_phase(crew, PHASE_END);
	for (unsigned i = 0; i < crew->count; i++)
		pthread_join(crew->worker[i].thread, NULL);
}

void crew_end(struct crew *crew)
{
	crew_free(crew);
}

struct totals crew_totals(const struct crew *crew, unsigned slot, uint64_t now_ns)
{
	struct totals totals = { .time_ns = now_ns };

	for (unsigned i = 0; i < crew->count; i++) {
		const struct tally *tally = &crew->worker[i].tally[slot];

		totals.sent_bytes += atomic_load_explicit(&tally->sent_bytes, memory_order_relaxed);
		totals.received_bytes += atomic_load_explicit(&tally->received_bytes,
							      memory_order_relaxed);
	}
	return totals;
}

struct crew_counts crew_count(const struct crew *crew, unsigned slot)
{
	struct crew_counts counts = { 0 };

	for (unsigned i = 0; i < crew->count; i++) {
		const struct worker *worker = &crew->worker[i];
		const struct tally *tally = &worker->tally[slot];

		/* open last to be written by a worker, so first to be read. */
		counts.open += atomic_load_explicit(&tally->open, memory_order_acquire);
		counts.closed += atomic_load_explicit(&tally->closed, memory_order_acquire);
		counts.aborted += atomic_load_explicit(&tally->aborted, memory_order_acquire);
		counts.moved += atomic_load_explicit(&tally->moved, memory_order_acquire);
		counts.unmoved += atomic_load_explicit(&tally->unmoved, memory_order_acquire);
		counts.tried += atomic_load_explicit(&worker->tried, memory_order_acquire);
	}
	return counts;
}

static bool crew_answered(const struct crew *crew, unsigned slot, uint32_t wanted)
{
	for (unsigned i = 0; i < crew->count; i++)
		if (atomic_load_explicit(&crew->worker[i].tally[slot].cut_done,
					 memory_order_acquire) != wanted)
			return false;
	return true;
}

int crew_cut(struct crew *crew, unsigned slot, enum cut kind, struct totals *totals)
{
	struct test *test = &crew->tests.test[slot];
	uint32_t wanted = atomic_load_explicit(&test->cut_wanted, memory_order_relaxed) + 1;
	uint64_t give_up_ns = clock_now_ns() + CREW_CUT_WAIT_MS * NS_PER_MS, time_ns = 0;

	atomic_store_explicit(&test->cut_kind, kind, memory_order_relaxed);
	atomic_store_explicit(&test->cut_wanted, wanted, memory_order_release);
	atomic_fetch_add_explicit(&crew->cuts, 1, memory_order_release);
	crew_wake(crew);
	while (!crew_answered(crew, slot, wanted)) {
		if (clock_now_ns() > give_up_ns)
			return -ETIMEDOUT;
		usleep(50);
	}
	*totals = (struct totals){ 0 };
	for (unsigned i = 0; i < crew->count; i++) {
		const struct totals *at = &crew->worker[i].tally[slot].at_cut;

		time_ns += at->time_ns / crew->count;
		totals->sent_bytes += at->sent_bytes;
		totals->received_bytes += at->received_bytes;
	}
	totals->time_ns = time_ns;
	return 0;
}

struct crew_result crew_result(const struct crew *crew, unsigned slot)
{
	struct crew_result result = { .first_mismatch = "", .congestion = "" };

	for (unsigned i = 0; i < crew->count; i++) {
		const struct tally *tally = &crew->worker[i].tally[slot];

		spread_merge(&result.spread, &tally->spread);
		tcp_record_merge(&result.tcp, &tally->tcp);
		result.socket_bytes += tally->socket_bytes;
		result.socket_known |= tally->socket_known;
		result.verified_bytes += tally->verified_bytes;
		result.mismatches += tally->mismatches;
		if (*tally->first_mismatch && !*result.first_mismatch)
			result.first_mismatch = tally->first_mismatch;
		if (*tally->congestion)
			result.congestion = tally->congestion;
	}
	return result;
}

bool crew_conclude(struct crew *crew, unsigned slot)
{
	struct test *test = &crew->tests.test[slot];
	bool over;

	pthread_mutex_lock(&crew->tests.lock);
	over = test->joined == crew_count(crew, slot).closed;
	test->concluded = over;
	pthread_mutex_unlock(&crew->tests.lock);
	return over;
}

/* No worker has a connection of the test, so none touches its tally; the cut
 * number must go on, or a worker would see a cut that nobody asked for. */
void crew_release(struct crew *crew, unsigned slot)
{
	struct test *test = &crew->tests.test[slot];

	pthread_mutex_lock(&crew->tests.lock);
	for (unsigned i = 0; i < crew->count; i++) {
		struct tally *tally = &crew->worker[i].tally[slot];
		uint32_t cut_done = atomic_load(&tally->cut_done);

		memset(tally, 0, sizeof(*tally));
		atomic_store(&tally->cut_done, cut_done);
	}
	peers_free(&test->peers);
	test->joined = 0;
	test->concluded = test->used = false;
	pthread_mutex_unlock(&crew->tests.lock);
}
