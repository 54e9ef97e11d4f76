/* SPDX-License-Identifier: BSD-2-Clause */
/* The first sentence of a report. It says what the figures say: a ratio is
 * claimed only where it is on one side of 1 in every row compared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "harness/report/finding.h"

static bool finding_visible(const struct finding *f, const struct row *row)
{
	char value[64];

	return !row->hidden &&
	       (!f->offload ||
		!strcmp(trial_key(row->first, f->summary->offload, value, sizeof(value)), f->offload));
}

bool finding_takes(const struct finding *f, const struct row *row)
{
	return finding_visible(f, row) && row->has_limit == (f->limit == FINDING_LIMITED);
}

bool finding_unclear(const struct statistics *s)
{
	return s->n > 1 && s->least <= 1 && s->most >= 1;
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

bool finding_same(const struct summary *s, const struct row *a, const struct row *b, const char *column)
{
	for (size_t i = 0; i < s->column_count; i++) {
		char x[256], y[256];

		if (strcmp(s->columns[i], column) &&
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

			if (finding_takes(f, y) && !strcmp(trial_device(y->first), b) &&
			    finding_same(s, x, y, "device") && cost > 0)
				ratio[n++] = x->figure[MEASURE_PER_GIGABIT].median / cost;
		}
	}
	return statistics_of(ratio, n);
}

void finding_spread(const struct finding *f, FILE *out, const struct statistics *s)
{
	const char *kind = !f->mixed ? "" : f->limit == FINDING_FREE ? " without a limit" : " with a limit";
	struct scale scale = format_scale(QUANTITY_RATIO, s->least, s->most);
	char range[2 * FORMAT_BYTES];

	if (s->n > 1)
		fprintf(out, " (median of %zu rows%s, %s)", s->n, kind,
			format_range(range, sizeof(range), &scale, s->least, s->most));
	else
		fprintf(out, " (one row%s)", kind);
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

/* Where no pair of devices differs clearly, *clear is false. */
static bool finding_between_devices(const struct finding *f, FILE *out, bool *clear)
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
		if (finding_unclear(&s))
			fprintf(out, "%s%s and %s show no clear difference in device CPU per gigabit: %s",
				any ? "; " : "", a, b, text);
		else
			fprintf(out, "%s%s costs %s %s%s device CPU per gigabit", any ? "; " : "", a,
				text, b, *end == 's' ? "'" : "'s");
		finding_spread(f, out, &s);
		any = true;
		*clear |= !finding_unclear(&s);
	}
	return any;
}

/* What the report says of a device against no firewall. */
struct against {
	enum measure measure;
	const char *verb, *what;
};

static struct statistics finding_ratios(const struct finding *f, const char *device, enum measure measure)
{
	const struct summary *s = f->summary;
	OWN_MEM double *ratio = calloc(s->row_count + 1, sizeof(*ratio));
	size_t n = 0;

	for (size_t i = 0; ratio && i < s->row_count; i++) {
		const struct row *row = &s->rows[i];

		if (finding_takes(f, row) && row->baseline != row && !strcmp(trial_device(row->first), device))
			ratio[n++] = row->figure[measure].median;
	}
	return statistics_of(ratio, n);
}

static void finding_say_against(const struct finding *f, FILE *out, const struct against *a,
				const char *device, const struct statistics *all)
{
	char text[FORMAT_BYTES];

	format_text(text, sizeof(text), QUANTITY_RATIO, all->median);
	if (finding_unclear(all))
		fprintf(out, "%s shows no clear difference from the same rows without firewall in %s: %s",
			device, a->what, text);
	else
		fprintf(out, "%s %s %s the %s of the same rows without firewall", device, a->verb, text, a->what);
	finding_spread(f, out, all);
}

/* Each device's rows against the same rows without firewall; clear_only: only
 * those that differ. What is said goes on from a former part. */
static bool finding_against_none(const struct finding *f, FILE *out, const struct against *a,
				 bool clear_only, bool former)
{
	const struct summary *s = f->summary;
	bool any = former;

	for (size_t i = 0; i < s->row_count; i++) {
		const char *device = trial_device(s->rows[i].first);
		struct statistics all;
		size_t k = 0;

		while (k < i && (s->rows[k].hidden || strcmp(trial_device(s->rows[k].first), device)))
			k++;
		if (k < i || s->rows[i].hidden || !strcmp(device, "none"))
			continue;
		all = finding_ratios(f, device, a->measure);
		if (!all.n || (clear_only && finding_unclear(&all)))
			continue;
		fputs(any ? "; " : "", out);
		finding_say_against(f, out, a, device, &all);
		any = true;
	}
	return any;
}

static bool finding_fastest(const struct finding *f, FILE *out)
{
	const struct row *best = NULL;
	char label[512], text[FORMAT_BYTES];

	for (size_t i = 0; i < f->summary->row_count; i++) {
		const struct row *row = &f->summary->rows[i];

		if (finding_visible(f, row) && row->figure[MEASURE_RATE].n &&
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

/* Ratios among the rows of one kind: the question that the matrix asks first. */
static bool finding_kind(struct finding *f, FILE *out)
{
	static const struct against cost = { MEASURE_CPU_RATIO, "costs", "device CPU per gigabit" };
	static const struct against rate = { MEASURE_RATIO, "passes", "Bytes/sec" };
	bool clear = false;

	f->device_count = 0;
	finding_devices(f);
	if (finding_ip(f, out))
		return true;
	if (finding_between_devices(f, out, &clear))
		return clear || finding_against_none(f, out, &cost, true, true);
	return finding_against_none(f, out, &cost, false, false) ||
	       finding_against_none(f, out, &rate, false, false);
}

static bool finding_part(const struct summary *summary, const char *offload, FILE *out)
{
	struct finding f = { .summary = summary, .offload = offload };
	bool has[2] = { false, false };

	for (size_t i = 0; i < summary->row_count; i++)
		if (finding_visible(&f, &summary->rows[i]) && strcmp(trial_device(summary->rows[i].first), "none"))
			has[summary->rows[i].has_limit] = true;
	f.mixed = has[0] && has[1];
	if (finding_kind(&f, out))
		return true;
	f.limit = FINDING_LIMITED;
	return finding_kind(&f, out) || finding_fastest(&f, out);
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
