/* SPDX-License-Identifier: BSD-2-Clause */
/* A scenario file: YAML node tree with marks, includes merged, every key checked
 * against the table in keys.c. Errors are one line, FILE:LINE:COLUMN: what was
 * expected (and the nearest key), and -EINVAL. */
#ifndef HARNESS_SCENARIO_H
#define HARNESS_SCENARIO_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/settings.h"

struct scenario;

/* overrides: NULL-terminated "key.sub=value" from the command line, or NULL. */
int scenario_load(const char *path, const char *const *overrides, struct scenario **out);
void scenario_free(struct scenario *scenario);
const char *scenario_title(const struct scenario *scenario);
/* The whole scenario with every default, as YAML that runs again. malloc'ed. */
char *scenario_resolved(const struct scenario *scenario);

#endif
