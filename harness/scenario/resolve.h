/* SPDX-License-Identifier: BSD-2-Clause */
/* A scenario as it was understood: every key with its value, then the columns. */
#ifndef HARNESS_SCENARIO_RESOLVE_H
#define HARNESS_SCENARIO_RESOLVE_H

#include "harness/scenario/keys.h"
#include "harness/scenario/tree.h"

/* YAML that needs no other file and gives the same plan; malloc'ed, or NULL. */
char *resolve_yaml(const struct tree *root, const struct values *values);

#endif
