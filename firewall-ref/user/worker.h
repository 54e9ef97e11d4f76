/* SPDX-License-Identifier: BSD-2-Clause */
/* The thread that forwards on the user path: frames from the rings of both ports
 * through the pipeline and out again, in batches. It spins for a moment when
 * nothing comes and then sleeps in poll().
 *
 * Threads: the worker holds the lock while it runs a batch. Others take it with
 * worker_lock, which has precedence over the next batch. */
#ifndef USER_WORKER_H
#define USER_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/cores.h"
#include "firewall-ref/user/layer_native.h"
#include "firewall-ref/user/pending.h"
#include "firewall-ref/user/port.h"
#include "firewall-ref/user/router.h"
#include "firewall-ref/user/shield.h"
#include "firewall-ref/user/tables.h"

struct worker {
	struct tables tables;
	struct routes routes;
	struct router router;
	struct port port[2];            /* by side */
	struct pending pending;
	struct shield shield;
	/* What each message queued on a port stands for, in case it cannot be sent. */
	struct packets_bytes queued[2][2 * PORT_BATCH];

	pthread_t thread;
	pthread_mutex_t lock;
	atomic_int waiting;             /* others that want the lock */
	atomic_bool stop;
	atomic_bool addresses_changed;  /* the shield needs to know */
	int wake;                       /* eventfd: stop */
	const struct cores *cores;
};

/* Starts the thread; the parts must be open. 0 or -errno, logged. */
int worker_start(struct worker *worker);
/* Ends and joins it. */
void worker_stop(struct worker *worker);
void worker_lock(struct worker *worker);
void worker_unlock(struct worker *worker);
/* One frame through the pipeline; queued if it is to go out. For worker_run and
 * the tests. */
void worker_frame(struct worker *worker, enum side side, const struct port_frame *frame,
		  uint64_t now_ns);

#endif
