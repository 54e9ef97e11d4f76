/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a plan: results folder, lab, trials, samples, progress. */
#ifndef HARNESS_RUN_H
#define HARNESS_RUN_H

#include <stdbool.h>

#include "harness/lab/lab.h"
#include "harness/plan.h"

struct run_options {
	const char *output;            /* results folder to make, or NULL: results/<date>-<title>-<id> */
	bool quiet;
};

/* Runs all trials; SIGINT and SIGTERM end it in time with what was measured.
 * *folder (malloc'ed) is the results folder even after a failure, if it was made.
 * Returns an exit code of common/exit.h. */
int run_plan(const struct plan *plan, const struct run_options *options,
	     const struct lab_host *host, char **folder);

#endif
