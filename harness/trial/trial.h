/* SPDX-License-Identifier: BSD-2-Clause */
/* One trial in an open lab, in strict order: policy, device, CPU probe, server,
 * a stranger's attempt, first counters, client, samples, window, quiet second,
 * last counters, checks. watch.c waits for the events, checks.c judges, window.c
 * computes the figures, trial_line.c puts it all on one line. */
#ifndef HARNESS_TRIAL_H
#define HARNESS_TRIAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "harness/device/device.h"
#include "harness/trial/load.h"
#include "harness/plan.h"
#include "harness/policy.h"
#include "harness/progress.h"
#include "harness/trial/sample.h"

enum trial_state { TRIAL_OK, TRIAL_FAILED, TRIAL_INTERRUPTED, TRIAL_UNSUPPORTED };
/* The word in trials.jsonl. */
const char *trial_state_word(enum trial_state state);

struct trial {
	const struct trial_plan *plan;
	const struct row *row;
	const struct settings *settings;
	const struct lab *lab;
	struct progress *progress;

	enum trial_state state;
	char reason[512];              /* why it is not ok; the first reason stands */
	bool invalid;                  /* counters that do not add up, saturation not reached */
	char started[24];

	struct policy policy;
	struct device device;
	struct load load;
	struct cpu_probe *probe;

	struct reading base;           /* before the first connection */
	struct reading last;           /* of the sample before */
	struct reading window[2];      /* at the window's ends */
	struct reading final;          /* after the quiet second */
	bool opened, measuring, measured, settled; /* base, window[0], window[1], final are there */
	uint64_t window_end_ns;
	json_t *stats_base, *stats_window[2], *stats_final; /* the device's, NULL: not asked */
	json_t *connected;             /* the client's event */
	double rate_now_bps;           /* of the client's last interval; NAN */

	bool stranger_tried, stranger_passed;
	FILE *samples;
	char *samples_text;
	size_t samples_size;
	json_t *checks;
};

/* Does the policy apply, that is: is there a firewall and not its empty form? */
bool trial_policed(const struct trial *trial);
/* The first reason stands, later ones are dropped. */
void trial_fail(struct trial *trial, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Runs it. trial: plan, row, settings, lab and progress filled in, else zero.
 * Free with trial_free. What went wrong is in state and reason. */
void trial_run(struct trial *trial);
/* The line for trials.jsonl, new reference. */
json_t *trial_record(const struct trial *trial);
void trial_free(struct trial *trial);

/* watch.c: from the client's start to both ends' last word. */
void trial_watch(struct trial *trial);
/* checks.c: fills trial->checks, and state and reason by them. */
void trial_check(struct trial *trial);

#endif
