/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/user/worker.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/eventfd.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"
#include "firewall-ref/datapath/pipeline.h"

#define WORKER_SPIN_NS 20000ull /* without a packet, before it sleeps */
#define WORKER_SLEEP_MS 1000
#define WORKER_PENDING_MS 20 /* while packets wait for a neighbour */
#define WORKER_GSO_UDP_L4 5 /* newer than some kernel headers */

/* ---- one frame ----------------------------------------------------------- */

static void worker_undo(struct worker *worker, struct packets_bytes what, enum drop_reason reason)
{
	struct totals *totals = &worker->tables.totals;

	totals->forwarded.packets -= what.packets;
	totals->forwarded.bytes -= what.bytes;
	totals->drop[reason].packets += what.packets;
	totals->drop[reason].bytes += what.bytes;
}

/* The kernel takes hdr_len as what it must put in one piece: the headers are
 * enough. DATA_VALID and the like are for receivers. */
static void worker_vnet(const struct port_frame *frame)
{
	struct virtio_net_hdr *vnet = frame->vnet;
	uint32_t head = vnet->csum_start;

	vnet->flags &= VIRTIO_NET_HDR_F_NEEDS_CSUM;
	if (vnet->gso_type == VIRTIO_NET_HDR_GSO_NONE || !vnet->flags)
		return;
	if ((vnet->gso_type & ~VIRTIO_NET_HDR_GSO_ECN) == WORKER_GSO_UDP_L4)
		head += 8;
	else if (head + 13 < frame->bytes)
		head += (frame->frame[head + 12] >> 4) * 4u;
	vnet->hdr_len = (uint16_t)(head < frame->bytes ? head : frame->bytes);
}

static void worker_queue(struct worker *worker, const struct port_frame *frame,
			 const struct next_hop *hop, struct packets_bytes what)
{
	int out = hop->interface == worker->router.interface[SIDE_OUTSIDE];

	worker->queued[out][worker->port[out].messages] = what;
	port_queue(&worker->port[out], frame);
}

void worker_frame(struct worker *worker, enum side side, const struct port_frame *frame,
		  uint64_t now_ns)
{
	const struct virtio_net_hdr *vnet = frame->vnet;
	struct layer layer = {
		.tables = &worker->tables,
		.routes = &worker->routes,
		.frame = frame->frame,
		.head_bytes = frame->captured,
		.frame_bytes = frame->bytes,
		.gso_bytes = vnet->gso_type != VIRTIO_NET_HDR_GSO_NONE ? vnet->gso_size : 0,
		.partial = vnet->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM,
		.tagged = frame->tagged,
		.side = side,
		.now_ns = now_ns,
	};
	struct descriptor d = { 0 };
	struct packets_bytes what;

	if (pipeline_run(&layer, &d) != VERDICT_FORWARD)
		return;
	what = (struct packets_bytes){ d.packets, d.wire_bytes };
	worker_vnet(frame);
	if (frame->captured < frame->bytes)
		worker_undo(worker, what, DROP_TOO_BIG);
	else if (!(d.hop.flags & HOP_RESOLVE))
		worker_queue(worker, frame, &d.hop, what);
	else if (!pending_keep(&worker->pending, frame, &d, what, now_ns))
		worker_undo(worker, what, DROP_NO_NEIGHBOUR);
}

/* ---- batches -------------------------------------------------------------- */

struct worker_flush {
	struct worker *worker;
	enum side side;
};

static void worker_failed(void *context, uint32_t index)
{
	const struct worker_flush *flush = context;

	worker_undo(flush->worker, flush->worker->queued[flush->side][index], DROP_OUTPUT);
}

static void worker_flush(struct worker *worker)
{
	for (int side = 0; side < 2; side++) {
		struct worker_flush flush = { worker, (enum side)side };

		if (worker->port[side].messages)
			port_flush(&worker->port[side], worker_failed, &flush);
	}
}

static void worker_pending_send(void *context, const struct port_frame *frame,
				const struct next_hop *hop, struct packets_bytes what)
{
	worker_queue(context, frame, hop, what);
	worker_flush(context);
}

static void worker_pending_lost(void *context, struct packets_bytes what)
{
	worker_undo(context, what, DROP_NO_NEIGHBOUR);
}

