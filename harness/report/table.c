/* SPDX-License-Identifier: BSD-2-Clause */
/* The table for a terminal. The keys, runs, Bytes/sec and CPU per gigabit are
 * always there; the others as far as the width goes, the most important first:
 * published and its ratio, vs none, min-max, limited by, own cost, device CPU,
 * bit/s, projected, min-max of CPU per gigabit, connections, packets/s, the range
 * without firewall, the 95 % interval, goodput (ranks in grid.c). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/report/escape.h"
#include "harness/report/grid.h"
#include "harness/report/outputs.h"

#define TABLE_GAP 2

struct table {
	const struct grid *grid;
	size_t width[GRID_COLUMNS_MAX];
	bool shown[GRID_COLUMNS_MAX];
};

static size_t table_max(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void table_measure(struct table *t)
{
	for (size_t c = 0; c < t->grid->column_count; c++) {
		const struct grid_column *column = &t->grid->columns[c];

		t->width[c] = table_max(escape_width(column->heading), escape_width(column->unit));
		for (size_t r = 0; r < t->grid->row_count; r++)
			t->width[c] = table_max(t->width[c], escape_width(grid_cell(t->grid, r, c)));
	}
}

static size_t table_total(const struct table *t)
{
	size_t total = 0;

	for (size_t c = 0; c < t->grid->column_count; c++)
		if (t->shown[c])
			total += t->width[c] + (total ? TABLE_GAP : 0);
	return total;
}

/* Takes columns by rank, the highest first, each that still fits. */
static void table_fit(struct table *t, unsigned width)
{
	for (size_t c = 0; c < t->grid->column_count; c++)
		t->shown[c] = !t->grid->columns[c].rank;
	for (unsigned rank = GRID_RANK_MOST; rank; rank--) {
		for (size_t c = 0; c < t->grid->column_count; c++) {
			if (t->grid->columns[c].rank != rank)
				continue;
			t->shown[c] = true;
			t->shown[c] = !width || table_total(t) <= width;
		}
	}
}

/* The columns that did not fit and that some note explains. */
static unsigned table_absent(const struct table *t)
{
	unsigned absent = 0;

	for (size_t c = 0; c < t->grid->column_count; c++) {
		const struct grid_column *column = &t->grid->columns[c];

		if (t->shown[c])
			continue;
		if (column->kind == GRID_INTERVAL)
			absent |= NOTES_NO_INTERVAL;
		else if (column->kind == GRID_MEDIAN && column->measure == MEASURE_RATIO)
			absent |= NOTES_NO_RATIO;
		else if (column->kind == GRID_MEDIAN && column->measure == MEASURE_PROJECTED)
			absent |= NOTES_NO_PROJECTED;
	}
	return absent;
}

static void table_cell(const struct table *t, size_t c, const char *text, size_t *owed, FILE *out)
{
	size_t pad = t->width[c] - escape_width(text);
	bool left = t->grid->columns[c].text;

	if (!left)
		*owed += pad;
	if (*text) {
		fprintf(out, "%*s", (int)*owed, "");
		escape_plain(out, text);
		*owed = 0;
	}
	if (left)
		*owed += pad;
	*owed += TABLE_GAP;
}

/* which: 0 headings, 1 units, 2 + r row r. Blanks are owed until text follows,
 * so that no line ends in them. */
static void table_line(const struct table *t, size_t which, FILE *out)
{
	size_t owed = 0;

	for (size_t c = 0; c < t->grid->column_count; c++) {
		const struct grid_column *column = &t->grid->columns[c];

		if (t->shown[c])
			table_cell(t, c, which == 0 ? column->heading : which == 1 ? column->unit :
					 grid_cell(t->grid, which - 2, c), &owed, out);
	}
	putc('\n', out);
}

/* Running text, broken at blanks, with an indent from the second line on. */
static void table_wrap(FILE *out, const char *text, unsigned width, unsigned indent)
{
	OWN_MEM char *plain = NULL;
	size_t size, used = 0;
	FILE *file = open_memstream(&plain, &size);

	if (!file)
		return;
	escape_plain(file, text);
	fclose(file);
	for (char *rest = plain, *word; (word = strsep(&rest, " "));) {
		size_t n = escape_width(word);

		if (used && width && used + 1 + n > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			used = indent;
		} else if (used) {
			putc(' ', out);
			used++;
		}
		fputs(word, out);
		used += n;
	}
	putc('\n', out);
}

struct table_notes {
	FILE *out;
	unsigned width;
};

static void table_note(void *to, const char *text)
{
	const struct table_notes *notes = to;

	table_wrap(notes->out, text, notes->width, 2);
}

static void table_heading(const struct summary *s, FILE *out, unsigned width)
{
	char text[2048];

	table_wrap(out, s->title, width, 0);
	finding_write(s, text, sizeof(text));
	table_wrap(out, text, width, 0);
	notes_common(s, text, sizeof(text));
	table_wrap(out, text, width, 0);
	putc('\n', out);
}

int table_write(const struct summary *s, const struct grid *grid, FILE *out, unsigned width)
{
	struct table t = { .grid = grid };
	struct table_notes notes = { out, width };

	table_measure(&t);
	table_fit(&t, width);
	table_heading(s, out, width);
	if (grid->row_count)
		for (size_t i = 0; i < grid->row_count + 2; i++)
			table_line(&t, i, out);
	else
		fputs("no data\n", out);
	putc('\n', out);
	notes_table(s, table_absent(&t), table_note, &notes);
	notes_failures(s, table_note, &notes);
	return ferror(out) || fflush(out) ? log_err(-EIO, "cannot write the table") : 0;
}
