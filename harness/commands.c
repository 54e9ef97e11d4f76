/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/commands.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/exit.h"
#include "common/log.h"
#include "common/own.h"
#include "harness/places.h"
#include "harness/plan.h"
#include "harness/probe/probe.h"
#include "harness/report/report.h"
#include "harness/run.h"
#include "harness/scenario/keys.h"

static void scenario_drop(struct scenario **scenario)
{
	scenario_free(*scenario);
}

#define WIDTH_DEFAULT 120

/* Columns of the table: those of the terminal behind stdout; where it is none,
 * $COLUMNS (0: no limit), else as many as a page takes. */
static unsigned table_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	unsigned long width;
	char *end;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	if (!columns || !isdigit((unsigned char)*columns))
		return WIDTH_DEFAULT;
	width = strtoul(columns, &end, 10);
	return *end || width > UINT_MAX ? WIDTH_DEFAULT : (unsigned)width;
}

static int load_plan(const struct options *options, struct scenario **scenario, struct plan *plan)
{
	OWN_MEM char *path = place_scenario(options->operand);
	const struct overrides overrides = { .set = options->set, .devices = options->devices };

	if (!path || scenario_load(path, &overrides, scenario))
		return EXIT_USAGE;
	return plan_make(*scenario, plan) ? EXIT_RUN_FAILED : 0;
}

int command_check(const struct options *options)
{
	__attribute__((cleanup(scenario_drop))) struct scenario *scenario = NULL;
	struct lab_host host = { 0 };
	struct plan plan;
	int code;

	if (options->schema) {
		json_t *schema = keys_schema();

		json_dumpf(schema, stdout, JSON_INDENT(1));
		putchar('\n');
		json_decref(schema);
		return EXIT_PASS;
	}
	code = load_plan(options, &scenario, &plan);
	if (code)
		return code;
	/* A scenario is right or wrong wherever it is checked: no lab, no answer
	 * about what runs here, but the plan all the same. */
	if (!lab_enter(&host))
		plan_ask(&plan, &host);
	plan_print(&plan, options->json);
	plan_free(&plan);
	return EXIT_PASS;
}

/* Report files, then the table (or JSON) on stdout and the report's path last. */
static int print_report(const char *folder, const struct options *options)
{
	int err = report_write(folder);

	if (err == -ENOENT) /* no results there, which is said already */
		return EXIT_USAGE;
	if (options->json)
		return report_print_json(folder, stdout) || err ? EXIT_RUN_FAILED : EXIT_PASS;
	if (report_print(folder, stdout, table_width()) || err)
		return EXIT_RUN_FAILED;
	printf("%s/report.html\n", folder);
	return EXIT_PASS;
}

int command_run(const struct options *options)
{
	const struct run_options run = { .output = options->output, .quiet = options->quiet };
	__attribute__((cleanup(scenario_drop))) struct scenario *scenario = NULL;
	OWN_MEM char *folder = NULL;
	struct lab_host host = { 0 };
	struct plan plan;
	int code, reported;

	if (options->dry_run)
		return command_check(options);
	code = load_plan(options, &scenario, &plan);
	if (code)
		return code;
	if (lab_enter(&host)) {
		plan_free(&plan);
		return EXIT_MISSING;
	}
	plan_ask(&plan, &host);
	code = run_plan(&plan, &run, &host, &folder);
	if (folder) {
		reported = print_report(folder, options);
		if (!code && reported)
			code = EXIT_RUN_FAILED;
	}
	plan_free(&plan);
	return code;
}

int command_report(const struct options *options)
{
	OWN_MEM char *newest = options->operand ? NULL : place_newest_result();
	const char *folder = options->operand ? options->operand : newest;
	OWN_FD int fd = -1;

	if (!folder)
		return EXIT_USAGE;
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || faccessat(fd, ".", X_OK, 0))
		return log_err(EXIT_USAGE, "report: %s: %s", folder, strerror(errno));
	return print_report(folder, options);
}

int command_clean(const struct options *options)
{
	unsigned removed = 0;
	int err = lab_clean(options->dry_run, &removed);

	printf("%u thing%s %s\n", removed, removed == 1 ? "" : "s",
	       options->dry_run ? "left by dead runs" : "left by dead runs, put right");
	return err ? EXIT_RUN_FAILED : EXIT_PASS;
}

static void doctor_print(const json_t *rows)
{
	int width = 0;
	size_t i;
	json_t *row;

	json_array_foreach(rows, i, row) {
		int n = (int)json_string_length(json_object_get(row, "name"));

		width = n > width ? n : width;
	}
	json_array_foreach(rows, i, row) {
		const char *why = json_string_value(json_object_get(row, "why"));
		const char *way_out = json_string_value(json_object_get(row, "way_out"));
		bool ok = json_is_true(json_object_get(row, "ok"));

		printf("%-3s  %-*s  %s%s%s\n", ok ? "yes" : "no", width,
		       json_string_value(json_object_get(row, "name")),
		       json_string_value(json_object_get(row, "needed_for")), why ? ": " : "",
		       why ? why : "");
		if (!ok && way_out)
			printf("     %-*s  -> %s\n", width, "", way_out);
	}
}

int command_doctor(const struct options *options)
{
	struct lab_host host = { 0 };
	bool missing = false;
	json_t *rows, *row;
	size_t i;

	lab_enter(&host);
	rows = doctor_read(&host);
	json_array_foreach(rows, i, row)
		missing |= !json_is_true(json_object_get(row, "ok"));
	if (options->json) {
		json_dumpf(rows, stdout, JSON_INDENT(1));
		putchar('\n');
	} else {
		doctor_print(rows);
	}
	json_decref(rows);
	return missing ? EXIT_MISSING : EXIT_PASS;
}
