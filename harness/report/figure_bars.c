/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of the figures with a bar a row, tab-separated, and what the scripts
 * in plots/ have to be told about it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "harness/report/escape.h"
#include "harness/report/figure.h"

#define LINE_PX 22
#define GROUP_GAP 0.35
#define LABEL_LETTERS 88

/* The bars of a figure, placed from top to bottom; three blocks of the file. */
struct bars {
	const struct summary *summary;
	enum measure measure;
	struct scale scale;
	FILE *block[3];
	char *text[3];
	size_t size[3];
	double y, most;
	size_t drawn, longest;
	bool published;
	const char *skip[32];          /* columns that a group's heading leaves out */
};

static void bars_label(FILE *out, const char *text)
{
	char cut[LABEL_LETTERS * 4 + 8];

	snprintf(cut, sizeof(cut), "%s", text);
	if (escape_width(cut) > LABEL_LETTERS) {
		size_t n = LABEL_LETTERS;

		while (n && ((unsigned char)cut[n] & 0xc0) == 0x80)
			n--;
		strcpy(cut + n, "…");
	}
	escape_gnuplot(out, *cut ? cut : " ");
}

/* The published figure, as a mark on the bar of the rate. */
static void bars_published(struct bars *b, const struct row *row)
{
	double published = row->published_bps / 8 / b->scale.factor;

	if (b->measure != MEASURE_RATE || isnan(published)) {
		fputs("\tNaN\n", b->block[0]);
		return;
	}
	fprintf(b->block[0], "\t%.6g\n", published);
	b->most = fmax(b->most, published);
	b->published = true;
}

static void bars_row(struct bars *b, const struct row *row)
{
	const struct statistics *s = &row->figure[b->measure];
	const char *device = trial_device(row->first);
	double factor = b->scale.factor, empty = 0;
	char text[FORMAT_BYTES];

	if (escape_width(device) > b->longest)
		b->longest = escape_width(device);
	if (!s->n) {
		fprintf(b->block[2], "%g\t", b->y);
		bars_label(b->block[2], device);
		fprintf(b->block[2], "\t%s\n", row->state_count[TRIAL_OK] ? "not measured" : "no run counts");
		return;
	}
	if (b->measure == MEASURE_PER_GIGABIT && row->figure[MEASURE_OWN_COST].n)
		empty = fmax(0, s->median - fmax(0, row->figure[MEASURE_OWN_COST].median));
	fprintf(b->block[0], "%g\t", b->y);
	if (b->measure == MEASURE_PER_GIGABIT)
		fprintf(b->block[0], "%.6g\t", empty / factor);
	fprintf(b->block[0], "%.6g\t%.6g\t%.6g\t%u\t", s->median / factor, s->least / factor,
		s->most / factor, figure_colour(b->summary, device));
	bars_label(b->block[0], device);
	format_cell(text, sizeof(text), &b->scale, s->median);
	fprintf(b->block[0], "\t%s%s", b->measure == MEASURE_RATE ? bound_marks[row->rate_bound] : "", text);
	b->most = fmax(b->most, s->most / factor);
	bars_published(b, row);
	b->drawn++;
}

/* What the row has in common with those that differ in the device alone. */
static const char *bars_group(const struct bars *b, const struct row *row, char *out, size_t size)
{
	row_label(b->summary, row, b->skip, out, size);
	if (!*out && !strcmp(trial_device(row->first), "none"))
		snprintf(out, size, "no firewall");
	return out;
}

/* The device stands at its bar, and what is the same in all rows nowhere. */
static void bars_skip(struct bars *b)
{
	size_t n = 0;

	b->skip[n++] = "device";
	for (size_t i = 0; i < b->summary->column_count && n < ARRAY_LEN(b->skip) - 1; i++)
		if (summary_constant(b->summary, b->summary->columns[i]))
			b->skip[n++] = b->summary->columns[i];
}

