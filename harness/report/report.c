/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/report/outputs.h"

struct report {
	struct summary summary;
	struct grid grid;
	struct figures figures;
};

static void report_csv(const struct report *r, FILE *out) { csv_write(&r->summary, out); }
static void report_json(const struct report *r, FILE *out) { json_write(&r->summary, out); }

static void report_markdown(const struct report *r, FILE *out)
{
	markdown_write(&r->summary, &r->grid, &r->figures, out);
}

static void report_html(const struct report *r, FILE *out)
{
	html_write(&r->summary, &r->grid, &r->figures, out);
}

static const struct report_file {
	const char *name;
	void (*write)(const struct report *report, FILE *out);
} report_files[] = {
	{ "summary.csv", report_csv },
	{ "summary.json", report_json },
	{ "report.md", report_markdown },
	{ "report.html", report_html },
};

/* Under a temporary name first: a full disk leaves the former file as it was. */
static int report_file(const struct report *r, const struct report_file *file)
{
	OWN_MEM char *path = NULL;
	OWN_MEM char *temporary = NULL;
	FILE *out;
	bool failed;

	if (asprintf(&path, "%s/%s", r->summary.result.folder, file->name) < 0)
		return path = NULL, -ENOMEM;
	if (asprintf(&temporary, "%s.tmp", path) < 0)
		return temporary = NULL, -ENOMEM;
	out = fopen(temporary, "we");
	if (!out)
		return log_err(-errno, "%s: cannot write: %s", temporary, strerror(errno));
	errno = 0;
	file->write(r, out);
	failed = ferror(out) != 0;
	failed |= fclose(out) != 0;
	if (failed || rename(temporary, path)) {
		int code = errno ? errno : EIO;

		unlink(temporary);
		return log_err(-code, "%s: cannot write: %s", path, strerror(code));
	}
	return 0;
}

static int report_read(const char *folder, struct report *r)
{
	int code = summary_read(folder, &r->summary);

	if (code)
		return code;
	code = grid_make(&r->summary, &r->grid);
	if (code)
		summary_free(&r->summary);
	return code;
}

static void report_free(struct report *r)
{
	figures_free(&r->figures);
	grid_free(&r->grid);
	summary_free(&r->summary);
}

int report_write(const char *folder)
{
	/* One at a time: another report of the same folder uses the same names. */
	OWN_FD int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct report r = { 0 };
	int code, one;

	if (lock >= 0)
		flock(lock, LOCK_EX);
	code = report_read(folder, &r);
	if (code)
		return code;
	/* A figure's failure stands as a note in the report and is none of the run. */
	figures_draw(&r.summary, &r.figures);
	for (size_t i = 0; i < ARRAY_LEN(report_files); i++) {
		one = report_file(&r, &report_files[i]);
		code = code ? code : one;
	}
	report_free(&r);
	return code;
}

int report_print(const char *folder, FILE *out, unsigned width)
{
	struct report r = { 0 };
	int code = report_read(folder, &r);

	if (code)
		return code;
	code = table_write(&r.summary, &r.grid, out, width);
	report_free(&r);
	return code;
}

int report_print_json(const char *folder, FILE *out)
{
	struct summary summary;
	int code = summary_read(folder, &summary);

	if (code)
		return code;
	json_write(&summary, out);
	if (ferror(out) || fflush(out))
		code = log_err(-EIO, "cannot write the summary");
	summary_free(&summary);
	return code;
}
