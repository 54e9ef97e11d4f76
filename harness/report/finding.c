/* SPDX-License-Identifier: BSD-2-Clause */
/* The first sentence of a report. It says what the figures say: a ratio is
 * claimed only where it is on one side of 1 in every row compared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "harness/report/summary.h"

#define FINDING_DEVICES 8

struct finding {
	const struct summary *summary;
	const char *offload;                  /* only rows with this value; NULL: all */
	const char *device[FINDING_DEVICES];  /* with a firewall and a CPU figure */
	size_t device_count;
};

static bool finding_takes(const struct finding *f, const struct row *row)
{
	char value[64];

	return !row->hidden &&
	       (!f->offload ||
		!strcmp(trial_key(row->first, f->summary->offload, value, sizeof(value)), f->offload));
}

static void finding_devices(struct finding *f)
{
	for (size_t i = 0; i < f->summary->row_count; i++) {
		const struct row *row = &f->summary->rows[i];
		const char *name = trial_device(row->first);
		size_t d = 0;

		if (!finding_takes(f, row) || !row->figure[MEASURE_PER_GIGABIT].n ||
		    !strcmp(name, "none") || f->device_count == FINDING_DEVICES)
			continue;
		while (d < f->device_count && strcmp(f->device[d], name))
			d++;
		if (d == f->device_count)
			f->device[f->device_count++] = name;
	}
}

/* Are the rows the same but for the device? */
static bool finding_same(const struct summary *s, const struct row *a, const struct row *b)
{
	for (size_t i = 0; i < s->column_count; i++) {
		char x[256], y[256];

		if (strcmp(s->columns[i], "device") &&
		    strcmp(trial_key(a->first, s->columns[i], x, sizeof(x)),
			   trial_key(b->first, s->columns[i], y, sizeof(y))))
			return false;
	}
	return true;
}

/* CPU per gigabit of device a over that of b, in each row that both have. */
static struct statistics finding_pair(const struct finding *f, const char *a, const char *b)
{
	const struct summary *s = f->summary;
	OWN_MEM double *ratio = calloc(s->row_count + 1, sizeof(*ratio));
	size_t n = 0;

	for (size_t i = 0; ratio && i < s->row_count; i++) {
		const struct row *x = &s->rows[i];

		if (!finding_takes(f, x) || strcmp(trial_device(x->first), a))
			continue;
		for (size_t k = 0; k < s->row_count && n < s->row_count; k++) {
			const struct row *y = &s->rows[k];
			double cost = y->figure[MEASURE_PER_GIGABIT].median;

			if (!y->hidden && !strcmp(trial_device(y->first), b) && finding_same(s, x, y) && cost > 0)
				ratio[n++] = x->figure[MEASURE_PER_GIGABIT].median / cost;
		}
	}
	return statistics_of(ratio, n);
}

static void finding_spread(FILE *out, const struct statistics *s)
{
	struct scale scale = format_scale(QUANTITY_RATIO, s->least, s->most);
	char range[2 * FORMAT_BYTES];

	if (s->n > 1)
		fprintf(out, " (median of %zu rows, %s)", s->n,
			format_range(range, sizeof(range), &scale, s->least, s->most));
	else
		fprintf(out, " (one row)");
}

/* The device whose worst comparison with another is the best. */
static size_t finding_subject(const struct finding *f)
{
	double best = INFINITY;
	size_t subject = 0;

	for (size_t a = 0; a < f->device_count; a++) {
		double worst = -1;

		for (size_t b = 0; b < f->device_count; b++)
			if (b != a)
				worst = fmax(worst, finding_pair(f, f->device[a], f->device[b]).median);
		if (worst >= 0 && worst < best) {
			best = worst;
			subject = a;
		}
	}
	return subject;
}

static bool finding_between_devices(const struct finding *f, FILE *out)
{
	size_t subject = finding_subject(f);
	const char *a = f->device_count ? f->device[subject] : "";
	bool any = false;

	for (size_t d = 0; d < f->device_count; d++) {
		const char *b = f->device[d], *end = b[0] ? b + strlen(b) - 1 : "";
		struct statistics s = { 0 };
		char text[FORMAT_BYTES];

		if (d != subject)
			s = finding_pair(f, a, b);
		if (!s.n)
			continue;
		format_text(text, sizeof(text), QUANTITY_RATIO, s.median);
		if (s.n > 1 && s.least <= 1 && s.most >= 1)
			fprintf(out, "%s%s and %s show no clear difference in device CPU per gigabit: %s",
				any ? "; " : "", a, b, text);
		else
			fprintf(out, "%s%s costs %s %s%s device CPU per gigabit", any ? "; " : "", a,
				text, b, *end == 's' ? "'" : "'s");
		finding_spread(out, &s);
		any = true;
	}
	return any;
}

