/* SPDX-License-Identifier: BSD-2-Clause */
/* Workload stream: as many bytes as the connection takes, one or both ways, for
 * a time or an amount.
 *
 * The end by time: the client half-closes; the server has then received all,
 * half-closes in turn, and the client receives to the end. By amount a sender
 * half-closes behind its last byte, and who has nothing to send answers that.
 * Nobody half-closes earlier: firewalls give such connections little time.
 * Either way a side is done when it has sent and received everything and its
 * last byte is acknowledged, so that what one end counts as sent the other has received. */
#include "trafficgen/workload/workload.h"

#include <errno.h>
#include <limits.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#include "trafficgen/payload.h"

/* Copying reads in a row before others get their turn. */
enum { STREAM_READS = 4 };

static enum outcome stream_failed(struct flow *flow, int error)
{
	flow->error = error;
	return OUTCOME_FAILED;
}

/* Done when both directions are over and all is acknowledged. EPOLLHUP alone
 * says only that both have half-closed: data may still be under way then, and
 * be sent again. With the last acknowledgement the socket closes, which is an
 * event of its own. */
static enum outcome stream_state(const struct flow *flow, uint32_t events)
{
	int under_way = 0;

	if (!flow->sent_all || !flow->received_all || !(events & EPOLLHUP))
		return OUTCOME_WAIT;
	return !ioctl(flow->fd, SIOCOUTQ, &under_way) && under_way ? OUTCOME_WAIT : OUTCOME_DONE;
}

static enum outcome stream_end_sending(struct flow *flow)
{
	if (flow->sent_all)
		return OUTCOME_WAIT;
	flow->sent_all = true;
	return shutdown(flow->fd, SHUT_WR) ? stream_failed(flow, errno) : OUTCOME_WAIT;
}

static enum outcome stream_mismatch(struct flow *flow, int64_t at)
{
	struct tally *tally = flow->tally;

	if (!tally->mismatches++)
		snprintf(tally->first_mismatch, sizeof(tally->first_mismatch),
			 "connection %u, byte %llu", flow->index,
			 (unsigned long long)flow->received_bytes + (unsigned long long)at);
	return stream_failed(flow, EBADMSG);
}

static ssize_t stream_take(struct work *work, struct flow *flow)
{
	if (flow->plan.copy)
		return recv(flow->fd, work->buffer, work->buffer_bytes, 0);
	return recv(flow->fd, NULL, INT_MAX, MSG_TRUNC);
}

static enum outcome stream_took(struct work *work, struct flow *flow, size_t n)
{
	if (flow->plan.verify) {
		int64_t bad = payload_check(work->buffer, n, flow->plan.receive_key,
					    flow->received_bytes);

		if (bad >= 0)
			return stream_mismatch(flow, bad);
		flow->tally->verified_bytes += n;
	}
	flow->received_bytes += n;
	tally_add(&flow->tally->received_bytes, n);
	return OUTCOME_WAIT;
}

/* The peer's end is ours as well, unless an amount is still to be sent. */
static enum outcome stream_received_all(struct flow *flow)
{
	flow->received_all = true;
	return flow->plan.by_amount && flow->plan.sends ? OUTCOME_WAIT : stream_end_sending(flow);
}

/* A zero-copy read takes the whole queue, so it is done at once; but where the
 * peer's end is already reported, no further edge tells of the end behind it. */
static enum outcome stream_receive(struct work *work, struct flow *flow, bool ended)
{
	for (int turn = 0; turn < STREAM_READS || ended; turn++) {
		ssize_t n = stream_take(work, flow);

		if (n < 0)
			return errno == EAGAIN ? OUTCOME_WAIT : stream_failed(flow, errno);
		if (!n)
			return stream_received_all(flow);
		if (stream_took(work, flow, (size_t)n) == OUTCOME_FAILED)
			return OUTCOME_FAILED;
		if (!flow->plan.copy && !ended)
			return OUTCOME_WAIT;
	}
	flow->again |= EPOLLIN;
	return OUTCOME_MORE;
}

