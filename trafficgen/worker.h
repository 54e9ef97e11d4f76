/* SPDX-License-Identifier: BSD-2-Clause */
/* The crew: one thread on each given core, each with an epoll set and
 * connections of its own. Nothing written in the loop is shared.
 *
 * worker.c is the loop, dial.c and accept.c are how connections come to be;
 * crew.h is what the main thread sees. */
#ifndef TRAFFICGEN_WORKER_H
#define TRAFFICGEN_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "trafficgen/flow.h"
#include "trafficgen/options.h"
#include "trafficgen/test.h"
#include "trafficgen/workload/workload.h"

/* What the workers are to do; it only ever counts up. */
enum phase {
	PHASE_CONNECT, /* client: open the connections */
	PHASE_RUN,     /* client: hellos go out, data flows */
	PHASE_FINISH,  /* client: stop sending, half-close, drain */
	PHASE_END,     /* close what is left with a reset and return */
};

struct crew;

struct worker {
	struct crew *crew;
	pthread_t thread;
	unsigned number;
	int epoll_fd, spare_fd;
	struct flow wake;                  /* its eventfd */
	struct flow *listeners;
	struct work work;
	enum phase phase;                  /* as far as this worker has followed */
	uint32_t cuts_seen;
	uint32_t next_index;               /* client: the next connection to open */
	uint64_t next_batch_ns, tick_ns;
	struct flow *connecting, *waiting; /* client: SYN sent, open; server: no hello yet */
	uint32_t connecting_count;
	struct flow *queue, **queue_end;   /* OUTCOME_MORE */
	uint32_t running, running_bulk;    /* connections a workload has; those of bulk ones */
	_Atomic uint32_t tried;            /* client: connections open or failed */
	uint32_t failed[TEST_ERRNO_MAX];   /* by errno; stable once all are tried */
	uint32_t refused;                  /* server: not fwgen, no hello, no descriptor */
	struct tally tally[TESTS_MAX];
};

struct crew {
	const struct options *options;
	struct tests tests;
	uint64_t test_number;              /* client */
	_Atomic uint32_t phase;            /* enum phase */
	_Atomic uint32_t cuts;             /* counts cuts asked for, of any test */
	int notice_fd;
	unsigned count;
	struct worker *worker;
};

/* The thread (worker.c). */
void *worker_run(void *worker);
void worker_notice(struct worker *worker);
/* Adds the flow's descriptor to the epoll set. Returns 0 or -errno. */
int worker_watch(struct worker *worker, struct flow *flow, uint32_t events);
/* The flow, off all lists, is its test's from now on and the workload's. */
void worker_begin(struct worker *worker, struct flow *flow, unsigned slot);
/* Frees a flow that is on no list. */
void worker_drop(struct flow *flow, bool reset);

/* Client (dial.c): opens connections in batches, so that thousands of SYNs do
 * not overrun the listener's queue at once. */
void dial_more(struct worker *worker, uint64_t now_ns);
void dial_event(struct worker *worker, struct flow *flow);
/* Those whose time is over have failed. */
void dial_expire(struct worker *worker, uint64_t now_ns);
bool dial_over(const struct worker *worker);

/* Server (accept.c). */
int accept_listen(struct worker *worker);
void accept_event(struct worker *worker, struct flow *listener);
void accept_hello(struct worker *worker, struct flow *flow, uint32_t events);
void accept_expire(struct worker *worker, uint64_t now_ns);

#endif
