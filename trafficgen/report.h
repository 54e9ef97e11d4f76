/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run says on stdout: text for people, or with --json one object a line,
 * flushed. What was not measured is null. */
#ifndef TRAFFICGEN_REPORT_H
#define TRAFFICGEN_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "trafficgen/crew.h"
#include "trafficgen/options.h"
#include "trafficgen/records.h"
#include "trafficgen/test.h"

struct report {
	const struct options *options;
	uint64_t start_ns;             /* times are told since then */
	bool broken;                   /* stdout takes nothing any more: end the run */
};

/* Local ports the connections of a client want and find. */
struct ports_wanted {
	uint64_t wanted, found;
	uint32_t each;                 /* per pair of client and server address */
};

void report_start(struct report *report, const struct options *options,
		  const struct ports_wanted *ports);
void report_ready(struct report *report);
void report_connected(struct report *report, uint32_t open, uint32_t failed, uint64_t since_ns);
/* complete: every open connection has moved data; else the wait was cut short. */
void report_measure(struct report *report, uint64_t now_ns, bool complete);
/* test: NULL on the client. */
void report_interval(struct report *report, const struct test *test,
		     const struct interval *interval);

struct summary {
	const char *reason;            /* done, interrupted, peer-vanished, connect-failed */
	bool complete, all_moved;
	const struct meter *meter;
	struct crew_counts counts;
	struct crew_result result;
	uint32_t asked;
	uint32_t failed[TEST_ERRNO_MAX];
	const struct test *test;       /* server: whose it is; else NULL */
};

void report_end(struct report *report, const struct summary *summary);

#endif
