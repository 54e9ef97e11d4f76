/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/summary.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"

static const struct row *summary_row(const struct summary *s, int index)
{
	for (size_t i = 0; i < s->row_count; i++)
		if ((int)s->rows[i].index == index)
			return &s->rows[i];
	return NULL;
}

static int summary_compare(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->index > y->index) - (x->index < y->index);
}

/* Trials into rows by their index. */
static int summary_rows(struct summary *s)
{
	size_t n = s->result.trial_count;

	s->rows = calloc(n + 1, sizeof(*s->rows));
	if (!s->rows)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct trial *t = &s->result.trials[i];
		struct row *row = (struct row *)summary_row(s, (int)t->row);

		if (!row) {
			row = &s->rows[s->row_count++];
			*row = (struct row){ .index = t->row, .hidden = t->hidden, .first = t };
			row->trials = calloc(n, sizeof(struct trial *));
			if (!row->trials)
				return -ENOMEM;
		}
		row->trials[row->trial_count++] = t;
		row->state_count[t->state]++;
		s->state_count[t->state]++;
	}
	qsort(s->rows, s->row_count, sizeof(*s->rows), summary_compare);
	for (size_t i = 0; i < s->row_count; i++) {
		s->rows[i].baseline = summary_row(s, s->rows[i].first->baseline_row);
		s->rows[i].empty = summary_row(s, s->rows[i].first->empty_row);
	}
	return 0;
}

/* The path that the row's trials took, of those that tell; NULL if none does. */
static const char *summary_path(const struct row *row)
{
	const char *path = NULL;

	for (size_t i = 0; i < row->trial_count; i++) {
		const char *one = trial_text(row->trials[i], "device.path");

		if (one && path && strcmp(one, path))
			return "user and kernel";
		path = one ? one : path;
	}
	return path;
}

/* A device in user space is another one than that in the kernel: every output
 * says so in its name, also for the row's trials that never came to tell. */
static void summary_forms(struct summary *s)
{
	for (size_t i = 0; i < s->row_count; i++) {
		const char *path = summary_path(&s->rows[i]);
		const char *name = trial_device(s->rows[i].first);
		char form[256];

		if (!path || !strstr(path, "user") || strstr(name, "user"))
			continue;
		snprintf(form, sizeof(form), "%s %s", name, path);
		for (size_t k = 0; k < s->rows[i].trial_count; k++) {
			json_t *record = s->rows[i].trials[k]->record, *key = json_object_get(record, "key");
			bool column = json_object_get(key, "device") != NULL;

			json_object_set_new(column ? key : json_object_get(record, "device"),
					    column ? "device" : "name", json_string(form));
		}
	}
}

static bool summary_has_column(const struct summary *s, const char *name)
{
	for (size_t i = 0; i < s->column_count; i++)
		if (!strcmp(s->columns[i], name))
			return true;
	return false;
}

/* The matrix columns: those of the first row, then what later rows add. */
static int summary_columns(struct summary *s)
{
	for (size_t i = 0; i < s->row_count; i++) {
		json_t *key = json_object_get(s->rows[i].first->record, "key"), *value;
		const char *name;

		json_object_foreach(key, name, value) {
			const char **grown;

			if (summary_has_column(s, name))
				continue;
			grown = realloc(s->columns, (s->column_count + 1) * sizeof(*grown));
			if (!grown)
				return -ENOMEM;
			s->columns = grown;
			s->columns[s->column_count++] = name;
			if (strstr(name, "segmentation-offload"))
				s->offload = name;
		}
	}
	return 0;
}

/* Results with other segmentation offload are never compared. */
static void summary_part_offloads(struct summary *s)
{
	for (size_t i = 0; s->offload && i < s->row_count; i++) {
		struct row *row = &s->rows[i];
		const struct row **other[] = { &row->baseline, &row->empty };
		char here[64], there[64];

		trial_key(row->first, s->offload, here, sizeof(here));
		for (size_t k = 0; k < ARRAY_LEN(other); k++)
			if (*other[k] && strcmp(here, trial_key((*other[k])->first, s->offload, there,
								sizeof(there))))
				*other[k] = NULL;
	}
}

static void summary_figures(const struct summary *s, struct row *row)
{
	OWN_MEM double *values = calloc(row->trial_count + 1, sizeof(*values));

	for (int m = 0; values && m < MEASURE_COUNT; m++) {
		size_t n = 0;

		for (size_t i = 0; i < row->trial_count; i++)
			if (row->trials[i]->state == TRIAL_OK)
				values[n++] = measures[m].of(s, row, row->trials[i]);
		row->figure[m] = statistics_of(values, n);
	}
}

