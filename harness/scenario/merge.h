/* SPDX-License-Identifier: BSD-2-Clause */
/* From files and command line to the one tree, in form.h's form, that is read. */
#ifndef HARNESS_SCENARIO_MERGE_H
#define HARNESS_SCENARIO_MERGE_H

#include "harness/scenario/scenario.h"
#include "harness/scenario/tree.h"

/* Reads path with what it includes and applies the overrides. NULL, logged. */
struct tree *merge_load(struct sources *sources, const char *path, const struct overrides *overrides);

#endif
