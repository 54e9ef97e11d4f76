/* SPDX-License-Identifier: BSD-2-Clause */
/* For the lab's own tests: a lab whose building fails after a given step. */
#ifndef HARNESS_LAB_BUILD_H
#define HARNESS_LAB_BUILD_H

#include "harness/lab/lab.h"

extern const unsigned lab_step_count;

/* lab_open, but step `failing` (0..) is done and then taken for failed, with
 * -ECANCELED; -1: none is. */
int lab_open_failing(struct lab *lab, const struct lab_host *host, const struct settings *settings,
		     const char *run_id, int failing);

#endif