static bool bars_seen(const struct bars *b, size_t before, const char *group)
{
	char other[512];

	for (size_t i = 0; i < before; i++)
		if (!b->summary->rows[i].hidden &&
		    !strcmp(bars_group(b, &b->summary->rows[i], other, sizeof(other)), group))
			return true;
	return false;
}

/* Rows that differ in the device alone stand together under one heading. */
static void bars_rows(struct bars *b)
{
	char group[512], other[512];

	bars_skip(b);
	for (size_t i = 0; i < b->summary->row_count; i++) {
		if (b->summary->rows[i].hidden)
			continue;
		bars_group(b, &b->summary->rows[i], group, sizeof(group));
		if (bars_seen(b, i, group))
			continue;
		if (*group) {
			b->y += b->y > 0 ? GROUP_GAP : 0;
			fprintf(b->block[1], "%g\t", b->y);
			bars_label(b->block[1], group);
			putc('\n', b->block[1]);
			b->y += 0.9;
		}
		for (size_t k = i; k < b->summary->row_count; k++) {
			const struct row *row = &b->summary->rows[k];

			if (row->hidden || strcmp(bars_group(b, row, other, sizeof(other)), group))
				continue;
			bars_row(b, row);
			b->y += 1;
		}
	}
}

/* A block without a line would end gnuplot's indexes: one far outside instead. */
static void bars_save(struct bars *b, FILE *out)
{
	static const char *const nothing[] = { "", "-99\t \n", "-99\t \t \n" };

	for (size_t i = 0; i < 3; i++) {
		fflush(b->block[i]);
		fprintf(out, "%s%s", i ? "\n\n" : "", b->size[i] ? b->text[i] : nothing[i]);
	}
}

static struct scale bars_scale(const struct summary *s, enum measure measure)
{
	double least = NAN, most = NAN;

	for (size_t i = 0; i < s->row_count; i++) {
		double median = s->rows[i].figure[measure].median;

		if (s->rows[i].hidden)
			continue;
		least = fmin(least, median > 0 ? median : NAN);
		most = fmax(most, median);
	}
	return format_scale(measures[measure].quantity, least, most);
}

static void bars_settings(const struct bars *b, struct figure *figure)
{
	size_t margin = b->longest < 6 ? 8 : b->longest > 30 ? 32 : b->longest + 2;
	char title[128];

	if (b->measure == MEASURE_RATE)
		snprintf(title, sizeof(title), "%s: median, least and most of the runs%s", b->scale.unit,
			 b->published ? "; upright line: published" : "");
	else
		snprintf(title, sizeof(title),
			 "%s of device CPU per gigabit; pale: the empty form, colour: own cost",
			 b->scale.unit);
	figure->height_px = (unsigned)(b->y * LINE_PX) + 60;
	snprintf(figure->settings, sizeof(figure->settings),
		 "units = %g\nmost = %g\nmargin = %zu\npublished = %d\ntitle = '%s'\n", b->y - 0.5,
		 b->most > 0 ? b->most : 1.0, margin, b->published, title);
}

int figure_bars(const struct summary *summary, struct figure *figure, enum measure measure)
{
	struct bars b = { .summary = summary, .measure = measure, .scale = bars_scale(summary, measure) };
	OWN_FILE FILE *out = figure_open(summary, figure);
	bool memory = true;

	if (!out)
		return -EIO;
	for (size_t i = 0; i < 3; i++)
		memory &= (b.block[i] = open_memstream(&b.text[i], &b.size[i])) != NULL;
	if (memory) {
		bars_rows(&b);
		bars_save(&b, out);
		bars_settings(&b, figure);
	}
	for (size_t i = 0; i < 3; i++) {
		if (b.block[i])
			fclose(b.block[i]);
		free(b.text[i]);
	}
	if (!b.drawn)
		snprintf(figure->note, sizeof(figure->note), "no figure of %s: no run that counts measured it",
			 measures[measure].heading);
	return memory && !ferror(out) ? (int)b.drawn : -EIO;
}
