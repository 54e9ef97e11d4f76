/* SPDX-License-Identifier: BSD-2-Clause */
/* summary.json: the same numbers as summary.csv, null for what was not measured. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "harness/report/outputs.h"

/* The number that summary.csv prints, whole ones without a point. */
static json_t *json_figure(enum quantity quantity, double value)
{
	double number = format_rounded(quantity, value);

	if (isnan(number))
		return json_null();
	if (number == floor(number) && fabs(number) < 9e15)
		return json_integer((json_int_t)number);
	return json_real(number);
}

static json_t *json_statistics(const struct measure_kind *kind, const struct statistics *s)
{
	enum quantity quantity = kind->quantity;
	json_t *out = json_object();
	double low, high;

	measure_interval(kind, s, &low, &high);
	json_object_set_new(out, "n", json_integer((json_int_t)s->n));
	json_object_set_new(out, "median", json_figure(quantity, s->median));
	json_object_set_new(out, "min", json_figure(quantity, s->least));
	json_object_set_new(out, "max", json_figure(quantity, s->most));
	json_object_set_new(out, "mean", json_figure(quantity, s->mean));
	json_object_set_new(out, "deviation", json_figure(quantity, s->deviation));
	json_object_set_new(out, "ci95_low", json_figure(quantity, low));
	json_object_set_new(out, "ci95_high", json_figure(quantity, high));
	json_object_set_new(out, "equal", json_boolean(s->equal));
	return out;
}

static json_t *json_index(const struct row *row)
{
	return row ? json_integer(row->index) : json_null();
}

static json_t *json_counts(size_t ran, const size_t *state_count)
{
	json_t *out = json_object();

	json_object_set_new(out, "ran", json_integer((json_int_t)ran));
	for (int i = 0; i < 4; i++)
		json_object_set_new(out, trial_state_names[i], json_integer((json_int_t)state_count[i]));
	return out;
}

static json_t *json_row(const struct row *row)
{
	json_t *out = json_object(), *figures = json_object(), *limited = json_object();
	json_t *key = json_object_get(row->first->record, "key");

	json_object_set_new(out, "row", json_integer(row->index));
	json_object_set_new(out, "hidden", json_boolean(row->hidden));
	json_object_set(out, "key", key ? key : json_null());
	json_object_set_new(out, "trials", json_counts(row->trial_count, row->state_count));
	json_object_set_new(out, "limited_by", row->state_count[TRIAL_OK] ?
			    json_string(row_limited_by(row)) : json_null());
	for (int i = 0; i < LIMIT_COUNT; i++)
		json_object_set_new(limited, limit_names[i], json_integer(row->limited[i]));
	json_object_set_new(out, "limited", limited);
	json_object_set_new(out, "rate_is", row->figure[MEASURE_RATE].n ?
			    json_string(bound_names[row->rate_bound]) : json_null());
	json_object_set_new(out, "ratio_is", row->figure[MEASURE_RATIO].n ?
			    json_string(bound_names[row->ratio_bound]) : json_null());
	json_object_set_new(out, "connections_asked", json_figure(QUANTITY_RATIO, row->asked));
	json_object_set_new(out, "connections_open", json_figure(QUANTITY_RATIO, row->open));
	json_object_set_new(out, "published_bps", json_figure(QUANTITY_BPS, row->published_bps));
	json_object_set_new(out, "baseline_row", json_index(row->baseline));
	json_object_set_new(out, "empty_row", json_index(row->empty));
	for (int m = 0; m < MEASURE_COUNT; m++)
		json_object_set_new(figures, measures[m].name,
				    json_statistics(&measures[m], &row->figure[m]));
	json_object_set_new(out, "figures", figures);
	return out;
}

static json_t *json_failures(const struct summary *s)
{
	json_t *out = json_array();

	for (size_t i = 0; i < s->result.trial_count; i++) {
		const struct trial *t = &s->result.trials[i];

		if (t->state != TRIAL_OK)
			json_array_append_new(out, json_pack("{s:i,s:i,s:i,s:s,s:s?}", "trial", (int)t->trial,
							     "row", (int)t->row, "repetition", (int)t->repetition,
							     "state", trial_state_names[t->state], "reason",
							     trial_text(t, "reason")));
	}
	return out;
}

static void json_note(void *to, const char *text)
{
	json_array_append_new(to, json_string(text));
}

/* Text that may have been cut in the middle of a character. */
static json_t *json_text(const char *text)
{
	json_t *whole = json_string(text);
	size_t n = strlen(text);

	while (!whole && n)
		whole = json_stringn(text, --n);
	return whole;
}

json_t *json_make(const struct summary *s)
{
	json_t *out = json_object(), *rows = json_array(), *columns = json_array();
	json_t *notes = json_array(), *definitions = json_object(), *trials;
	char text[2048];

	for (size_t i = 0; i < s->column_count; i++)
		json_array_append_new(columns, json_string(s->columns[i]));
	for (size_t i = 0; i < s->row_count; i++)
		json_array_append_new(rows, json_row(&s->rows[i]));
	for (int m = 0; m < MEASURE_COUNT; m++)
		json_object_set_new(definitions, measures[m].name, json_string(measures[m].definition));
	json_object_set_new(definitions, "ci95", json_string(MEASURE_INTERVAL_TEXT));
	notes_table(s, 0, json_note, notes);
	trials = json_counts(s->result.trial_count, s->state_count);
	json_object_set_new(trials, "planned", s->trials_planned ? json_integer(s->trials_planned) : json_null());
	json_object_set_new(out, "format", json_integer(1));
	json_object_set_new(out, "title", json_text(s->title));
	finding_write(s, text, sizeof(text));
	json_object_set_new(out, "finding", json_text(text));
	json_object_set_new(out, "packets", json_string(notes_packets(s, text, sizeof(text))));
	json_object_set_new(out, "trials", trials);
	json_object_set_new(out, "columns", columns);
	json_object_set_new(out, "rows", rows);
	json_object_set_new(out, "failures", json_failures(s));
	json_object_set_new(out, "notes", notes);
	json_object_set_new(out, "definitions", definitions);
	return out;
}

static int json_put(const char *bytes, size_t size, void *to)
{
	return fwrite(bytes, 1, size, to) == size ? 0 : -1;
}

void json_write(const struct summary *summary, FILE *out)
{
	json_t *json = json_make(summary);

	if (json)
		json_dump_callback(json, json_put, out, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	putc('\n', out);
	json_decref(json);
}
