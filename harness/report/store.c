/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/result.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"

const char *const trial_state_names[] = {
	[TRIAL_OK] = "ok",
	[TRIAL_FAILED] = "failed",
	[TRIAL_INTERRUPTED] = "interrupted",
	[TRIAL_UNSUPPORTED] = "unsupported",
};

/* The whole file with a NUL behind it in *out, NULL if there is none. 0 or -errno:
 * what is there and cannot be read is not taken for missing. */
static int store_file(const char *folder, const char *name, char **out)
{
	OWN_MEM char *path = NULL;
	OWN_MEM char *text = NULL;
	OWN_FILE FILE *file = NULL;
	size_t size = 0, used = 0;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return path = NULL, -ENOMEM;
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT ? 0 : log_err(-errno, "%s: %s", path, strerror(errno));
	for (;;) {
		if (size - used < 65536) {
			char *grown = realloc(text, size = size * 2 + 65537);

			if (!grown)
				return log_err(-ENOMEM, "%s: not enough memory", path);
			text = grown;
		}
		size_t n = fread(text + used, 1, size - used - 1, file);
		used += n;
		if (!n)
			break;
	}
	if (ferror(file))
		return log_err(-EIO, "%s: cannot be read", path);
	text[used] = '\0';
	*out = TAKE_PTR(text);
	return 0;
}

/* Cuts the next whole line out of *text. A last line without its newline was
 * being written when the run died: it is not returned. */
static char *store_line(char **text)
{
	char *line = *text, *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	if (end > line && end[-1] == '\r')
		end[-1] = '\0';
	*text = end + 1;
	return line;
}

static bool store_unsigned(const json_t *record, const char *name, unsigned *out)
{
	const json_t *value = json_object_get(record, name);

	if (!json_is_integer(value) || json_integer_value(value) < 0 ||
	    json_integer_value(value) > 1000000000)
		return false;
	*out = (unsigned)json_integer_value(value);
	return true;
}

static int store_row(const json_t *record, const char *name)
{
	unsigned row;

	return store_unsigned(record, name, &row) ? (int)row : -1;
}

/* Fills *out from one line. A state of a later version counts as failed: it is
 * listed, and stays out of the means. */
