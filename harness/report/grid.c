/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/grid.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"

#define GRID_KEYS_MAX 28

static const struct grid_spec {
	enum grid_kind kind;
	enum measure measure;
	const char *heading;
	const char *unit;      /* NULL: of the scale */
	unsigned rank;
	bool optional;         /* left out where no row has it */
} specs[] = {
	{ GRID_RUNS, 0, "runs", "", 0, false },
	{ GRID_MEDIAN, MEASURE_RATE, "Bytes/sec", NULL, 0, false },
	{ GRID_RANGE, MEASURE_RATE, "min-max", NULL, 12, true },
	{ GRID_INTERVAL, MEASURE_RATE, "95 %", NULL, 2, true },
	{ GRID_MEDIAN, MEASURE_PER_GIGABIT, "CPU per Gbit", "ms", 0, false },
	{ GRID_RANGE, MEASURE_PER_GIGABIT, "min-max", "ms", 6, true },
	{ GRID_MEDIAN, MEASURE_OWN_COST, "own", "ms/Gbit", 10, true },
	{ GRID_MEDIAN, MEASURE_DEVICE_CPU, "dev CPU", NULL, 9, false },
	{ GRID_MEDIAN, MEASURE_PROJECTED, "projected", NULL, 7, true },
	{ GRID_CEILING, MEASURE_RATE, "no firewall", NULL, 3, true },
	{ GRID_MEDIAN, MEASURE_RATIO, "vs none", NULL, 13, true },
	{ GRID_LIMITED, 0, "limited by", "", 11, false },
	{ GRID_MEDIAN, MEASURE_BPS, "bit/s", NULL, 8, false },
	{ GRID_PUBLISHED, MEASURE_BPS, "published", NULL, 15, true },
	{ GRID_MEDIAN, MEASURE_TO_PUBLISHED, "vs publ.", NULL, 14, true },
	{ GRID_MEDIAN, MEASURE_PPS, "packets/s", NULL, 4, true },
	{ GRID_MEDIAN, MEASURE_GOODPUT, "goodput", NULL, 1, true },
	{ GRID_CONNECTIONS, 0, "open", "", 5, false },
};

const char *grid_cell(const struct grid *grid, size_t row, size_t column)
{
	return grid->cells[row * grid->column_count + column];
}

/* Bytes/sec and its estimate share one unit, bit/s and the published figure too;
 * a column without any figure has the unit that is the usual one. */
static struct scale grid_scale(const struct grid *grid, enum measure measure)
{
	double least = NAN, most = NAN;

	if (measure == MEASURE_PROJECTED)
		measure = MEASURE_RATE;
	for (size_t i = 0; i < grid->row_count; i++) {
		double median = grid->rows[i]->figure[measure].median;

		least = fmin(least, median > 0 ? median : NAN);
		most = fmax(most, median);
		if (measure == MEASURE_BPS) {
			least = fmin(least, grid->rows[i]->published_bps);
			most = fmax(most, grid->rows[i]->published_bps);
		}
	}
	if (isnan(most))
		least = most = measures[measure].quantity == QUANTITY_PPS ? 1e3 : 1e6;
	return format_scale(measures[measure].quantity, least, most);
}

static const char *grid_median(const struct grid_column *c, const struct row *row, char *out, size_t size)
{
	enum bound bound = BOUND_EXACT;
	char digits[FORMAT_BYTES];

	if (c->measure == MEASURE_RATE || c->measure == MEASURE_BPS || c->measure == MEASURE_PPS ||
	    c->measure == MEASURE_GOODPUT || c->measure == MEASURE_TO_PUBLISHED)
		bound = row->rate_bound;
	else if (c->measure == MEASURE_RATIO)
		bound = row->ratio_bound;
	if (!row->figure[c->measure].n)
		return "-";
	format_cell(digits, sizeof(digits), &c->scale, row->figure[c->measure].median);
	snprintf(out, size, "%s%s", bound_marks[bound], digits);
	return out;
}

static const char *grid_interval(const struct grid_column *c, const struct row *row, char *out, size_t size)
{
	const struct statistics *s = &row->figure[c->measure];
	double low, high;

	if (s->n < 2)
		return "-";
	if (s->equal)
		return "=";
	measure_interval(&measures[c->measure], s, &low, &high);
	return format_range(out, size, &c->scale, low, high);
}

static const char *grid_connections(const struct row *row, char *out, size_t size)
{
	if (isnan(row->open))
		return "-";
	if (row->open == row->asked || isnan(row->asked))
		snprintf(out, size, "%.0f", row->open);
	else
		snprintf(out, size, "%.0f/%.0f", row->open, row->asked);
	return out;
}

