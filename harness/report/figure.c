/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/figure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/child.h"
#include "common/log.h"
#include "common/own.h"

#define FIGURE_TIMEOUT_MS 120000

/* Where the scripts are: beside a source tree's build folder, or installed. */
static char *figure_scripts(void)
{
	static const char *const beside[] = { "/../plots", "/../../plots", "/../share/fwbench/plots" };
	const char *share = getenv("FWBENCH_SHARE");
	char self[4096], *slash, *path = NULL;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i <= ARRAY_LEN(beside); i++) {
		OWN_MEM char *probe = NULL;

		if (!i && !share)
			continue;
		if (asprintf(&path, "%s%s", i ? self : share, i ? beside[i - 1] : "/plots") < 0)
			return NULL;
		if (asprintf(&probe, "%s/style.gp", path) < 0)
			return probe = NULL, free(path), NULL;
		if (!access(probe, R_OK))
			return path;
		free(path);
	}
	return NULL;
}

FILE *figure_open(const struct summary *summary, const struct figure *figure)
{
	OWN_MEM char *path = NULL;
	FILE *file;

	if (asprintf(&path, "%s/plots/%s.dat", summary->result.folder, figure->name) < 0)
		return path = NULL, NULL;
	file = fopen(path, "we");
	if (!file)
		log_err(0, "%s: cannot write: %s", path, strerror(errno));
	return file;
}

