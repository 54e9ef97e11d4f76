/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of a report as text cells: made once, shown on the terminal, in
 * Markdown and in HTML. */
#ifndef HARNESS_REPORT_GRID_H
#define HARNESS_REPORT_GRID_H

#include "harness/report/summary.h"

enum grid_kind {
	GRID_KEY,          /* a matrix column that is not the same in all rows */
	GRID_RUNS,
	GRID_MEDIAN,
	GRID_RANGE,        /* least-most of the measure */
	GRID_INTERVAL,     /* 95 % interval of its mean */
	GRID_LIMITED,
	GRID_CONNECTIONS,
	GRID_PUBLISHED,
	GRID_CEILING,      /* rate of the same row without firewall, least-most */
};

struct grid_column {
	enum grid_kind kind;
	enum measure measure;
	const char *heading;
	struct scale scale;
	const char *unit;  /* as shown below the heading, "" if none */
	unsigned rank;     /* a narrow terminal takes the highest first; 0: always there */
	bool text;         /* left-aligned; figures stand on the right */
};

#define GRID_COLUMNS_MAX 48
#define GRID_RANK_MOST 15

struct grid {
	struct grid_column columns[GRID_COLUMNS_MAX];
	size_t column_count;
	const struct row **rows;   /* the visible ones; the array is owned */
	size_t row_count;
	char **cells;              /* row by row; owned */
};

/* Returns 0 or -ENOMEM, logged. The summary must outlive the grid. */
int grid_make(const struct summary *summary, struct grid *out);
void grid_free(struct grid *grid);
const char *grid_cell(const struct grid *grid, size_t row, size_t column);

#endif