static const char *grid_text(const struct grid_column *c, const struct row *row, char *out, size_t size)
{
	const struct row *shown = c->kind == GRID_CEILING ? row->baseline : row;
	const struct statistics *s = shown ? &shown->figure[c->measure] : NULL;

	switch (c->kind) {
	case GRID_KEY:
		return trial_key(row->first, c->heading, out, size);
	case GRID_RUNS:
		return row_runs(row, out, size);
	case GRID_MEDIAN:
		return grid_median(c, row, out, size);
	case GRID_INTERVAL:
		return grid_interval(c, row, out, size);
	case GRID_LIMITED:
		return row_limited_by(row);
	case GRID_CONNECTIONS:
		return grid_connections(row, out, size);
	case GRID_PUBLISHED:
		return format_cell(out, size, &c->scale, row->published_bps);
	case GRID_RANGE:
	case GRID_CEILING:
		if (!s || !s->n || (c->kind == GRID_RANGE && s->n < 2))
			return "-";
		return format_range(out, size, &c->scale, s->least, s->most);
	}
	return "-";
}

static bool grid_any_published(const struct grid *grid)
{
	for (size_t i = 0; i < grid->row_count; i++)
		if (!isnan(grid->rows[i]->published_bps))
			return true;
	return false;
}

static bool grid_wanted(const struct grid *grid, const struct grid_spec *spec)
{
	for (size_t i = 0; i < grid->row_count; i++) {
		const struct row *row = grid->rows[i];
		bool has = spec->kind == GRID_PUBLISHED ? !isnan(row->published_bps) :
			   spec->kind == GRID_CEILING   ? row->baseline && row->baseline != row :
			   spec->kind == GRID_RANGE || spec->kind == GRID_INTERVAL ?
							  row->figure[spec->measure].n > 1 :
							  row->figure[spec->measure].n > 0;

		if (has || !spec->optional)
			return true;
	}
	return !spec->optional;
}

/* A key whose values are not all numbers. */
static bool grid_words(const struct grid *grid, const char *column)
{
	char value[256];

	for (size_t i = 0; i < grid->row_count; i++) {
		trial_key(grid->rows[i]->first, column, value, sizeof(value));
		if (strcmp(value, "-") && value[strspn(value, "0123456789.")])
			return true;
	}
	return false;
}

static void grid_columns(const struct summary *summary, struct grid *grid)
{
	for (size_t i = 0; i < summary->column_count && i < GRID_KEYS_MAX; i++) {
		if (summary_constant(summary, summary->columns[i]))
			continue;
		grid->columns[grid->column_count++] = (struct grid_column){
			.kind = GRID_KEY, .heading = summary->columns[i], .unit = "",
			.text = grid_words(grid, summary->columns[i]),
		};
	}
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		const struct grid_spec *spec = &specs[i];
		struct grid_column *c = &grid->columns[grid->column_count];

		if (!grid_wanted(grid, spec))
			continue;
		*c = (struct grid_column){ .kind = spec->kind, .measure = spec->measure,
					   .heading = spec->heading, .rank = spec->rank,
					   .text = spec->kind == GRID_LIMITED,
					   .scale = grid_scale(grid, spec->measure) };
		c->unit = spec->unit ? spec->unit : c->scale.unit;
		/* A published figure wants the measured one beside it. */
		if (spec->measure == MEASURE_BPS && grid_any_published(grid))
			c->rank = GRID_RANK_MOST;
		grid->column_count++;
	}
}

static int grid_fill(struct grid *grid)
{
	char text[512];

	grid->cells = calloc(grid->row_count * grid->column_count + 1, sizeof(char *));
	if (!grid->cells)
		return -ENOMEM;
	for (size_t r = 0; r < grid->row_count; r++) {
		for (size_t c = 0; c < grid->column_count; c++) {
			char **cell = &grid->cells[r * grid->column_count + c];

			*cell = strdup(grid_text(&grid->columns[c], grid->rows[r], text, sizeof(text)));
			if (!*cell)
				return -ENOMEM;
		}
	}
	return 0;
}

int grid_make(const struct summary *summary, struct grid *out)
{
	*out = (struct grid){ .rows = calloc(summary->row_count + 1, sizeof(*out->rows)) };
	for (size_t i = 0; out->rows && i < summary->row_count; i++)
		if (!summary->rows[i].hidden)
			out->rows[out->row_count++] = &summary->rows[i];
	if (out->rows)
		grid_columns(summary, out);
	if (!out->rows || grid_fill(out)) {
		grid_free(out);
		return log_err(-ENOMEM, "not enough memory for the table");
	}
	return 0;
}

void grid_free(struct grid *grid)
{
	for (size_t i = 0; grid->cells && i < grid->row_count * grid->column_count; i++)
		free(grid->cells[i]);
	free(grid->cells);
	free(grid->rows);
	*grid = (struct grid){ 0 };
}
