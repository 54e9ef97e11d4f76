/* SPDX-License-Identifier: BSD-2-Clause */
/* The outputs of a report, one function each. Text ones write to a stream and
 * leave its errors to the caller, who renames the file only if there are none. */
#ifndef HARNESS_REPORT_OUTPUTS_H
#define HARNESS_REPORT_OUTPUTS_H

#include <jansson.h>

#include "harness/report/figure.h"
#include "harness/report/grid.h"

/* Width in columns, 0: unlimited. Returns 0 or -errno, logged. */
int table_write(const struct summary *summary, const struct grid *grid, FILE *out, unsigned width);
void csv_write(const struct summary *summary, FILE *out);
/* The whole summary; NULL without memory. New reference. */
json_t *json_make(const struct summary *summary);
void json_write(const struct summary *summary, FILE *out);
void markdown_write(const struct summary *summary, const struct grid *grid,
		    const struct figures *figures, FILE *out);
void html_write(const struct summary *summary, const struct grid *grid,
		const struct figures *figures, FILE *out);

#endif
