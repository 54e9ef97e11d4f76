/* SPDX-License-Identifier: BSD-2-Clause */
/* Drives fwgen: one server and one client a trial, joined to this program only
 * by the JSON lines on their stdout. Life: load_open starts the server and waits
 * until it listens; load_begin starts the client; then load_next hands out the
 * events of both, oldest first as far as one pipe goes, until both ends stand in
 * end[] or one has died; load_close ends what still runs. */
#ifndef HARNESS_LOAD_H
#define HARNESS_LOAD_H

#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/child.h"
#include "common/lines.h"
#include "harness/lab/lab.h"
#include "harness/settings.h"

#define LOAD_PORT 5201
#define LOAD_POLL_MAX 4

enum load_side { LOAD_CLIENT, LOAD_SERVER, LOAD_SIDES };

enum load_kind {
	LOAD_START, LOAD_READY, LOAD_CONNECTED, LOAD_MEASURE, LOAD_INTERVAL, LOAD_END,
	LOAD_OTHER, /* an event of a later version: not an error */
	LOAD_DEAD,  /* the process ended without its end event; said[] tells why */
};

struct load_event {
	enum load_side side;
	enum load_kind kind;
	json_t *body; /* owned by the receiver: json_decref; NULL for LOAD_DEAD */
};

struct load_process {
	struct child child;
	struct lines out, err;
	char said[200]; /* the last line of its stderr; after its death the reason */
	bool over;      /* its stdout has ended and it is reaped */
};

struct load {
	const struct lab *lab;
	const struct settings *settings;
	struct load_process side[LOAD_SIDES];
	json_t *end[LOAD_SIDES]; /* the end events, owned; NULL until they came */
};

/* How many client addresses these settings mean (0 is a default in them). */
uint32_t load_clients(const struct settings *settings);

/* Starts the server and waits until it is ready. 0 or -errno, logged. */
int load_open(struct load *load, const struct lab *lab, const struct settings *settings);
/* Starts the client. 0 or -errno, logged. */
int load_begin(struct load *load);
/* Fills p (LOAD_POLL_MAX) with what to wait for; returns how many. */
nfds_t load_poll(const struct load *load, struct pollfd *p);
/* The next event: true, or false when there is none now. Never blocks. */
bool load_next(struct load *load, struct load_event *event);
/* Asks the client to end now with what it measured. */
void load_interrupt(struct load *load);
void load_close(struct load *load);

/* One JSON line as an event. A line that is no JSON object is LOAD_OTHER with
 * body NULL. */
struct load_event load_read_event(enum load_side side, const char *line);

#endif
