/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "common/clock.h"
#include "common/exit.h"
#include "common/log.h"
#include "common/own.h"
#include "harness/device/device.h"
#include "harness/probe/probe.h"
#include "harness/progress.h"
#include "harness/results.h"
#include "harness/stop.h"
#include "harness/trial/trial.h"

struct run {
	const struct plan *plan;
	const struct lab_host *host;
	struct results results;
	struct progress progress;
	char id[16], started[24];
	bool described;                /* environment.json is there */
	bool interrupted, invalid;
	unsigned ran, failed;
	int error;                     /* the results could not be kept: -errno */
};

static void run_name(struct run *run)
{
	uint32_t random = 0;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		random = (uint32_t)clock_now_ns();
	snprintf(run->id, sizeof(run->id), "%06x", random & 0xffffff);
}

/* environment.json, with the lab as it is (NULL: none could be opened) and what
 * the plan holds, so that a report can tell what an interrupted run lacks. */
static int run_describe(struct run *run, const struct lab *lab)
{
	const struct plan *plan = run->plan;
	json_t *environment = environment_read(lab);
	OWN_MEM char *text = NULL;

	if (!json_is_object(environment)) {
		json_decref(environment);
		environment = json_object();
	}
	json_object_set_new(environment, "run",
			    json_pack("{s:s, s:s, s:s, s:I, s:i, s:i, s:i}", "title",
				      scenario_title(plan->scenario), "id", run->id, "started", run->started,
				      "seed", (json_int_t)plan->seed, "rows", (int)plan->row_count,
				      "repetitions", (int)plan->repetitions, "trials", (int)plan->trial_count));
	text = json_dumps(environment, JSON_INDENT(1));
	json_decref(environment);
	run->described = true;
	return text ? results_file(&run->results, "environment.json", text) : -ENOMEM;
}

static int run_open(struct run *run, const char *output)
{
	OWN_MEM char *scenario = scenario_resolved(run->plan->scenario);
	int code = results_open(&run->results, output, scenario_title(run->plan->scenario), run->id);

	if (code)
		return code;
	return scenario ? results_file(&run->results, "scenario.yaml", scenario) : -ENOMEM;
}

static void run_keep(struct run *run, struct trial *trial)
{
	json_t *line = trial_record(trial);

	run->ran += trial->state != TRIAL_UNSUPPORTED;
	if (trial->state == TRIAL_FAILED && !trial->invalid)
		run->failed++;
	run->invalid |= trial->invalid;
	run->interrupted |= trial->state == TRIAL_INTERRUPTED;
	run->error = line ? results_trial(&run->results, line, trial->samples_text) : -ENOMEM;
	if (line)
		progress_done(&run->progress, line);
	json_decref(line);
}

/* A fresh lab a trial: connection tracking, TIME_WAIT and neighbours start empty. */
static void run_in_lab(struct run *run, struct trial *trial)
{
	struct lab lab;
	struct cores before;
	int bound = cores_allowed(&before);

	if (lab_open(&lab, run->host, trial->settings, run->id)) {
		trial_fail(trial, "no lab: %s", log_last_error());
		clock_iso8601(trial->started, sizeof(trial->started));
		run_keep(run, trial);
		return;
	}
	if (!run->described)
		run->error = run_describe(run, &lab);
	/* This program's own work is the generator's kind, never the device's. */
	if (!bound && lab.cpu_shares && lab.generator_cores.count)
		cores_bind(&lab.generator_cores);
	trial->lab = &lab;
	if (!run->error) {
		trial_run(trial);
		run_keep(run, trial);
	}
	trial_free(trial);
	lab_close(&lab);
	if (!bound)
		cores_bind(&before);
}

static void run_trial(struct run *run, const struct trial_plan *planned)
{
	const struct row *row = &run->plan->rows[planned->row];
	const struct device_kind *kind = device_find(row->settings.device.kind);
	struct trial *trial = calloc(1, sizeof(*trial));

	if (!trial) {
		run->error = log_err(-ENOMEM, "out of memory");
		return;
	}
	trial->plan = planned;
	trial->row = row;
	trial->settings = &row->settings;
	trial->progress = &run->progress;
	progress_trial(&run->progress, planned->trial, row->key, planned->repetition);
	if (!kind) {
		trial_fail(trial, "no such device: %s", row->settings.device.kind);
		run_keep(run, trial);
	} else if (lab_supports(&row->settings, run->host, trial->reason, sizeof(trial->reason)) ||
		   device_supports(kind, &row->settings, run->host, trial->reason, sizeof(trial->reason))) {
		trial->state = TRIAL_UNSUPPORTED;
		run_keep(run, trial);
	} else {
		trial->reason[0] = '\0';
		run_in_lab(run, trial);
	}
	free(trial);
}

static int run_exit_code(const struct run *run)
{
	if (run->interrupted)
		return EXIT_INTERRUPTED;
	if (run->error)
		return EXIT_RUN_FAILED;
	if (run->invalid)
		return EXIT_INVALID;
	if (run->failed)
		return EXIT_RUN_FAILED;
	return run->ran ? EXIT_PASS : EXIT_MISSING;
}

int run_plan(const struct plan *plan, const struct run_options *options, const struct lab_host *host,
	     char **folder)
{
	struct run run = { .plan = plan, .host = host };

	*folder = NULL;
	run_name(&run);
	clock_iso8601(run.started, sizeof(run.started));
	run.error = run_open(&run, options->output);
	if (run.error == -EEXIST || run.error == -ENOTDIR) {
		results_close(&run.results);
		return EXIT_USAGE;
	}
	if (!run.error)
		run.error = stop_begin();
	if (!run.error) {
		progress_open(&run.progress, plan->trial_count, plan->expected_ns, options->quiet);
		for (unsigned i = 0; i < plan->trial_count && !run.error && !run.interrupted; i++) {
			run_trial(&run, &plan->trials[i]);
			run.interrupted |= stop_asked();
		}
		if (!run.described && !run.error)
			run.error = run_describe(&run, NULL);
		progress_close(&run.progress);
		stop_over();
	}
	if (run.results.trials_fd >= 0 && run.results.folder)
		*folder = strdup(run.results.folder);
	results_close(&run.results);
	return run_exit_code(&run);
}
