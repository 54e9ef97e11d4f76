/* SPDX-License-Identifier: BSD-2-Clause */
/* One <details> a row: every figure with its statistics, the graph of every
 * trial, the policy as the device loaded it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/report/html.h"

static void html_figure_row(FILE *out, const struct measure_kind *kind, const struct statistics *s)
{
	struct scale scale = format_scale(kind->quantity, s->median, s->median);
	double values[] = { s->median, s->least, s->most, NAN, NAN };
	char text[FORMAT_BYTES];

	measure_interval(kind, s, &values[3], &values[4]);
	fputs("<tr><td class=\"text\">", out);
	escape_html(out, kind->heading);
	fputs("</td>", out);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		fprintf(out, "<td>%s</td>", s->equal && i >= 3 ? "=" :
			format_cell(text, sizeof(text), &scale, values[i]));
	fprintf(out, "<td class=\"text\">%s</td><td>%zu</td></tr>\n", s->n ? scale.unit : "", s->n);
}

static void html_row_figures(const struct page *p, const struct row *row)
{
	fputs("<div class=\"scroll\"><table>\n<thead><tr><th class=\"text\">figure</th><th>median</th><th>min</th><th>max</th>"
	      "<th>95 % from</th><th>to</th><th class=\"text\">unit</th><th>runs</th></tr></thead>\n<tbody>\n", p->out);
	for (int m = 0; m < MEASURE_COUNT; m++)
		if (row->figure[m].n)
			html_figure_row(p->out, &measures[m], &row->figure[m]);
	fputs("</tbody></table></div>\n", p->out);
}

static void html_row_facts(const struct page *p, const struct row *row)
{
	char text[FORMAT_BYTES];

	fputs("<p>Limited by: ", p->out);
	escape_html(p->out, row_limited_by(row));
	for (int l = 0, first = 1; l < LIMIT_COUNT; l++) {
		if (!row->limited[l])
			continue;
		fprintf(p->out, "%s%s %u", first ? " (" : ", ", limit_names[l], row->limited[l]);
		first = 0;
	}
	fprintf(p->out, "%s. ", row->state_count[TRIAL_OK] ? " runs)" : "");
	fprintf(p->out, "Connections open: %s", isnan(row->open) ? "-" : format_number(text, sizeof(text), QUANTITY_RATIO, row->open));
	fprintf(p->out, " of %s. ", isnan(row->asked) ? "-" : format_number(text, sizeof(text), QUANTITY_RATIO, row->asked));
	if (!isnan(row->published_bps))
		fprintf(p->out, "Published: %s.", format_text(text, sizeof(text), QUANTITY_BPS, row->published_bps));
	fputs("</p>\n", p->out);
}

static void html_row_graphs(const struct page *p, const struct row *row)
{
	char caption[128];

	fputs("<div class=\"graphs\">\n", p->out);
	for (size_t i = 0; i < row->trial_count; i++) {
		const struct trial *t = row->trials[i];
		const struct figure *f = figures_of_trial(p->figures, t);

		snprintf(caption, sizeof(caption), "trial %u, repetition %u%s%s", t->trial, t->repetition,
			 t->state == TRIAL_OK ? "" : ": ", t->state == TRIAL_OK ? "" : trial_state_names[t->state]);
		if (f)
			html_figure(p, f, caption);
	}
	fputs("</div>\n", p->out);
}

/* One check: its name, what came of it, and the numbers it rests on. */
static void html_check(const struct page *p, const json_t *check)
{
	const char *name = json_string_value(json_object_get(check, "name"));
	const char *text = json_string_value(json_object_get(check, "text"));
	const json_t *ok = json_object_get(check, "ok");

	fputs("<li>", p->out);
	escape_html(p->out, name ? name : "-");
	fputs(json_is_true(ok) ? " passed" : json_is_false(ok) ? " <b class=\"bad\">failed</b>" : " not possible", p->out);
	if (text && *text) {
		fputs(": ", p->out);
		escape_html(p->out, text);
	}
	fputs("</li>\n", p->out);
}

static void html_row_checks(const struct page *p, const struct row *row)
{
	json_t *check;
	size_t k;

	for (size_t i = 0; i < row->trial_count; i++) {
		const struct trial *t = row->trials[i];
		json_t *checks = json_object_get(t->record, "checks");

		if (!json_array_size(checks))
			continue;
		fprintf(p->out, "<p class=\"faint\">Checks of trial %u, repetition %u</p>\n<ul class=\"checks\">\n",
			t->trial, t->repetition);
		json_array_foreach(checks, k, check)
			html_check(p, check);
		fputs("</ul>\n", p->out);
	}
}

static void html_row_policy(const struct page *p, const struct row *row)
{
	const char *policy = row_policy(row);

	if (!policy)
		return;
	fputs("<details><summary>Policy as loaded</summary>\n", p->out);
	html_element(p->out, "pre", policy);
	fputs("</details>\n", p->out);
}

/* What the row's line says while it is closed. */
static void html_row_line(const struct page *p, const struct row *row)
{
	char rate[FORMAT_BYTES], cost[FORMAT_BYTES], label[512], runs[64];

	fputs("<summary>", p->out);
	row_label(p->summary, row, NULL, label, sizeof(label));
	escape_html(p->out, *label ? label : trial_device(row->first));
	fputs(" <span class=\"faint\">", p->out);
	if (row->figure[MEASURE_RATE].n)
		fprintf(p->out, "%s%s, ", row->rate_bound == BOUND_AT_LEAST ? "&gt;= " : "",
			format_text(rate, sizeof(rate), QUANTITY_BYTES_PER_S, row->figure[MEASURE_RATE].median));
	if (row->figure[MEASURE_PER_GIGABIT].n)
		fprintf(p->out, "%s per gigabit, ",
			format_text(cost, sizeof(cost), QUANTITY_MS, row->figure[MEASURE_PER_GIGABIT].median));
	fprintf(p->out, "%s runs%s</span></summary>\n", row_runs(row, runs, sizeof(runs)),
		row->hidden ? ", an empty form for the own cost of others" : "");
}

void html_rows(const struct page *p)
{
	fputs("<h2>Rows</h2>\n<p class=\"faint\">Each row with all its figures, the graph of every trial as a system monitor draws it (shaded: warm-up, not counted), its checks and its policy.</p>\n",
	      p->out);
	for (size_t i = 0; i < p->summary->row_count; i++) {
		const struct row *row = &p->summary->rows[i];

		fputs("<details>", p->out);
		html_row_line(p, row);
		html_row_facts(p, row);
		html_row_figures(p, row);
		html_row_graphs(p, row);
		html_row_checks(p, row);
		html_row_policy(p, row);
		fputs("</details>\n", p->out);
	}
}
