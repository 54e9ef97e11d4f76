/* SPDX-License-Identifier: BSD-2-Clause */
/* The four outputs and the terminal say the same, hold together, and nothing in
 * a title is markup in any of them. */
#include "tests/unit/harness/report/folder.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>

#include "harness/report/report.h"

/* Written once; the tests only read them. */
static const char *const fixtures[] = { "results-full", "results-published", "results-exact", "results-hostile" };
static char *written[4];

static int outputs_setup(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		written[i] = folder_copy(fixtures[i]);
		assert_int_equal(report_write(written[i]), 0);
	}
	return 0;
}

static int outputs_teardown(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++)
		folder_remove(written[i]);
	return 0;
}

static const char *report_of(const char *fixture)
{
	for (size_t i = 0; i < 4; i++)
		if (!strcmp(fixtures[i], fixture))
			return written[i];
	return NULL;
}

static char *printed(const char *folder, unsigned width)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(report_print(folder, out, width), 0);
	fclose(out);
	return text;
}

/* Field n of a line, cut at separators and blanks; "" if there is none. */
static void field_of(const char *line, char separator, size_t n, char *out, size_t size)
{
	size_t used = 0;

	while (n && *line && *line != '\n')
		n -= *line++ == separator;
	while (*line == ' ')
		line++;
	while (*line && *line != '\n' && *line != separator && used < size - 1)
		out[used++] = *line++;
	while (used && out[used - 1] == ' ')
		used--;
	out[used] = '\0';
}

static const char *line_of(const char *text, size_t n)
{
	while (n--) {
		text = strchr(text, '\n');
		assert_non_null(text);
		text++;
	}
	return text;
}

static int column_of(const char *header, char separator, const char *name)
{
	char field[256];

	for (int i = 0; i < 200; i++) {
		field_of(header, separator, (size_t)i, field, sizeof(field));
		if (!strcmp(field, name))
			return i;
	}
	return -1;
}

/* The figure that a table prints in its unit, made again from the csv's number
 * by printf alone: same digits behind the point. */
static void assert_agrees(const char *cell, const char *number, double factor)
{
	const char *digits = cell + strspn(cell, ">=<~ "), *point = strchr(digits, '.');
	char again[64];

	if (!strcmp(cell, "-")) {
		assert_string_equal(number, "");
		return;
	}
	assert_true(*number != '\0');
	snprintf(again, sizeof(again), "%.*f", point ? (int)strlen(point + 1) : 0, strtod(number, NULL) / factor);
	assert_string_equal(again, digits);
}

static const struct agreed {
	const char *fixture, *markdown, *csv, *json;
	double factor;
} agreed[] = {
	{ "results-full", "Bytes/sec, MB/s", "interface_bytes_per_s", "interface_bytes_per_s", 1e6 },
	{ "results-full", "bit/s, Gbit/s", "interface_bps", "interface_bps", 1e9 },
	{ "results-full", "packets/s, kpkt/s", "interface_pps", "interface_pps", 1e3 },
	{ "results-full", "goodput, Gbit/s", "goodput_bps", "goodput_bps", 1e9 },
	{ "results-full", "dev CPU, %", "device_cpu_share", "device_cpu_share", 0.01 },
	{ "results-full", "CPU per Gbit, ms", "cpu_per_gigabit_ms", "cpu_per_gigabit_ms", 1 },
	{ "results-full", "own, ms/Gbit", "own_cost_per_gigabit_ms", "own_cost_per_gigabit_ms", 1 },
	{ "results-full", "projected, MB/s", "projected_bytes_per_s", "projected_bytes_per_s", 1e6 },
	{ "results-full", "vs none, x", "rate_vs_no_firewall_ratio", "rate_vs_no_firewall_ratio", 1 },
	{ "results-exact", "Bytes/sec, MB/s", "interface_bytes_per_s", "interface_bytes_per_s", 1e6 },
	{ "results-exact", "bit/s, Gbit/s", "interface_bps", "interface_bps", 1e9 },
	{ "results-published", "vs publ., x", "measured_to_published_ratio", "measured_to_published_ratio", 1 },
	{ "results-published", "bit/s, Mbit/s", "interface_bps", "interface_bps", 1e6 },
};

