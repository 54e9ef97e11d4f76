/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan: rows (every combination of the matrix, or the explicit rows; once
 * for device none where only the policy differs) times repetitions, shuffled with
 * the scenario's seed within each repetition round. */
#ifndef HARNESS_PLAN_H
#define HARNESS_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/lab/lab.h"
#include "harness/scenario/scenario.h"

struct row {
	unsigned index;                /* 0.. in table order */
	json_t *key;                   /* {"connections":200,"ip":4,…}: the matrix columns */
	struct settings settings;
	int baseline;                  /* index of the same row with device none, or -1 */
	int empty;                     /* index of the device's empty form for own cost, or -1 */
	bool hidden;                   /* an empty-form row, not asked for by the user */
	char unsupported[160];         /* why it cannot run here, or ""; see plan_ask */
};

struct trial_plan {
	unsigned trial;                /* 1.. in the order they run */
	unsigned row;
	unsigned repetition;           /* 1.. */
};

struct plan {
	struct scenario *scenario;     /* borrowed */
	unsigned row_count, trial_count, repetitions;
	struct row *rows;
	struct trial_plan *trials;
	uint64_t seed;
	uint64_t expected_ns;          /* how long the whole run will take */
};

int plan_make(struct scenario *scenario, struct plan *out);
/* Asks every row's device whether it can do the row here: fills unsupported and
 * takes such rows out of expected_ns. They and their trials stay in the plan. */
void plan_ask(struct plan *plan, const struct lab_host *host);
void plan_free(struct plan *plan);
/* Table on stdout, or one JSON object. */
void plan_print(const struct plan *plan, bool json);
/* How long one trial of the row will take, all told. */
uint64_t plan_trial_ns(const struct row *row);

#endif