static bool store_trial(const char *line, struct trial *out)
{
	json_t *record = json_loads(line, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	const char *state = json_string_value(json_object_get(record, "state"));
	struct trial t = { .record = record, .state = TRIAL_FAILED };

	if (!state || !store_unsigned(record, "row", &t.row)) {
		json_decref(record);
		return false;
	}
	for (size_t i = 0; i < ARRAY_LEN(trial_state_names); i++)
		if (!strcmp(trial_state_names[i], state))
			t.state = (enum trial_state)i;
	store_unsigned(record, "trial", &t.trial);
	store_unsigned(record, "repetition", &t.repetition);
	t.baseline_row = store_row(record, "baseline_row");
	t.empty_row = store_row(record, "empty_row");
	t.hidden = json_is_true(json_object_get(record, "hidden"));
	*out = t;
	return true;
}

static int store_trials(char *text, struct result *out)
{
	size_t room = 0;
	char *line;

	while ((line = store_line(&text))) {
		if (out->trial_count == room) {
			struct trial *grown = realloc(out->trials, (room = room * 2 + 32) * sizeof(*grown));

			if (!grown)
				return -ENOMEM;
			out->trials = grown;
		}
		if (!*line)
			continue;
		if (store_trial(line, &out->trials[out->trial_count]))
			out->trial_count++;
		else
			out->damaged++;
	}
	return 0;
}

/* Where each column of samples.csv goes. Columns are found by their names in
 * the header, so that a later version may add some. */
static const struct sample_column {
	const char *name;
	size_t offset;
} sample_columns[] = {
	{ "time_s", offsetof(struct sample, time_s) },
	{ "interface_rx_bytes_per_s", offsetof(struct sample, interface_rx_bytes_per_s) },
	{ "interface_tx_bytes_per_s", offsetof(struct sample, interface_tx_bytes_per_s) },
	{ "interface_rx_pps", offsetof(struct sample, interface_rx_pps) },
	{ "interface_tx_pps", offsetof(struct sample, interface_tx_pps) },
	{ "generator_bps", offsetof(struct sample, generator_bps) },
	{ "device_cpu_share", offsetof(struct sample, device_cpu_share) },
	{ "generator_cpu_share", offsetof(struct sample, generator_cpu_share) },
	{ "steal_share", offsetof(struct sample, steal_share) },
};

static double store_field(const char *field)
{
	char *end;
	double value = strtod(field, &end);

	return end == field || *end || !isfinite(value) ? NAN : value;
}

static bool store_sample(char *line, char *const *header, size_t columns, struct sample *out)
{
	*out = (struct sample){ 0 };
	for (size_t i = 0; i < ARRAY_LEN(sample_columns); i++)
		*(double *)((char *)out + sample_columns[i].offset) = NAN;
	for (size_t c = 0; c < columns; c++) {
		char *field = strsep(&line, ",");

		if (!field)
			return false;
		if (!strcmp(header[c], "trial"))
			out->trial = (unsigned)strtoul(field, NULL, 10);
		if (!strcmp(header[c], "omitted"))
			out->omitted = !strcmp(field, "1") || !strcmp(field, "true");
		for (size_t i = 0; i < ARRAY_LEN(sample_columns); i++)
			if (!strcmp(header[c], sample_columns[i].name))
				*(double *)((char *)out + sample_columns[i].offset) = store_field(field);
	}
	return out->trial && isfinite(out->time_s);
}

static int store_samples(char *text, struct result *out)
{
	char *header[32], *names = store_line(&text), *line;
	size_t columns = 0, room = 0;

	while (names && columns < ARRAY_LEN(header))
		header[columns++] = strsep(&names, ",");
	while ((line = store_line(&text))) {
		if (out->sample_count == room) {
			struct sample *grown = realloc(out->samples, (room = room * 2 + 256) * sizeof(*grown));

			if (!grown)
				return -ENOMEM;
			out->samples = grown;
		}
		out->sample_count += store_sample(line, header, columns, &out->samples[out->sample_count]);
	}
	return 0;
}

int result_read(const char *folder, struct result *out)
{
	struct result r = { .folder = strdup(folder) };
	OWN_MEM char *trials = NULL;
	OWN_MEM char *samples = NULL;
	OWN_MEM char *environment = NULL;
	struct { const char *name; char **text; } const files[] = {
		{ "trials.jsonl", &trials }, { "samples.csv", &samples },
		{ "environment.json", &environment }, { "scenario.yaml", &r.scenario },
	};
	OWN_DIR DIR *dir = opendir(folder);
	int code = 0;

	if (!dir || !r.folder) {
		code = -errno;
		free(r.folder);
		return log_err(code, "%s: cannot read the results: %s", folder, strerror(-code));
	}
	for (size_t i = 0; !code && i < ARRAY_LEN(files); i++)
		code = store_file(folder, files[i].name, files[i].text);
	if (!code && !trials && !environment && !r.scenario)
		code = log_err(-ENOENT, "%s: no results of fwbench in it (trials.jsonl, scenario.yaml)", folder);
	if (code) {
		result_free(&r);
		return code;
	}
	r.environment = environment ? json_loads(environment, 0, NULL) : NULL;
	code = trials ? store_trials(trials, &r) : 0;
	if (!code && samples)
		code = store_samples(samples, &r);
	if (code) {
		result_free(&r);
		return log_err(code, "%s: not enough memory for the results", folder);
	}
	*out = r;
	return 0;
}

void result_free(struct result *r)
{
	for (size_t i = 0; i < r->trial_count; i++)
		json_decref(r->trials[i].record);
	free(r->trials);
	free(r->samples);
	free(r->folder);
	free(r->scenario);
	json_decref(r->environment);
	*r = (struct result){ 0 };
}