static void agree(const struct agreed *a)
{
	static const char *const parts[] = { "median", "min", "max", "mean", "ci95_low", "ci95_high" };
	const char *folder = report_of(a->fixture);
	char *csv, *json, *md, *html, *terminal, name[128], number[64], cell[64];
	const char *table;
	json_t *root;
	int column;

	csv = folder_read(folder, "summary.csv");
	json = folder_read(folder, "summary.json");
	md = folder_read(folder, "report.md");
	html = folder_read(folder, "report.html");
	terminal = printed(folder, 0);
	root = json_loads(json, JSON_DECODE_INT_AS_REAL, NULL);
	assert_non_null(root);
	table = strstr(md, "\n| ") + 1;
	column = column_of(table, '|', a->markdown);
	assert_true(column > 0);
	for (size_t r = 0, shown = 0; r < json_array_size(json_object_get(root, "rows")); r++) {
		json_t *row = json_array_get(json_object_get(root, "rows"), r);
		json_t *figure = json_object_get(json_object_get(row, "figures"), a->json);

		/* csv and json: the same number, part by part. */
		for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++) {
			json_t *value = json_object_get(figure, parts[p]);
			int at;

			snprintf(name, sizeof(name), "%s_%s", a->csv, parts[p]);
			at = column_of(csv, ',', name);
			assert_true(at > 0 && value);
			field_of(line_of(csv, r + 1), ',', (size_t)at, number, sizeof(number));
			if (json_is_null(value))
				assert_string_equal(number, "");
			else
				assert_true(*number && strtod(number, NULL) == json_real_value(value));
		}
		if (json_is_true(json_object_get(row, "hidden")))
			continue;
		/* Markdown: what the csv says, rounded; html and terminal: the same text. */
		snprintf(name, sizeof(name), "%s_median", a->csv);
		field_of(line_of(csv, r + 1), ',', (size_t)column_of(csv, ',', name), number, sizeof(number));
		field_of(line_of(table, 2 + shown++), '|', (size_t)column, cell, sizeof(cell));
		if (!strncmp(cell, "&#60;", 5))
			memmove(cell, cell + 4, strlen(cell + 4) + 1), cell[0] = '<';
		if (*cell == '\\')
			memmove(cell, cell + 1, strlen(cell));
		assert_agrees(cell, number, a->factor);
		assert_holds(terminal, cell);
		snprintf(name, sizeof(name), "%s%s%s", *cell == '>' ? "&#62;" : *cell == '<' ? "&#60;" : "",
			 *cell == '>' || *cell == '<' ? cell + 1 : cell, "<");
		assert_holds(html, name);
	}
	json_decref(root);
	free(csv);
	free(json);
	free(md);
	free(html);
	free(terminal);
}

static void outputs_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(agreed) / sizeof(agreed[0]); i++)
		agree(&agreed[i]);
}

/* Well-formed: tags nest, attributes are quoted, every & is an entity, no
 * identifier comes twice. Enough of XML for what the report writes. */
static void assert_well_formed(const char *html)
{
	char stack[64][32];
	size_t depth = 0;
	const char *p = html;

	assert_int_equal(strncmp(html, "<!DOCTYPE html>\n", 16), 0);
	for (p += 16; *p; p++) {
		if (*p == '&') {
			assert_true((p[1] == '#' && isdigit((unsigned char)p[2]) && p[2 + strspn(p + 2, "0123456789")] == ';') ||
				    !strncmp(p, "&gt;", 4) || !strncmp(p, "&lt;", 4) || !strncmp(p, "&amp;", 5));
		}
		assert_true(*p != '>' || depth || isspace((unsigned char)*p));
		if (*p != '<')
			continue;
		if (p[1] == '!') {
			fail_msg("a comment or CDATA at %.40s", p);
		} else if (p[1] == '/') {
			size_t n = strcspn(p + 2, ">");

			assert_true(depth > 0);
			depth--;
			if (n != strlen(stack[depth]) || strncmp(stack[depth], p + 2, n))
				fail_msg("<%s> closed by %.40s", stack[depth], p);
			p += n + 2;
		} else {
			size_t n = strcspn(p + 1, " \t\n/>");

			assert_true(isalpha((unsigned char)p[1]) && n < sizeof(stack[0]) && depth < 64);
			memcpy(stack[depth], p + 1, n);
			stack[depth][n] = '\0';
			for (p += n + 1; *p != '>' && !(p[0] == '/' && p[1] == '>'); p++) {
				if (*p == '"' || *p == '\'') {
					assert_true(p[-1] == '=' || (p[-1] == ' ' && p[-2] == '='));
					p = strchr(p + 1, *p);
					assert_non_null(p);
				}
				assert_true(*p && *p != '<');
			}
			depth += *p == '>';
			p += *p == '/';
		}
	}
	assert_int_equal(depth, 0);
}

