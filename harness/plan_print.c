/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan as a table for people and as JSON for programs. */
#include <stdio.h>
#include <string.h>

#include "common/units.h"
#include "harness/plan.h"

enum { CELL_BYTES = 96, COLUMNS_MAX = 64 };

/* Text of one key's value as the table shows it. */
static void cell_text(const json_t *value, char *out, size_t size)
{
	if (json_is_integer(value))
		snprintf(out, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else
		snprintf(out, size, "%s", json_is_string(value) ? json_string_value(value) : "-");
}

/* Characters, not bytes: continuation bytes of UTF-8 take no room. */
static int cell_width(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static void cell_print(const char *text, int width, bool right)
{
	int pad = width - cell_width(text);

	printf("  %*s%s%*s", right && pad > 0 ? pad : 0, "", text, !right && pad > 0 ? pad : 0, "");
}

/* A row number in the words of the table, or "-". */
static void row_number(int index, char *out, size_t size)
{
	if (index < 0)
		snprintf(out, size, "-");
	else
		snprintf(out, size, "%d", index + 1);
}

static void print_row(const struct row *row, const int *widths)
{
	char text[CELL_BYTES];
	const char *name;
	json_t *value;
	unsigned c = 0;

	printf("%3u", row->index + 1);
	json_object_foreach(row->key, name, value) {
		cell_text(value, text, sizeof(text));
		cell_print(text, widths[c++], json_is_integer(value));
	}
	row_number(row->baseline, text, sizeof(text));
	cell_print(text, 8, true);
	row_number(row->empty, text, sizeof(text));
	cell_print(text, 5, true);
	printf("%s\n", *row->unsupported ? "  not here" : "");
}

static void print_table(const struct plan *plan)
{
	int widths[COLUMNS_MAX] = { 0 };
	const char *name;
	json_t *value;
	unsigned c = 0;

	for (unsigned i = 0; i < plan->row_count; i++) {
		c = 0;
		json_object_foreach(plan->rows[i].key, name, value) {
			char text[CELL_BYTES];

			cell_text(value, text, sizeof(text));
			if (cell_width(text) > widths[c])
				widths[c] = cell_width(text);
			if (cell_width(name) > widths[c])
				widths[c] = cell_width(name);
			c++;
		}
	}
	c = 0;
	printf("row");
	json_object_foreach(plan->rows[0].key, name, value)
		cell_print(name, widths[c++], json_is_integer(value));
	printf("  baseline  empty\n");
	for (unsigned i = 0; i < plan->row_count; i++)
		print_row(&plan->rows[i], widths);
}

/* Rows that cannot run here, each reason once. */
static unsigned print_unsupported(const struct plan *plan)
{
	unsigned count = 0;

	for (unsigned i = 0; i < plan->row_count; i++) {
		const char *why = plan->rows[i].unsupported;
		unsigned first = 0;

		if (!*why)
			continue;
		count++;
		while (first < i && strcmp(plan->rows[first].unsupported, why))
			first++;
		if (first < i)
			continue;
		printf("not here: row");
		for (unsigned j = i; j < plan->row_count; j++)
			if (!strcmp(plan->rows[j].unsupported, why))
				printf("%s %u", j > i ? "," : "", j + 1);
		printf(": %s\n", why);
	}
	return count;
}

static void print_text(const struct plan *plan)
{
	unsigned hidden = 0, shown, trials;
	char time[32], trial[32];

	printf("%s (%s)\n\n", scenario_title(plan->scenario), scenario_path(plan->scenario));
	print_table(plan);
	printf("\n");
	trials = (plan->row_count - print_unsupported(plan)) * plan->repetitions;
	for (unsigned i = 0; i < plan->row_count; i++)
		hidden += plan->rows[i].hidden;
	shown = plan->row_count - hidden;
	printf("%u row%s", shown, shown == 1 ? "" : "s");
	if (hidden)
		printf(" and %u empty form%s for the devices' own cost", hidden, hidden == 1 ? "" : "s");
	printf(", %u repetition%s: %u trial%s", plan->repetitions, plan->repetitions == 1 ? "" : "s", trials,
	       trials == 1 ? "" : "s");
	if (trials)
		printf(" of about %s, %s in all",
		       units_print_time_ns(trial, sizeof(trial), plan->expected_ns / trials),
		       units_print_time_ns(time, sizeof(time), plan->expected_ns));
	printf("\n");
}

static json_t *index_json(int index)
{
	return index < 0 ? json_null() : json_integer(index);
}

static json_t *plan_json(const struct plan *plan)
{
	json_t *rows = json_array(), *trials = json_array();

	for (unsigned i = 0; i < plan->row_count; i++) {
		const struct row *row = &plan->rows[i];

		json_array_append_new(rows, json_pack("{s:i, s:O, s:b, s:o, s:o, s:o, s:f, s:o}",
			"row", (int)row->index, "key", row->key, "hidden", row->hidden,
			"baseline_row", index_json(row->baseline), "empty_row", index_json(row->empty),
			"unsupported", *row->unsupported ? json_string(row->unsupported) : json_null(),
			"trial_seconds", (double)plan_trial_ns(row) / 1e9,
			"published_bps", row->settings.published_bps ?
				json_integer((json_int_t)row->settings.published_bps) : json_null()));
	}
	for (unsigned i = 0; i < plan->trial_count; i++)
		json_array_append_new(trials, json_pack("{s:i, s:i, s:i}",
			"trial", (int)plan->trials[i].trial, "row", (int)plan->trials[i].row,
			"repetition", (int)plan->trials[i].repetition));
	return json_pack("{s:s, s:s, s:i, s:I, s:f, s:o, s:o}", "scenario", scenario_path(plan->scenario),
		"title", scenario_title(plan->scenario), "repetitions", (int)plan->repetitions,
		"seed", (json_int_t)plan->seed, "expected_seconds", (double)plan->expected_ns / 1e9,
		"rows", rows, "trials", trials);
}

void plan_print(const struct plan *plan, bool json)
{
	json_t *object;

	if (!json) {
		print_text(plan);
		return;
	}
	object = plan_json(plan);
	json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(10));
	putchar('\n');
	json_decref(object);
}