static ssize_t stream_put(struct work *work, struct flow *flow, size_t size)
{
	off_t from = 0;

	if (!flow->plan.copy)
		return sendfile(flow->fd, work->file, &from, size);
	if (flow->plan.verify)
		payload_fill(work->buffer, size, flow->plan.send_key, flow->sent_bytes);
	return send(flow->fd, work->buffer, size, MSG_NOSIGNAL);
}

static size_t stream_next_size(const struct work *work, const struct flow *flow)
{
	size_t size = flow->plan.write_bytes, most = flow->plan.copy ? work->buffer_bytes :
								      work->file_bytes;

	if (flow->plan.by_amount && flow->plan.send_bytes - flow->sent_bytes < size)
		size = flow->plan.send_bytes - flow->sent_bytes;
	return size < most ? size : most;
}

/* One write. Less than asked means that the socket is full, as EAGAIN does: an
 * edge will tell when there is room again. */
static enum outcome stream_send(struct work *work, struct flow *flow)
{
	size_t size = stream_next_size(work, flow);
	ssize_t n;

	if (!size)
		return stream_end_sending(flow);
	n = stream_put(work, flow, size);
	if (n < 0)
		return errno == EAGAIN ? OUTCOME_WAIT : stream_failed(flow, errno);
	flow->sent_bytes += (uint64_t)n;
	tally_add(&flow->tally->sent_bytes, (uint64_t)n);
	if ((size_t)n < size)
		return OUTCOME_WAIT;
	flow->again |= EPOLLOUT;
	return OUTCOME_MORE;
}

static bool stream_wants_to_send(const struct flow *flow)
{
	return flow->plan.sends && !flow->sent_all;
}

/* Only reads; room to write is noted for the flow's turn. So a worker first
 * takes what has arrived on all connections and then writes a little: queues
 * stay short, and what is in them is still in cache. */
static enum outcome stream_event(struct work *work, struct flow *flow, uint32_t events)
{
	bool ended = events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR);
	enum outcome outcome = OUTCOME_WAIT;

	if (!flow->received_all && (ended || events & EPOLLIN))
		outcome = stream_receive(work, flow, ended);
	if (outcome == OUTCOME_FAILED)
		return outcome;
	if (events & EPOLLOUT && stream_wants_to_send(flow)) {
		flow->again |= EPOLLOUT;
		outcome = OUTCOME_MORE;
	}
	return outcome == OUTCOME_WAIT ? stream_state(flow, events) : outcome;
}

static enum outcome stream_turn(struct work *work, struct flow *flow)
{
	uint32_t again = flow->again;
	enum outcome outcome = OUTCOME_WAIT;

	flow->again = 0;
	if (again & ~(uint32_t)EPOLLOUT)
		outcome = stream_event(work, flow, again & ~(uint32_t)EPOLLOUT);
	if (outcome == OUTCOME_FAILED || outcome == OUTCOME_DONE)
		return outcome;
	if (again & EPOLLOUT && stream_wants_to_send(flow)) {
		enum outcome sending = stream_send(work, flow);

		return sending == OUTCOME_WAIT ? outcome : sending;
	}
	return outcome;
}

/* Data may have come along with the hello, and no further edge tells so. */
static enum outcome stream_begin(struct work *work, struct flow *flow)
{
	(void)work;
	flow->again = EPOLLIN | EPOLLRDHUP | (flow->plan.sends ? EPOLLOUT : 0u);
	return OUTCOME_MORE;
}

static enum outcome stream_finish(struct work *work, struct flow *flow)
{
	(void)work;
	return stream_end_sending(flow);
}

const struct workload workload_stream = {
	.name = "stream",
	.id = 1,
	.help = "as many bytes as it takes, one or both ways",
	.bulk = true,
	.begin = stream_begin,
	.event = stream_event,
	.turn = stream_turn,
	.finish = stream_finish,
};
