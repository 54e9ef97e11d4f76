/* SPDX-License-Identifier: BSD-2-Clause */
/* report.md: what report.html says, shorter; figures are linked. */
#include <stdio.h>
#include <string.h>

#include "harness/report/escape.h"
#include "harness/report/outputs.h"

#define MARKDOWN_POLICY_LINES 24

static void markdown_line(FILE *out, const char *prefix, const char *text, const char *end)
{
	fputs(prefix, out);
	escape_markdown(out, text);
	fputs(end, out);
}

static void markdown_note(void *to, const char *text)
{
	markdown_line(to, "- ", text, "\n");
}

static void markdown_table(const struct grid *grid, FILE *out)
{
	if (!grid->row_count) {
		fputs("no data\n\n", out);
		return;
	}
	for (size_t c = 0; c < grid->column_count; c++) {
		markdown_line(out, "| ", grid->columns[c].heading, "");
		if (*grid->columns[c].unit)
			markdown_line(out, ", ", grid->columns[c].unit, "");
		putc(' ', out);
	}
	fputs("|\n", out);
	for (size_t c = 0; c < grid->column_count; c++)
		fputs(grid->columns[c].text ? "|---" : "|--:", out);
	fputs("|\n", out);
	for (size_t r = 0; r < grid->row_count; r++) {
		for (size_t c = 0; c < grid->column_count; c++)
			markdown_line(out, "| ", grid_cell(grid, r, c), " ");
		fputs("|\n", out);
	}
	putc('\n', out);
}

static void markdown_figures(const struct figures *figures, FILE *out)
{
	static const char *const titles[] = { "Bytes/sec", "CPU per gigabit" };

	for (size_t i = 0; i < figures->count && i < FIGURE_TRIALS; i++) {
		const struct figure *f = &figures->figure[i];

		if (f->drawn)
			fprintf(out, "![%s](plots/%s.svg)\n\n", titles[i], f->name);
		if (*f->note)
			markdown_line(out, "> ", f->note, "\n\n");
	}
}

/* One line a trial: its graph, or why there is none. */
static void markdown_trials(const struct summary *s, const struct figures *figures, FILE *out)
{
	char text[768], label[512];

	fputs("## Trials\n\n", out);
	for (size_t i = FIGURE_TRIALS; i < figures->count; i++) {
		const struct figure *f = &figures->figure[i];

		for (size_t r = 0; r < s->row_count; r++)
			if (s->rows[r].index == f->trial->row)
				row_label(s, &s->rows[r], NULL, label, sizeof(label));
		snprintf(text, sizeof(text), "trial %u: %s%srepetition %u, %s", f->trial->trial, label,
			 *label ? ", " : "", f->trial->repetition, trial_state_names[f->trial->state]);
		markdown_line(out, "- ", text, "");
		if (f->drawn)
			fprintf(out, " ([graph](plots/%s.svg))\n", f->name);
		else
			markdown_line(out, " (", f->note, ")\n");
	}
	putc('\n', out);
}

static void markdown_machine(const struct summary *s, FILE *out)
{
	const char *name;
	json_t *value;

	fputs("## Machine\n\n", out);
	json_object_foreach(s->result.environment, name, value) {
		char *text = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);

		markdown_line(out, "- ", name, ": ");
		markdown_line(out, "", text ? text : json_string_value(value), "\n");
		free(text);
	}
	if (!json_object_size(s->result.environment))
		fputs("not recorded\n", out);
	putc('\n', out);
}

/* Code blocks take text as it is; the indent is the fence that cannot be closed
 * from inside. Of more than most lines (0: all) the rest is in report.html. */
static void markdown_code(FILE *out, const char *text, size_t most)
{
	for (size_t i = 0; *text; i++) {
		size_t n = strcspn(text, "\n");
		char line[1024];

		if (most && i == most) {
			fputs("    ... the rest stands in report.html\n", out);
			break;
		}
		snprintf(line, sizeof(line), "%.*s", n < sizeof(line) ? (int)n : (int)sizeof(line) - 1, text);
		fputs("    ", out);
		escape_plain(out, line);
		putc('\n', out);
		text += n + (text[n] == '\n');
	}
	putc('\n', out);
}

static void markdown_policies(const struct summary *s, FILE *out)
{
	char label[512];

	fputs("## Policies\n\n", out);
	for (size_t i = 0; i < s->row_count; i++) {
		const char *policy = row_policy(&s->rows[i]);

		if (!policy)
			continue;
		markdown_line(out, "", row_label(s, &s->rows[i], NULL, label, sizeof(label)), ":\n\n");
		markdown_code(out, policy, MARKDOWN_POLICY_LINES);
	}
}

void markdown_write(const struct summary *s, const struct grid *grid, const struct figures *figures,
		    FILE *out)
{
	char text[2048];

	markdown_line(out, "# ", s->title, "\n\n");
	finding_write(s, text, sizeof(text));
	markdown_line(out, "**", text, "**\n\n");
	markdown_line(out, "", notes_common(s, text, sizeof(text)), "; median of the runs.\n\n");
	markdown_table(grid, out);
	notes_table(s, 0, markdown_note, out);
	putc('\n', out);
	markdown_figures(figures, out);
	if (s->state_count[TRIAL_OK] < s->result.trial_count) {
		fputs("## Trials that do not count\n\n", out);
		notes_failures(s, markdown_note, out);
		putc('\n', out);
	}
	markdown_trials(s, figures, out);
	fputs("## What the columns mean\n\n", out);
	for (int m = 0; m < MEASURE_COUNT; m++) {
		snprintf(text, sizeof(text), "%s: %s", measures[m].heading, measures[m].definition);
		markdown_note(out, text);
	}
	markdown_note(out, "95 %: " MEASURE_INTERVAL_TEXT);
	putc('\n', out);
	markdown_machine(s, out);
	markdown_policies(s, out);
	if (s->result.scenario) {
		fputs("## Scenario\n\n", out);
		markdown_code(out, s->result.scenario, 0);
	}
}