/* Is the median of the row's rates only a lower bound? A rate that the generator
 * set is "at least this much"; the median moves up with it unless the value
 * stands above the middle. */
static enum bound summary_bound(const struct row *row)
{
	size_t above = 0, known = 0;
	double least = INFINITY;

	for (size_t i = 0; i < row->trial_count; i++) {
		const char *limit = trial_text(row->trials[i], "limited_by");
		double rate = trial_number(row->trials[i], "rate.interface_bytes_per_s");

		if (row->trials[i]->state == TRIAL_OK && limit && !strcmp(limit, "generator"))
			least = fmin(least, rate);
	}
	for (size_t i = 0; i < row->trial_count; i++) {
		double rate = trial_number(row->trials[i], "rate.interface_bytes_per_s");

		if (row->trials[i]->state != TRIAL_OK || isnan(rate))
			continue;
		known++;
		above += rate >= least;
	}
	/* At least half of all at or above the least bounded one: it reaches the middle. */
	return known && 2 * above >= known && isfinite(least) ? BOUND_AT_LEAST : BOUND_EXACT;
}

static enum bound summary_ratio_bound(const struct row *row)
{
	bool over = row->rate_bound == BOUND_AT_LEAST;
	bool under = row->baseline && row->baseline->rate_bound == BOUND_AT_LEAST;

	if (row->baseline == row)
		return BOUND_EXACT;
	return over && under ? BOUND_EITHER : over ? BOUND_AT_LEAST : under ? BOUND_AT_MOST : BOUND_EXACT;
}

static void summary_facts(struct row *row)
{
	row->asked = row->open = NAN;
	row->published_bps = NAN;
	for (size_t i = 0; i < row->trial_count; i++) {
		const struct trial *t = row->trials[i];
		const char *limit = trial_text(t, "limited_by");

		row->published_bps = fmax(row->published_bps, trial_number(t, "published.rate_bps"));
		row->asked = fmax(row->asked, trial_number(t, "connections.asked"));
		if (t->state != TRIAL_OK)
			continue;
		row->open = fmin(row->open, trial_number(t, "connections.open"));
		for (int l = 0; limit && l < LIMIT_COUNT; l++)
			row->limited[l] += !strcmp(limit, limit_names[l]);
	}
	row->rate_bound = summary_bound(row);
	row->has_limit = row_has_limit(row);
}

static unsigned summary_planned(const struct summary *s)
{
	const json_t *run = json_object_get(s->result.environment, "run");
	json_int_t trials = json_integer_value(json_object_get(run, "trials"));

	return trials > 0 && trials < 1000000000 ? (unsigned)trials : 0;
}

int summary_read(const char *folder, struct summary *out)
{
	struct summary s = { 0 };
	int code = result_read(folder, &s.result);

	if (code)
		return code;
	code = summary_rows(&s);
	summary_forms(&s);
	if (!code)
		code = summary_columns(&s);
	if (code) {
		summary_free(&s);
		return log_err(code, "%s: not enough memory for the summary", folder);
	}
	summary_part_offloads(&s);
	for (size_t i = 0; i < s.row_count; i++)
		summary_facts(&s.rows[i]);
	for (size_t i = 0; i < s.row_count; i++) {
		summary_figures(&s, &s.rows[i]);
		s.rows[i].ratio_bound = summary_ratio_bound(&s.rows[i]);
	}
	result_title(&s.result, s.title, sizeof(s.title));
	s.trials_planned = summary_planned(&s);
	*out = s;
	return 0;
}

void summary_free(struct summary *s)
{
	for (size_t i = 0; s->rows && i < s->row_count; i++)
		free(s->rows[i].trials);
	free(s->rows);
	free(s->columns);
	result_free(&s->result);
	*s = (struct summary){ 0 };
}

bool summary_constant(const struct summary *s, const char *column)
{
	char first[256] = "", other[256];
	size_t seen = 0;

	for (size_t i = 0; i < s->row_count; i++) {
		if (s->rows[i].hidden)
			continue;
		trial_key(s->rows[i].first, column, seen ? other : first, sizeof(first));
		if (seen++ && strcmp(first, other))
			return false;
	}
	return seen > 1;
}
