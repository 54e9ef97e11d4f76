/* SPDX-License-Identifier: BSD-2-Clause */
/* From the tree to the rows: every combination of the matrix's columns, each of
 * rows: times those, once for device none where only device and policy differ. */
#ifndef HARNESS_SCENARIO_MATRIX_H
#define HARNESS_SCENARIO_MATRIX_H

#include "harness/scenario/keys.h"
#include "harness/scenario/scenario.h"
#include "harness/scenario/tree.h"

#define ROWS_MAX 2000u

/* *rows is an array of *count, freed by matrix_free. 0 or -EINVAL, logged. */
int matrix_rows(const struct tree *root, struct scenario_row **rows, unsigned *count);
void matrix_free(struct scenario_row *rows, unsigned count);

#endif
