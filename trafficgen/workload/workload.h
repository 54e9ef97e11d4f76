/* SPDX-License-Identifier: BSD-2-Clause */
/* What a connection does. A workload is a constant table of hooks in a file of
 * its own; the worker opens, counts and closes connections and knows nothing of
 * what goes over them. */
#ifndef TRAFFICGEN_WORKLOAD_WORKLOAD_H
#define TRAFFICGEN_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trafficgen/flow.h"

struct options;

/* What a hook made of an event. I/O errors are not printed in the loop: the hook
 * sets flow->error (an errno) and the worker counts. */
enum outcome {
	OUTCOME_WAIT,   /* nothing more to do until the next event */
	OUTCOME_MORE,   /* could go on, but others come first: give it a turn */
	OUTCOME_DONE,   /* over in good order: read TCP_INFO and close */
	OUTCOME_FAILED, /* over, and not in good order: close with a reset */
};

/* What a worker lends to its workload. One a thread, not a connection. */
struct work {
	int file;              /* memfd to sendfile from */
	size_t file_bytes;
	uint8_t *buffer;       /* scratch of buffer_bytes, or NULL until a flow copies */
	size_t buffer_bytes;
};

/* Contract of the hooks. All but check run in the worker that owns the flow, on
 * both sides of the connection, and never block. A NULL hook does nothing.
 *
 * check     once, client, after the options are read: refuse those that make no
 *           sense here. Returns 0, or -errno, logged.
 * begin     the connection is open and its hello has gone over: set it up. The
 *           limits of the hello are in flow->plan. Edges so far are lost to
 *           it: ask for a turn to see what is there. Events follow.
 * event     something can be read, written, or has ended (EPOLL bits); edge-
 *           triggered: take all there is, or return OUTCOME_MORE.
 * turn      as asked by OUTCOME_MORE, a few connections at a time, after the
 *           events of all. The workload keeps what it meant to do in flow->again.
 * finish    the run is over: stop sending, half-close; what is under way arrives
 *           through event until it returns OUTCOME_DONE.
 */
struct workload {
	const char *name;
	uint8_t id;            /* in the hello */
	const char *help;
	bool bulk;             /* only amounts count: it may be looked at a little late */
	int (*check)(const struct options *options);
	enum outcome (*begin)(struct work *work, struct flow *flow);
	enum outcome (*event)(struct work *work, struct flow *flow, uint32_t events);
	enum outcome (*turn)(struct work *work, struct flow *flow);
	enum outcome (*finish)(struct work *work, struct flow *flow);
};

/* The list, the default first; NULL at its end. */
const struct workload *workload_at(size_t i);
const struct workload *workload_find(const char *name);
const struct workload *workload_of_id(uint8_t id);

extern const struct workload workload_stream;

#endif