/* One device's rows against the same rows without firewall. */
static bool finding_against_none(const struct finding *f, FILE *out, enum measure measure,
				 const char *verb, const char *what)
{
	const struct summary *s = f->summary;
	OWN_MEM double *ratio = calloc(s->row_count + 1, sizeof(*ratio));
	const char *device = NULL;
	struct statistics all;
	char text[FORMAT_BYTES];
	size_t n = 0;

	for (size_t i = 0; ratio && i < s->row_count; i++) {
		const struct row *row = &s->rows[i];
		const char *name = trial_device(row->first);

		if (!finding_takes(f, row) || !row->figure[measure].n || row->baseline == row ||
		    !strcmp(name, "none") || (device && strcmp(name, device)))
			continue;
		device = name;
		ratio[n++] = row->figure[measure].median;
	}
	all = statistics_of(ratio, n);
	if (!all.n)
		return false;
	format_text(text, sizeof(text), QUANTITY_RATIO, all.median);
	if (all.n > 1 && all.least <= 1 && all.most >= 1)
		fprintf(out, "%s shows no clear difference from the same rows without firewall in %s: %s",
			device, what, text);
	else
		fprintf(out, "%s %s %s the %s of the same rows without firewall", device, verb, text, what);
	finding_spread(out, &all);
	return true;
}

static bool finding_fastest(const struct finding *f, FILE *out)
{
	const struct row *best = NULL;
	char label[512], text[FORMAT_BYTES];

	for (size_t i = 0; i < f->summary->row_count; i++) {
		const struct row *row = &f->summary->rows[i];

		if (finding_takes(f, row) && row->figure[MEASURE_RATE].n &&
		    (!best || row->figure[MEASURE_RATE].median > best->figure[MEASURE_RATE].median))
			best = row;
	}
	if (!best)
		return false;
	format_text(text, sizeof(text), QUANTITY_BYTES_PER_S, best->figure[MEASURE_RATE].median);
	row_label(f->summary, best, NULL, label, sizeof(label));
	fprintf(out, "The fastest row moved %s%s%s%s", bound_marks[best->rate_bound], text,
		*label ? ": " : "", label);
	return true;
}

static bool finding_part(const struct summary *summary, const char *offload, FILE *out)
{
	struct finding f = { .summary = summary, .offload = offload };

	finding_devices(&f);
	return finding_between_devices(&f, out) ||
	       finding_against_none(&f, out, MEASURE_CPU_RATIO, "costs", "device CPU per gigabit") ||
	       finding_against_none(&f, out, MEASURE_RATIO, "passes", "Bytes/sec") ||
	       finding_fastest(&f, out);
}

/* Rows with and without segmentation offload get a clause each. */
static bool finding_parts(const struct summary *summary, FILE *out)
{
	char seen[512] = "|", value[64], mark[70];
	bool any = false;

	for (size_t i = 0; i < summary->row_count; i++) {
		OWN_MEM char *text = NULL;
		size_t size;
		FILE *part;

		trial_key(summary->rows[i].first, summary->offload, value, sizeof(value));
		snprintf(mark, sizeof(mark), "|%s|", value);
		if (strstr(seen, mark) || strlen(seen) + strlen(mark) >= sizeof(seen))
			continue;
		strcat(seen, mark + 1);
		part = open_memstream(&text, &size);
		if (!part)
			return any;
		bool said = finding_part(summary, value, part);
		fclose(part);
		if (said)
			fprintf(out, "%sWith segmentation offload %s: %s", any ? ". " : "", value, text);
		any |= said;
	}
	return any;
}

void finding_write(const struct summary *summary, char *out, size_t size)
{
	FILE *file = fmemopen(out, size - 2, "w");
	bool said;

	memset(out, 0, size);
	if (!file)
		return;
	said = summary->offload ? finding_parts(summary, file) : finding_part(summary, NULL, file);
	if (!said)
		fputs("No trial gave a figure", file);
	fclose(file);
	strcat(out, ".");
}