static void assert_identifiers_unique(const char *html)
{
	for (const char *p = html; (p = strstr(p, " id=")); p++) {
		char id[128];
		size_t n = strcspn(p + 5, "\"'") + 6;

		assert_true(n < sizeof(id));
		memcpy(id, p, n);
		id[n] = '\0';
		if (strstr(p + 1, id))
			fail_msg("twice: %s", id);
	}
}

static void outputs_html_well_formed(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		char *html = folder_read(written[i], "report.html");

		assert_well_formed(html);
		assert_identifiers_unique(html);
		/* Nothing is fetched: the only addresses are names of XML vocabularies. */
		assert_holds_not(html, "src=");
		assert_holds_not(html, "<link");
		assert_holds_not(html, "@import");
		assert_holds_not(html, "url(http");
		assert_holds_not(html, "href=\"http");
		free(html);
	}
}

static void outputs_hostile(void **state)
{
	const char *folder = report_of("results-hostile");
	char *html, *md, *code, *csv, *json, *terminal, *data;
	json_t *root;

	(void)state;
	html = folder_read(folder, "report.html");
	md = folder_read(folder, "report.md");
	csv = folder_read(folder, "summary.csv");
	json = folder_read(folder, "summary.json");
	data = folder_read(folder, "plots/rate.dat");
	terminal = printed(folder, 100);
	assert_holds(html, "&#60;script&#62;alert(1)");
	assert_holds_not(html, "<script");
	assert_holds_not(html, "</pre><!--");
	assert_holds_not(html, "\x1b");
	/* In Markdown text stands as text; from the policies on it is indented code. */
	code = strstr(md, "## Policies");
	assert_non_null(code);
	assert_holds_not(code, "\n<");
	assert_holds_not(code, "\n```");
	*code = '\0';
	assert_holds_not(md, "<script");
	assert_holds_not(md, " | pipe");
	assert_holds_not(terminal, "\x1b");
	assert_holds_not(terminal, "\a");
	assert_holds(csv, "& \"\"quotes\"\"");
	assert_holds_not(data, "\"");
	assert_holds_not(data, "\\");
	assert_true(folder_has(folder, "plots/rate.svg"));
	root = json_loads(json, 0, NULL);
	assert_non_null(root);
	assert_holds(json_string_value(json_object_get(root, "title")), "<script>alert(1)");
	json_decref(root);
	free(html);
	free(md);
	free(csv);
	free(json);
	free(data);
	free(terminal);
}

/* Lines of the table stay within the width where the names allow it, and the
 * columns that are always there stay. */
static void outputs_widths(void **state)
{
	static const struct { unsigned width; const char *has, *lacks; } rows[] = {
		{ 0, "goodput", NULL }, { 200, "goodput", NULL }, { 120, "limited by", "goodput" },
		{ 80, "vs none", "projected  " }, { 40, "Bytes/sec", "vs none  " },
	};
	const char *folder = report_of("results-full");

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = printed(folder, rows[i].width), *table = strstr(text, "\n\n") + 2, *end = strstr(table, "\n\n");

		*end = '\0';
		assert_holds(table, rows[i].has);
		assert_holds(table, "CPU per");
		if (rows[i].lacks)
			assert_holds_not(table, rows[i].lacks);
		for (char *line = strtok(table, "\n"); line; line = strtok(NULL, "\n")) {
			assert_true(line[strlen(line) - 1] != ' ');
			assert_true(!rows[i].width || rows[i].width < 80 || strlen(line) <= rows[i].width);
		}
		free(text);
	}
}

/* A note about a column that did not fit is left out with it. */
static void outputs_notes_of_columns(void **state)
{
	static const char *const notes[] = { "projected: an estimate", "<=: the row without", "~: both rows were", "=: all repetitions" };
	char *folder = folder_make(), *wide, *narrow;
	char *full = printed(report_of("results-full"), 0), *small = printed(report_of("results-full"), 40);

	(void)state;
	folder_write(folder, "trials.jsonl",
		"{\"trial\":1,\"row\":0,\"repetition\":1,\"state\":\"ok\",\"key\":{},\"rate\":{\"interface_bytes_per_s\":5}}\n"
		"{\"trial\":2,\"row\":0,\"repetition\":2,\"state\":\"ok\",\"key\":{},\"rate\":{\"interface_bytes_per_s\":5}}\n");
	wide = printed(folder, 0);
	narrow = printed(folder, 30);
	assert_holds(full, notes[0]);
	assert_holds(full, notes[2]);
	assert_holds(full, "\n>=: the generator");
	assert_holds(small, "\n>=: the generator");
	assert_holds(wide, notes[3]);
	for (size_t i = 0; i < 4; i++) {
		assert_holds_not(strstr(small, "\n>="), notes[i]);
		assert_holds_not(narrow, notes[i]);
	}
	free(wide);
	free(narrow);
	free(full);
	free(small);
	folder_remove(folder);
}