/* Up to PORT_BATCH frames of one port; returns how many there were. */
static uint32_t worker_batch(struct worker *worker, enum side side, uint64_t now_ns)
{
	struct port *port = &worker->port[side];
	struct port_frame frame;
	uint32_t n = 0;

	while (n < PORT_BATCH && port_look(port, n, &frame)) {
		worker_frame(worker, side, &frame, now_ns);
		n++;
	}
	if (n) {
		worker_flush(worker);
		port_release(port, n);
	}
	return n;
}

static void worker_sleep(struct worker *worker)
{
	struct pollfd fds[] = {
		{ .fd = worker->port[0].receive, .events = POLLIN },
		{ .fd = worker->port[1].receive, .events = POLLIN },
		{ .fd = worker->router.watch.fd, .events = POLLIN },
		{ .fd = worker->wake, .events = POLLIN },
	};

	poll(fds, ARRAY_LEN(fds), worker->pending.count ? WORKER_PENDING_MS : WORKER_SLEEP_MS);
	/* POLLERR after the interface went down: the error is taken, packets may come again. */
	for (int i = 0; i < 2; i++) {
		int error;
		socklen_t size = sizeof(error);

		if (fds[i].revents & POLLERR) {
			getsockopt(fds[i].fd, SOL_SOCKET, SO_ERROR, &error, &size);
			poll(&fds[3], 1, 100);
		}
	}
}

/* Once every few ms: the kernel's reports; once a second: stale neighbours. */
static void worker_chores(struct worker *worker, uint64_t now_ns, uint64_t *watch_ns,
			  uint64_t *tick_ns)
{
	if (now_ns - *watch_ns >= NS_PER_MS) {
		*watch_ns = now_ns;
		router_watch(&worker->router);
		if (worker->pending.count)
			pending_retry(&worker->pending, &worker->router, now_ns, worker_pending_send,
				      worker_pending_lost, worker);
		if (worker->router.addresses_changed) {
			worker->router.addresses_changed = false;
			worker->addresses_changed = true;
		}
	}
	if (now_ns - *tick_ns >= NS_PER_S) {
		*tick_ns = now_ns;
		router_tick(&worker->router);
	}
}

static void *worker_run(void *context)
{
	struct worker *worker = context;
	uint64_t busy_ns = clock_now_ns(), watch_ns = 0, tick_ns = busy_ns;

	pthread_setname_np(pthread_self(), "fwref-worker");
	if (worker->cores && worker->cores->count && cores_bind(worker->cores))
		log_warn("the worker could not be bound to its cores");
	while (!worker->stop) {
		uint64_t now_ns = clock_now_ns();
		uint32_t n;

		pthread_mutex_lock(&worker->lock);
		worker_chores(worker, now_ns, &watch_ns, &tick_ns);
		n = worker_batch(worker, SIDE_INSIDE, now_ns);
		n += worker_batch(worker, SIDE_OUTSIDE, now_ns);
		pthread_mutex_unlock(&worker->lock);
		while (worker->waiting)
			sched_yield();
		if (n)
			busy_ns = now_ns;
		else if (now_ns - busy_ns > WORKER_SPIN_NS)
			worker_sleep(worker);
	}
	return NULL;
}

void worker_lock(struct worker *worker)
{
	worker->waiting++;
	pthread_mutex_lock(&worker->lock);
	worker->waiting--;
}

void worker_unlock(struct worker *worker)
{
	pthread_mutex_unlock(&worker->lock);
}

int worker_start(struct worker *worker)
{
	int error;

	worker->wake = eventfd(0, EFD_CLOEXEC);
	if (worker->wake < 0)
		return log_err(-errno, "eventfd: %s", strerror(errno));
	pthread_mutex_init(&worker->lock, NULL);
	error = pthread_create(&worker->thread, NULL, worker_run, worker);
	if (!error)
		return 0;
	own_close(&worker->wake);
	return log_err(-error, "cannot start the worker: %s", strerror(error));
}

void worker_stop(struct worker *worker)
{
	worker->stop = true;
	eventfd_write(worker->wake, 1);
	pthread_join(worker->thread, NULL);
	own_close(&worker->wake);
	pthread_mutex_destroy(&worker->lock);
}
