/* SPDX-License-Identifier: BSD-2-Clause */
/* How far a run is, on stderr: on a terminal one line rewritten in place, else a
 * plain line a trial. */
#ifndef HARNESS_PROGRESS_H
#define HARNESS_PROGRESS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool terminal, quiet;
	unsigned trials, done;
	uint64_t begun_ns, expected_ns;
	uint64_t trial_begun_ns;
	char name[160];     /* the row's */
	unsigned trial;     /* 1.., in the order they run */
};

void progress_open(struct progress *progress, unsigned trials, uint64_t expected_ns, bool quiet);
/* A trial begins. */
void progress_trial(struct progress *progress, unsigned trial, const json_t *key, unsigned repetition);
/* Its rate now, both directions, NAN: none yet; phase a word ("warm-up"). */
void progress_now(struct progress *progress, double bps, const char *phase);
/* It is over: as recorded. */
void progress_done(struct progress *progress, const json_t *trial);
void progress_close(struct progress *progress);

/* "connections=200 ip=4 device=fwref" */
char *progress_name(char *out, size_t size, const json_t *key);
/* What is left of the run, from the pace so far or, before, from the plan. */
uint64_t progress_left_ns(const struct progress *progress, uint64_t now_ns);

#endif
