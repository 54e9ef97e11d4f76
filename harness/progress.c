/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"

void progress_open(struct progress *p, unsigned trials, uint64_t expected_ns, bool quiet)
{
	*p = (struct progress){
		.terminal = isatty(STDERR_FILENO),
		.quiet = quiet,
		.trials = trials,
		.expected_ns = expected_ns,
		.begun_ns = clock_now_ns(),
	};
}

char *progress_name(char *out, size_t size, const json_t *key)
{
	size_t n = 0;
	const char *name;
	json_t *value;

	out[0] = '\0';
	json_object_foreach((json_t *)key, name, value) {
		char text[96];
		char *printed = NULL;

		if (json_is_null(value))
			continue;
		if (!json_is_string(value))
			printed = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
		snprintf(text, sizeof(text), "%s", printed ? printed : json_string_value(value));
		free(printed);
		if (n < size)
			n += (size_t)snprintf(out + n, size - n, "%s%s=%s", n ? " " : "", name, text);
	}
	return out;
}

uint64_t progress_left_ns(const struct progress *p, uint64_t now_ns)
{
	uint64_t used, in_trial, each;

	if (!p->trials || p->done >= p->trials)
		return 0;
	if (!p->done) {
		used = now_ns - p->begun_ns;
		return p->expected_ns > used ? p->expected_ns - used : 0;
	}
	used = p->trial_begun_ns - p->begun_ns;
	each = used / p->done;
	in_trial = now_ns - p->trial_begun_ns;
	return each * (p->trials - p->done) - (in_trial < each ? in_trial : each);
}

static unsigned progress_width(void)
{
	struct winsize size;

	return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 20 ? size.ws_col : 80;
}

/* Rewrites the line, cut to the terminal: a wrapped line could not be rewritten. */
static void progress_line(const char *text)
{
	fprintf(stderr, "\r%.*s\033[K", (int)progress_width() - 1, text);
	fflush(stderr);
}

void progress_trial(struct progress *p, unsigned trial, const json_t *key, unsigned repetition)
{
	size_t n;

	p->trial = trial;
	p->trial_begun_ns = clock_now_ns();
	progress_name(p->name, sizeof(p->name), key);
	n = strlen(p->name);
	if (repetition > 1)
		snprintf(p->name + n, sizeof(p->name) - n, " (%u)", repetition);
	progress_now(p, NAN, "setting up");
}

void progress_now(struct progress *p, double bps, const char *phase)
{
	char line[512], rate[64] = "", left[64];

	if (p->quiet || !p->terminal)
		return;
	if (isfinite(bps))
		units_print_bps(rate, sizeof(rate), bps);
	units_print_time_ns(left, sizeof(left),
			    progress_left_ns(p, clock_now_ns()) / NS_PER_S * NS_PER_S);
	snprintf(line, sizeof(line), "trial %u of %u  %s left  %s%s%s  %s", p->trial, p->trials, left,
		 rate, *rate ? "  " : "", phase, p->name);
	progress_line(line);
}

void progress_done(struct progress *p, const json_t *trial)
{
	const char *state = json_string_value(json_object_get(trial, "state"));
	const char *reason = json_string_value(json_object_get(trial, "reason"));
	const json_t *rate = json_object_get(json_object_get(trial, "rate"), "interface_bytes_per_s");
	const char *limited = json_string_value(json_object_get(trial, "limited_by"));
	char text[64] = "";
	bool ok = state && !strcmp(state, "ok");

	p->done++;
	if (p->quiet)
		return;
	if (json_is_number(rate))
		units_print_bytes_per_s(text, sizeof(text), json_number_value(rate));
	if (p->terminal && ok)
		return;
	if (p->terminal)
		progress_line("");
	if (ok && limited && strcmp(limited, "undetermined"))
		fprintf(stderr, "trial %u of %u  %s: %s, limited by %s\n", p->trial, p->trials, p->name, text,
			limited);
	else
		fprintf(stderr, "trial %u of %u  %s: %s%s%s\n", p->trial, p->trials, p->name,
			ok ? text : state ? state : "?", reason ? ": " : "", reason ? reason : "");
	fflush(stderr);
}

void progress_close(struct progress *p)
{
	if (p->terminal && !p->quiet)
		progress_line("");
}
