/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "trafficgen/worker.h"

/* SYNs in a row, and the pause after them when no answer has come: what does
 * not answer holds up the rest for milliseconds, not for its own timeout. */
enum { DIAL_BATCH = 64 };
static const uint64_t dial_pause_ns = 5 * NS_PER_MS;

static void dial_failed(struct worker *worker, struct flow *flow, int error)
{
	worker->failed[error > 0 && error < TEST_ERRNO_MAX ? error : 0]++;
	worker_drop(flow, true);
	tally_step(&worker->tried, 1);
}

/* Returns false where this worker is not to go on for now. */
static bool dial_one(struct worker *worker, uint64_t now_ns)
{
	const struct options *options = worker->crew->options;
	struct flow *flow = calloc(1, sizeof(*flow));
	uint32_t index = worker->next_index;
	int code;

	if (!flow)
		return false;
	worker->next_index += worker->crew->count;
	flow->fd = -1;
	flow->index = index;
	flow->state = FLOW_CONNECTING;
	flow->deadline_ns = now_ns + options->connect_timeout_ns;
	code = flow_connect(flow, options);
	if (!code)
		code = worker_watch(worker, flow, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
	if (code) {
		dial_failed(worker, flow, -code);
		return true;
	}
	flow_link(&worker->connecting, flow);
	worker->connecting_count++;
	return true;
}

void dial_more(struct worker *worker, uint64_t now_ns)
{
	uint32_t most = worker->crew->options->connections;

	if (worker->next_index >= most ||
	    (worker->connecting_count >= DIAL_BATCH && now_ns < worker->next_batch_ns))
		return;
	for (int i = 0; i < DIAL_BATCH && worker->next_index < most; i++)
		if (!dial_one(worker, now_ns))
			break;
	worker->next_batch_ns = now_ns + dial_pause_ns;
	if (dial_over(worker))
		worker_notice(worker);
}

void dial_event(struct worker *worker, struct flow *flow)
{
	int error = 0;
	socklen_t length = sizeof(error);

	flow_unlink(&worker->connecting, flow);
	worker->connecting_count--;
	getsockopt(flow->fd, SOL_SOCKET, SO_ERROR, &error, &length);
	if (error) {
		dial_failed(worker, flow, error);
	} else {
		flow->state = FLOW_WAITING;
		flow_link(&worker->waiting, flow);
		tally_step(&worker->tally[0].open, 1);
		tally_step(&worker->tried, 1);
	}
	if (dial_over(worker))
		worker_notice(worker);
}

void dial_expire(struct worker *worker, uint64_t now_ns)
{
	for (struct flow *flow = worker->connecting, *next; flow; flow = next) {
		next = flow->next;
		if (now_ns < flow->deadline_ns)
			continue;
		flow_unlink(&worker->connecting, flow);
		worker->connecting_count--;
		dial_failed(worker, flow, ETIMEDOUT);
	}
	if (dial_over(worker))
		worker_notice(worker);
}

bool dial_over(const struct worker *worker)
{
	return !worker->connecting && worker->next_index >= worker->crew->options->connections;
}
