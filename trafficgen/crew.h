/* SPDX-License-Identifier: BSD-2-Clause */
/* The workers as the main thread sees them.
 *
 * Life: crew_start; then the main thread sets the phase (client), asks for
 * cuts, reads the tallies, and waits on notice_fd, which becomes readable when
 * connecting is over and when a connection begins or ends; crew_stop joins the
 * threads, crew_end frees. */
#ifndef TRAFFICGEN_CREW_H
#define TRAFFICGEN_CREW_H

#include "trafficgen/worker.h"

/* Listens or begins to connect. Returns 0 or -errno, logged, nothing left. */
int crew_start(struct crew *crew, const struct options *options);
void crew_phase(struct crew *crew, enum phase phase);
/* Resets what is open and joins the threads; the figures remain until crew_end. */
void crew_stop(struct crew *crew);
void crew_end(struct crew *crew);

/* All workers' figures of a test, by relaxed loads. */
struct totals crew_totals(const struct crew *crew, unsigned slot, uint64_t now_ns);

struct crew_counts {
	uint32_t open, closed, aborted, moved, unmoved, tried;
};

struct crew_counts crew_count(const struct crew *crew, unsigned slot);

/* Asks all workers for a cut and waits for it (a second at most: -ETIMEDOUT).
 * *totals is then where all counters stood, at the workers' mean time. */
int crew_cut(struct crew *crew, unsigned slot, enum cut kind, struct totals *totals);

/* After a cut, or when nothing of the test is open any more. */
struct crew_result {
	struct spread spread;
	struct tcp_record tcp;
	uint64_t socket_bytes, verified_bytes;
	uint32_t mismatches;
	bool socket_known;
	const char *first_mismatch, *congestion;
};

struct crew_result crew_result(const struct crew *crew, unsigned slot);
/* Server: from now on no connection joins the test; false where one has come in
 * meanwhile. */
bool crew_conclude(struct crew *crew, unsigned slot);
/* Makes the slot of a concluded test free for another. */
void crew_release(struct crew *crew, unsigned slot);

#endif