static void figure_note(struct figure *figure, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void figure_note(struct figure *figure, const char *fmt, ...)
{
	va_list ap;

	if (*figure->note)
		return;
	va_start(ap, fmt);
	vsnprintf(figure->note, sizeof(figure->note), fmt, ap);
	va_end(ap);
}

/* gnuplot's single-quoted string: nothing is special but the quote itself. */
static void figure_quoted(FILE *out, const char *name, const char *folder, const char *file,
			  const char *end)
{
	const char *const parts[] = { folder, file, end };

	fprintf(out, "%s = '", name);
	for (size_t i = 0; i < 3; i++) {
		for (const char *p = parts[i]; *p; p++) {
			if (*p == '\'')
				putc('\'', out);
			putc(*p, out);
		}
	}
	fputs("'\n", out);
}

/* All ready figures of the range in one language, as one script. */
static char *figure_script(const struct summary *s, const struct figures *figures, size_t from, size_t to,
			   const char *scripts, const char *kind)
{
	char *text = NULL, end[16];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	snprintf(end, sizeof(end), ".%s.tmp", kind);
	for (size_t i = from; i < to; i++) {
		const struct figure *f = &figures->figure[i];

		if (!f->ready)
			continue;
		fprintf(out, "reset\nkind = '%s'\nwidth = %d\nheight = %u\n", kind, f->trial ? 380 : 760,
			f->height_px);
		figure_quoted(out, "data", s->result.folder, "/plots/", "");
		fprintf(out, "data = data . '%s.dat'\n", f->name);
		figure_quoted(out, "output", s->result.folder, "/plots/", "");
		fprintf(out, "output = output . '%s%s'\n%s", f->name, end, f->settings);
		figure_quoted(out, "scripts", scripts, "/", "");
		fprintf(out, "load scripts . 'style.gp'\nload scripts . '%s'\n", f->script);
	}
	fclose(out);
	return text;
}

/* Is the file there and whole? An SVG ends in its closing tag. */
static bool figure_whole(const char *path, const char *kind)
{
	OWN_FILE FILE *file = fopen(path, "re");
	char tail[64] = "";
	size_t n;

	if (!file || fseek(file, 0, SEEK_END) || ftell(file) < 64)
		return false;
	if (strcmp(kind, "svg"))
		return true;
	fseek(file, -32, SEEK_END);
	n = fread(tail, 1, sizeof(tail) - 1, file);
	tail[n] = '\0';
	return strstr(tail, "</svg>") != NULL;
}

/* Moves what gnuplot wrote into place; what it did not, is taken away, so that
 * no figure of an earlier report stands for it. */
static bool figure_settle(const struct summary *s, const struct figure *figure, const char *kind, bool made)
{
	OWN_MEM char *path = NULL;
	OWN_MEM char *temporary = NULL;

	if (asprintf(&path, "%s/plots/%s.%s", s->result.folder, figure->name, kind) < 0)
		return path = NULL, false;
	if (asprintf(&temporary, "%s.tmp", path) < 0)
		return temporary = NULL, false;
	if (made && figure_whole(temporary, kind) && !rename(temporary, path))
		return true;
	unlink(temporary);
	unlink(path);
	return false;
}

/* The first line of what gnuplot said that is a message, "" if none: before an
 * error it repeats the command, with a mark under the place. */
static const char *figure_complaint(char *text)
{
	char *first = "";

	for (char *line; text && (line = strsep(&text, "\n"));) {
		line += strspn(line, " \t^");
		if (strstr(line, "warning:") || (strstr(line, " line ") && strchr(line, ':')))
			return line;
		first = *first ? first : line;
	}
	return first;
}

/* Draws a range of figures in one language by one gnuplot. An error ends the
 * script at the figure it is in: that one is told why, and the number of the one
 * after it returned, from where it can go on; to if all were tried. */
static size_t figure_run(const struct summary *s, struct figures *figures, size_t from, size_t to,
			 const char *scripts, const char *kind)
{
	OWN_MEM char *input = figure_script(s, figures, from, to, scripts, kind);
	OWN_MEM char *err = NULL;
	const char *argv[] = { "gnuplot", "-d", "/dev/stdin", NULL }, *why;
	struct child_options options = { .argv = argv, .input = input, .netns_fd = -1, .quiet = true };
	int code = input && *input ? child_run(&options, FIGURE_TIMEOUT_MS, NULL, &err) : 0;

	why = code == -ENOENT ? "gnuplot is not installed (Debian: gnuplot-nox)" :
	      code == -ETIMEDOUT ? "gnuplot did not end in time" : figure_complaint(err);
	for (size_t i = from; i < to; i++) {
		struct figure *f = &figures->figure[i];
		bool done = figure_settle(s, f, kind, f->ready && code >= 0);

		if (!strcmp(kind, "svg"))
			f->drawn = done;
		if (!f->ready || done)
			continue;
		figure_note(f, "no %s figure: %s", kind, *why ? why : "gnuplot wrote none");
		/* What gnuplot said stands in the report, not among what we say. */
		if (!figures->failed++)
			log_warn("figure %s: no %s: %s", f->name, kind, code < 0 ? why : "the report has a note");
		f->ready = code != -ENOENT;
		if (code > 0)
			return i + 1;
	}
	return to;
}

static int figures_list(const struct summary *s, struct figures *out)
{
	static const char *const names[] = { "rate", "cost" };
	size_t n = 0;

	*out = (struct figures){ .figure = calloc(FIGURE_TRIALS + s->result.trial_count, sizeof(*out->figure)) };
	if (!out->figure)
		return -ENOMEM;
	for (; n < FIGURE_TRIALS; n++) {
		snprintf(out->figure[n].name, sizeof(out->figure[n].name), "%s", names[n]);
		snprintf(out->figure[n].script, sizeof(out->figure[n].script), "%s.gp", names[n]);
	}
	for (size_t i = 0; i < s->result.trial_count; i++) {
		struct figure *f = &out->figure[n];

		if (s->result.trials[i].hidden)
			continue;
		n++;
		f->trial = &s->result.trials[i];
		snprintf(f->name, sizeof(f->name), "trial-%03u", f->trial->trial);
		snprintf(f->script, sizeof(f->script), "trial.gp");
	}
	out->count = n;
	return 0;
}

static void figures_data(const struct summary *s, struct figures *figures)
{
	for (size_t i = 0; i < figures->count; i++) {
		struct figure *f = &figures->figure[i];
		int code = i == FIGURE_RATE ? figure_bars(s, f, MEASURE_RATE) :
			   i == FIGURE_COST ? figure_bars(s, f, MEASURE_PER_GIGABIT) :
					      figure_trial(s, f);

		if (code < 0)
			figure_note(f, "no figure: its data could not be written");
		f->ready = code > 0;
	}
}

int figures_draw(const struct summary *s, struct figures *out)
{
	static const char *const kinds[] = { "svg", "png" };
	OWN_MEM char *scripts = figure_scripts();
	OWN_MEM char *folder = NULL;

	if (figures_list(s, out) || asprintf(&folder, "%s/plots", s->result.folder) < 0)
		return folder = NULL, log_err(-ENOMEM, "not enough memory for the figures");
	if (mkdir(folder, 0777) && errno != EEXIST) {
		for (size_t i = 0; i < out->count; i++)
			figure_note(&out->figure[i], "no figure: %s: %s", folder, strerror(errno));
		return log_err(-errno, "%s: cannot make the folder: %s", folder, strerror(errno));
	}
	figures_data(s, out);
	for (size_t i = 0; i < out->count && !scripts; i++) {
		figure_note(&out->figure[i], "no figure: the folder plots/ of fwbench was not found; set FWBENCH_SHARE");
		out->figure[i].ready = false;
	}
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		for (size_t at = 0; at < out->count;)
			at = figure_run(s, out, at, out->count, scripts ? scripts : "", kinds[k]);
	return 0;
}

void figures_free(struct figures *figures)
{
	free(figures->figure);
	*figures = (struct figures){ 0 };
}

const struct figure *figures_of_trial(const struct figures *figures, const struct trial *trial)
{
	for (size_t i = FIGURE_TRIALS; i < figures->count; i++)
		if (figures->figure[i].trial == trial)
			return &figures->figure[i];
	return NULL;
}
