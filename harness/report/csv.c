/* SPDX-License-Identifier: BSD-2-Clause */
/* summary.csv: one line a row, every figure in its base unit, an empty field for
 * what was not measured. */
#include <math.h>
#include <stdio.h>

#include "harness/report/escape.h"
#include "harness/report/outputs.h"

static const char *const csv_parts[] = { "median", "min", "max", "mean", "ci95_low", "ci95_high" };

static void csv_header(const struct summary *s, FILE *out)
{
	fputs("row,hidden", out);
	for (size_t i = 0; i < s->column_count; i++) {
		putc(',', out);
		escape_csv(out, s->columns[i]);
	}
	fputs(",trials,ok,failed,interrupted,unsupported,limited_by,rate_is,ratio_is,"
	      "connections_asked,connections_open,published_bps,baseline_row,empty_row", out);
	for (int m = 0; m < MEASURE_COUNT; m++) {
		fprintf(out, ",%s_n", measures[m].name);
		for (size_t p = 0; p < sizeof(csv_parts) / sizeof(csv_parts[0]); p++)
			fprintf(out, ",%s_%s", measures[m].name, csv_parts[p]);
	}
	putc('\n', out);
}

static void csv_number(FILE *out, enum quantity quantity, double value)
{
	char text[FORMAT_BYTES * 10];

	fprintf(out, ",%s", format_number(text, sizeof(text), quantity, value));
}

static void csv_figures(const struct row *row, FILE *out)
{
	for (int m = 0; m < MEASURE_COUNT; m++) {
		const struct statistics *s = &row->figure[m];
		double values[] = { s->median, s->least, s->most, s->mean, NAN, NAN };

		measure_interval(&measures[m], s, &values[4], &values[5]);
		fprintf(out, ",%zu", s->n);
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
			csv_number(out, measures[m].quantity, values[i]);
	}
}

static void csv_row(const struct summary *s, const struct row *row, FILE *out)
{
	char key[512];

	fprintf(out, "%u,%d", row->index, row->hidden);
	for (size_t i = 0; i < s->column_count; i++) {
		trial_key(row->first, s->columns[i], key, sizeof(key));
		putc(',', out);
		if (key[0] != '-' || key[1])
			escape_csv(out, key);
	}
	fprintf(out, ",%zu,%zu,%zu,%zu,%zu,%s,%s,%s", row->trial_count, row->state_count[TRIAL_OK],
		row->state_count[TRIAL_FAILED], row->state_count[TRIAL_INTERRUPTED],
		row->state_count[TRIAL_UNSUPPORTED],
		row->state_count[TRIAL_OK] ? row_limited_by(row) : "",
		row->figure[MEASURE_RATE].n ? bound_names[row->rate_bound] : "",
		row->figure[MEASURE_RATIO].n ? bound_names[row->ratio_bound] : "");
	csv_number(out, QUANTITY_RATIO, row->asked);
	csv_number(out, QUANTITY_RATIO, row->open);
	csv_number(out, QUANTITY_BPS, row->published_bps);
	csv_number(out, QUANTITY_RATIO, row->baseline ? (double)row->baseline->index : NAN);
	csv_number(out, QUANTITY_RATIO, row->empty ? (double)row->empty->index : NAN);
	csv_figures(row, out);
	putc('\n', out);
}

void csv_write(const struct summary *summary, FILE *out)
{
	csv_header(summary, out);
	for (size_t i = 0; i < summary->row_count; i++)
		csv_row(summary, &summary->rows[i], out);
}