/* Where nothing counts the columns keep their usual units, the published figure
 * is readable, and a row's line leaves out what it does not have. */
static void outputs_all_failed(void **state)
{
	char *folder = folder_make(), *text, *html;

	(void)state;
	folder_write(folder, "trials.jsonl",
		"{\"trial\":1,\"row\":0,\"repetition\":1,\"state\":\"interrupted\",\"reason\":\"interrupted\",\"key\":{\"device\":\"d\"},\"published\":{\"rate_bps\":1250000000}}\n");
	assert_int_equal(report_write(folder), 0);
	text = printed(folder, 0);
	html = folder_read(folder, "report.html");
	assert_holds(text, "MB/s");
	assert_holds(text, " 1.25");
	assert_holds(text, "Gbit/s");
	assert_holds_not(text, "interrupted: interrupted");
	assert_holds(html, "<span class=\"faint\">0/1 runs</span></summary>");
	free(text);
	free(html);
	folder_remove(folder);
}

/* Each trial's checks stand in its row, with their numbers; the names are explained. */
static void outputs_checks(void **state)
{
	static const char *const names[] = { "window", "permitted", "stranger", "peers", "limit", "accounting", "saturated" };
	char *folder = folder_make(), *html, part[64];

	(void)state;
	folder_write(folder, "trials.jsonl",
		"{\"trial\":7,\"row\":0,\"repetition\":2,\"state\":\"failed\",\"reason\":\"x\",\"key\":{\"device\":\"d\"},"
		"\"checks\":[{\"name\":\"window\",\"ok\":true,\"text\":\"1.2 s <measured>\"},{\"name\":\"peers\",\"ok\":false,\"text\":\"two seen\"},"
		"{\"name\":\"limit\",\"ok\":null},{\"ok\":true,\"text\":5},7]}\n");
	assert_int_equal(report_write(folder), 0);
	html = folder_read(folder, "report.html");
	assert_holds(html, "Checks of trial 7, repetition 2");
	assert_holds(html, "<li>window passed: 1.2 s &#60;measured&#62;</li>");
	assert_holds(html, "<li>peers <b class=\"bad\">failed</b>: two seen</li>");
	assert_holds(html, "<li>limit not possible</li>");
	for (size_t i = 0; i < 7; i++) {
		snprintf(part, sizeof(part), "<dt>%s</dt>", names[i]);
		assert_holds(strstr(html, "What the checks mean"), part);
	}
	assert_well_formed(html);
	free(html);
	folder_remove(folder);
}

/* What was cut is reported, with the mark. */
static void outputs_interrupted(void **state)
{
	char *folder = folder_copy("results-full"), *trials = folder_read(folder, "trials.jsonl"), *text, *html;

	(void)state;
	trials[strlen(trials) / 3] = '\0';
	folder_write(folder, "trials.jsonl", trials);
	assert_int_equal(report_write(folder), 0);
	text = printed(folder, 0);
	html = folder_read(folder, "report.html");
	assert_holds(text, "INTERRUPTED: 7 of 24 trials ran");
	assert_holds(html, "This run was interrupted");
	free(text);
	free(html);
	free(trials);
	folder_remove(folder);
}

/* A full disk leaves the former report, and no temporary file. */
static void outputs_whole_or_not_at_all(void **state)
{
	char *folder = folder_copy("results-exact"), path[512], *text;

	(void)state;
	folder_write(folder, "report.md", "the former report");
	snprintf(path, sizeof(path), "%s/report.md.tmp", folder);
	assert_int_equal(symlink("/dev/full", path), 0);
	assert_int_not_equal(report_write(folder), 0);
	text = folder_read(folder, "report.md");
	assert_string_equal(text, "the former report");
	assert_false(folder_has(folder, "report.md.tmp"));
	assert_true(folder_has(folder, "report.html"));
	free(text);
	folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outputs_agree),
		cmocka_unit_test(outputs_html_well_formed),
		cmocka_unit_test(outputs_hostile),
		cmocka_unit_test(outputs_widths),
		cmocka_unit_test(outputs_checks),
		cmocka_unit_test(outputs_notes_of_columns),
		cmocka_unit_test(outputs_all_failed),
		cmocka_unit_test(outputs_interrupted),
		cmocka_unit_test(outputs_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, outputs_setup, outputs_teardown);
}
