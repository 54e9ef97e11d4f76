/* SPDX-License-Identifier: BSD-2-Clause */
/* A results folder in memory: what store.c could read of it. Every part may be
 * missing; the formats stand in HACKING.md and fwbench-results(5). */
#ifndef HARNESS_REPORT_RESULT_H
#define HARNESS_REPORT_RESULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum trial_state { TRIAL_OK, TRIAL_FAILED, TRIAL_INTERRUPTED, TRIAL_UNSUPPORTED };

struct trial {
	json_t *record;          /* the line of trials.jsonl, owned */
	unsigned trial, row, repetition;
	enum trial_state state;
	int baseline_row;        /* -1: none */
	int empty_row;           /* -1: none */
	bool hidden;
};

/* One line of samples.csv; NAN where the field is empty. */
struct sample {
	unsigned trial;
	bool omitted;
	double time_s;
	double interface_rx_bytes_per_s, interface_tx_bytes_per_s;
	double interface_rx_pps, interface_tx_pps;
	double generator_bps;
	double device_cpu_share, generator_cpu_share, steal_share;
};

struct result {
	char *folder;
	struct trial *trials;
	size_t trial_count;
	struct sample *samples;
	size_t sample_count;
	json_t *environment;     /* NULL: not there or not readable */
	char *scenario;          /* text of scenario.yaml, or NULL */
	unsigned damaged;        /* lines of trials.jsonl that are not a trial */
};

/* Reads the folder. Files that are missing, empty or cut are taken as far as they
 * go; only a folder that holds none of them is an error. Returns 0 or -errno,
 * logged. Free with result_free. */
int result_read(const char *folder, struct result *out);
void result_free(struct result *result);

extern const char *const trial_state_names[];

/* A number at path "rate.interface_bytes_per_s" of the record; NAN if it is
 * missing, null or not a number. */
double trial_number(const struct trial *trial, const char *path);
/* Text at the path, or NULL. */
const char *trial_text(const struct trial *trial, const char *path);
/* The key's value as text ("200", "fwref"), "-" for null or missing; the text
 * is in out. */
const char *trial_key(const struct trial *trial, const char *column, char *out, size_t size);
/* The device's name: the matrix column, else the device's own record, else "-". */
const char *trial_device(const struct trial *trial);

/* The scalar at a dotted path of scenario.yaml ("lab.segmentation-offload") into
 * out, which is returned; NULL if it is not there or no scalar. */
char *result_setting(const struct result *result, const char *path, char *out, size_t size);
/* Title of the scenario, never NULL; the text is in out. */
const char *result_title(const struct result *result, char *out, size_t size);

#endif
