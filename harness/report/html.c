/* SPDX-License-Identifier: BSD-2-Clause */
/* report.html: one file that fetches nothing. Summary first, then the table, the
 * figures, each row, and everything needed to repeat the run. */
#include "harness/report/html.h"

#include <stdio.h>
#include <string.h>

void html_element(FILE *out, const char *name, const char *text)
{
	fprintf(out, "<%s>", name);
	escape_html(out, text);
	fprintf(out, "</%s>\n", name);
}

static void html_item(void *to, const char *text)
{
	html_element(to, "li", text);
}

static void html_head(const struct page *p)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
	      "<meta charset=\"utf-8\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n", p->out);
	html_element(p->out, "title", p->summary->title);
	fprintf(p->out, "<style>\n%s</style>\n</head>\n<body>\n", html_style);
}

static const char *html_environment(const struct page *p, const char *name)
{
	return json_string_value(json_object_get(p->summary->result.environment, name));
}

static void html_summary(const struct page *p)
{
	const struct summary *s = p->summary;
	const char *started = s->result.trial_count ? trial_text(&s->result.trials[0], "started") : NULL;
	const char *const facts[] = { started, html_environment(p, "cpu"), html_environment(p, "kernel") };
	char text[2048], common[1024];

	html_element(p->out, "h1", s->title);
	finding_write(s, text, sizeof(text));
	fputs("<p class=\"finding\">", p->out);
	escape_html(p->out, text);
	fputs("</p>\n", p->out);
	fputs("<p class=\"faint\">", p->out);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		escape_html(p->out, facts[i] ? facts[i] : "");
		fputs(facts[i] ? "; " : "", p->out);
	}
	snprintf(text, sizeof(text), "%zu rows, %zu trials; %s", p->grid->row_count, s->result.trial_count,
		 notes_common(s, common, sizeof(common)));
	escape_html(p->out, text);
	fputs("</p>\n", p->out);
	if (s->trials_planned > s->result.trial_count || s->state_count[TRIAL_INTERRUPTED])
		fputs("<p class=\"warn\">This run was interrupted. What is shown was measured; the rest is missing.</p>\n",
		      p->out);
	if (s->state_count[TRIAL_FAILED]) {
		snprintf(text, sizeof(text), "%zu of %zu trials failed and stay out of every figure; see below.",
			 s->state_count[TRIAL_FAILED], s->result.trial_count);
		fputs("<p class=\"warn\">", p->out);
		escape_html(p->out, text);
		fputs("</p>\n", p->out);
	}
}

/* The range of a figure stands under it; the grid has it as the next column. */
static size_t html_cell(const struct page *p, size_t r, size_t c)
{
	const struct grid *g = p->grid;
	const struct grid_column *column = &g->columns[c];
	bool main = column->kind == GRID_MEDIAN &&
		    (column->measure == MEASURE_RATE || column->measure == MEASURE_PER_GIGABIT);
	size_t next = c + 1;

	fprintf(p->out, "<td%s>", column->text ? " class=\"text\"" : main ? " class=\"main\"" : "");
	escape_html(p->out, grid_cell(g, r, c));
	for (; next < g->column_count && g->columns[next].kind == GRID_RANGE; next++) {
		if (!strcmp(grid_cell(g, r, next), "-"))
			continue;
		fputs("<span class=\"range\">", p->out);
		escape_html(p->out, grid_cell(g, r, next));
		fputs("</span>", p->out);
	}
	fputs("</td>", p->out);
	return next;
}

static void html_headings(const struct page *p)
{
	fputs("<thead><tr>", p->out);
	for (size_t c = 0; c < p->grid->column_count; c++) {
		const struct grid_column *column = &p->grid->columns[c];

		if (column->kind == GRID_RANGE)
			continue;
		fprintf(p->out, "<th scope=\"col\"%s>", column->kind == GRID_KEY ? column->text ? " class=\"text key\"" : " class=\"key\"" :
			column->text ? " class=\"text\"" : "");
		escape_html(p->out, column->heading);
		fputs("<span class=\"unit\">", p->out);
		escape_html(p->out, *column->unit ? column->unit : "\xc2\xa0");
		fputs("</span></th>", p->out);
	}
	fputs("</tr></thead>\n", p->out);
}

static void html_table(const struct page *p)
{
	fputs("<h2>Table</h2>\n<p class=\"faint\">Median of the runs that count; the smaller line is the least and the most of them. 95 %: Student's interval of their mean.</p>\n",
	      p->out);
	if (!p->grid->row_count) {
		fputs("<p>no data</p>\n", p->out);
	} else {
		fputs("<div class=\"scroll\"><table>\n", p->out);
		html_headings(p);
		fputs("<tbody>\n", p->out);
		for (size_t r = 0; r < p->grid->row_count; r++) {
			fputs(p->grid->rows[r]->state_count[TRIAL_OK] ? "<tr>" : "<tr class=\"none\">", p->out);
			for (size_t c = 0; c < p->grid->column_count;)
				c = html_cell(p, r, c);
			fputs("</tr>\n", p->out);
		}
		fputs("</tbody></table></div>\n", p->out);
	}
	fputs("<ul class=\"notes\">\n", p->out);
	html_item(p->out, "- : not measured, or not applicable; it is not zero.");
	notes_table(p->summary, 0, html_item, p->out);
	fputs("</ul>\n", p->out);
}

static void html_figures(const struct page *p)
{
	fputs("<h2>Figures</h2>\n", p->out);
	if (p->figures->count > FIGURE_RATE)
		html_figure(p, &p->figures->figure[FIGURE_RATE], "Bytes/sec, by policy and device");
	if (p->figures->count > FIGURE_COST)
		html_figure(p, &p->figures->figure[FIGURE_COST], "Device CPU for each gigabit, by policy and device");
}

void html_write(const struct summary *summary, const struct grid *grid, const struct figures *figures,
		FILE *out)
{
	const struct page page = { out, summary, grid, figures };

	html_head(&page);
	html_summary(&page);
	html_table(&page);
	html_figures(&page);
	html_rows(&page);
	html_checks(&page);
	html_machine(&page);
	html_definitions(&page);
	html_scenario(&page);
	fputs("</body>\n</html>\n", out);
}
