/* SPDX-License-Identifier: BSD-2-Clause */
/* A scenario file: YAML node tree with marks, includes merged, every key checked
 * against the table in keys.c. Errors are one line, FILE:LINE:COLUMN: what was
 * expected (and the nearest key), and -EINVAL. */
#ifndef HARNESS_SCENARIO_SCENARIO_H
#define HARNESS_SCENARIO_SCENARIO_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/settings.h"

struct scenario;

/* From the command line; NULL-terminated lists, or NULL. */
struct overrides {
	const char *const *set;        /* "key.sub=value": wins wherever the key is given */
	const char *const *devices;    /* names or kinds: other devices' rows are left out */
};

/* One combination of the matrix (or one explicit row), resolved and checked. */
struct scenario_row {
	json_t *key;                   /* the columns, in order; of device none: policy null */
	json_t *hidden_key;            /* the columns of this row's empty form */
	char *bare;                    /* the columns that are neither name, device nor policy */
	char *rest;                    /* bare and the policy's */
	char device_name[80];
	struct settings settings;
};

/* overrides may be NULL. Returns 0 or -EINVAL, logged. */
int scenario_load(const char *path, const struct overrides *overrides, struct scenario **out);
void scenario_free(struct scenario *scenario);

const char *scenario_path(const struct scenario *scenario);
const char *scenario_title(const struct scenario *scenario);
const char *scenario_baseline(const struct scenario *scenario);
unsigned scenario_repeat(const struct scenario *scenario);
uint64_t scenario_seed(const struct scenario *scenario);
unsigned scenario_row_count(const struct scenario *scenario);
const struct scenario_row *scenario_row(const struct scenario *scenario, unsigned i);

/* The whole scenario with every default, as YAML that runs again. malloc'ed. */
char *scenario_resolved(const struct scenario *scenario);

#endif
