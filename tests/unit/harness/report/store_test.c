/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/harness/report/folder.h"

#include <errno.h>
#include <math.h>

#include "harness/report/report.h"
#include "harness/report/result.h"

#define LINE(trial, state) "{\"trial\":" #trial ",\"row\":0,\"repetition\":1,\"state\":\"" state "\"}\n"

/* What is left of trials.jsonl is taken as far as it goes. */
static const struct {
	const char *text;
	size_t trials;
	unsigned damaged;
} rows[] = {
	{ "", 0, 0 },
	{ "\n\n", 0, 0 },
	{ LINE(1, "ok"), 1, 0 },
	{ LINE(1, "ok") "{\"trial\":2,\"row\":0,\"sta", 1, 0 },            /* killed in the middle of a line */
	{ LINE(1, "ok") "{\"trial\":2,\"row\":0,\"state\":\"ok\"}", 1, 0 }, /* whole, but not flushed as a line */
	{ LINE(1, "ok") "\r\n" LINE(2, "failed"), 2, 0 },
	{ "garbage\n" LINE(1, "ok"), 1, 1 },
	{ "[]\nnull\n7\n{}\n{\"state\":\"ok\"}\n{\"state\":\"ok\",\"row\":-1}\n", 0, 6 },
	{ "{\"row\":0,\"state\":\"ok\",\"rate\":{\"interface_bytes_per_s\":1e999}}\n", 0, 1 },
	{ "{\"row\":0,\"state\":\"ok\",\"new_in_version_9\":[1]}\n", 1, 0 },
};

static void store_trials(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *folder = folder_make();
		struct result r;

		folder_write(folder, "trials.jsonl", rows[i].text);
		assert_int_equal(result_read(folder, &r), 0);
		assert_int_equal(r.trial_count, rows[i].trials);
		assert_int_equal(r.damaged, rows[i].damaged);
		result_free(&r);
		folder_remove(folder);
	}
}

/* What is there and cannot be read is no empty run. */
static void store_unreadable(void **state)
{
	static const char *const names[] = { "trials.jsonl", "samples.csv", "environment.json", "scenario.yaml" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *folder = folder_make(), path[512];
		struct result r;

		folder_write(folder, i ? names[0] : names[1], "");
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		assert_int_equal(symlink(names[i], path), 0); /* to itself: also root cannot */
		assert_int_equal(result_read(folder, &r), -ELOOP);
		folder_remove(folder);
	}
}

static void store_states(void **state)
{
	char *folder = folder_make();
	struct result r;

	(void)state;
	folder_write(folder, "trials.jsonl", LINE(1, "ok") LINE(2, "failed") LINE(3, "interrupted")
		     LINE(4, "unsupported") LINE(5, "of a later version"));
	assert_int_equal(result_read(folder, &r), 0);
	assert_int_equal(r.trials[0].state, TRIAL_OK);
	assert_int_equal(r.trials[1].state, TRIAL_FAILED);
	assert_int_equal(r.trials[2].state, TRIAL_INTERRUPTED);
	assert_int_equal(r.trials[3].state, TRIAL_UNSUPPORTED);
	assert_int_equal(r.trials[4].state, TRIAL_FAILED);
	assert_int_equal(r.trials[0].baseline_row, -1);
	result_free(&r);
	folder_remove(folder);
}

/* Columns go by their names; an empty field is not a zero. */
static void store_samples(void **state)
{
	char *folder = folder_make();
	struct result r;

	(void)state;
	folder_write(folder, "trials.jsonl", LINE(1, "ok"));
	folder_write(folder, "samples.csv",
		     "new,omitted,trial,time_s,device_cpu_share,steal_share\n"
		     "x,1,1,0.5,,nan\nx,0,1,1.5,0.25,0\nbroken\nx,0,,1,1,1\nx,0,1,2.5,0.5,");
	assert_int_equal(result_read(folder, &r), 0);
	assert_int_equal(r.sample_count, 2);
	assert_true(r.samples[0].omitted);
	assert_true(isnan(r.samples[0].device_cpu_share));
	assert_true(isnan(r.samples[0].steal_share));
	assert_true(isnan(r.samples[1].interface_rx_bytes_per_s));
	assert_true(r.samples[1].device_cpu_share == 0.25 && r.samples[1].steal_share == 0);
	result_free(&r);
	folder_remove(folder);
}

static void store_lookups(void **state)
{
	char *folder = folder_make(), out[64];
	struct result r;

	(void)state;
	folder_write(folder, "scenario.yaml", "title: A title\nlab:\n  segmentation-offload: off\nload: {clients: 7, list: [1]}\n");
	folder_write(folder, "trials.jsonl",
		     "{\"row\":3,\"state\":\"ok\",\"key\":{\"n\":200,\"on\":true,\"none\":null,\"word\":\"x\"},"
		     "\"rate\":{\"a\":5,\"b\":null,\"c\":\"5\"}}\n");
	assert_int_equal(result_read(folder, &r), 0);
	assert_string_equal(result_setting(&r, "lab.segmentation-offload", out, sizeof(out)), "off");
	assert_string_equal(result_setting(&r, "load.clients", out, sizeof(out)), "7");
	assert_null(result_setting(&r, "load.list", out, sizeof(out)));
	assert_null(result_setting(&r, "lab.kind", out, sizeof(out)));
	assert_null(result_setting(&r, "title.x", out, sizeof(out)));
	assert_string_equal(result_title(&r, out, sizeof(out)), "A title");
	assert_true(trial_number(&r.trials[0], "rate.a") == 5);
	assert_true(isnan(trial_number(&r.trials[0], "rate.b")));
	assert_true(isnan(trial_number(&r.trials[0], "rate.c")));
	assert_true(isnan(trial_number(&r.trials[0], "rate.a.b")));
	assert_string_equal(trial_key(&r.trials[0], "n", out, sizeof(out)), "200");
	assert_string_equal(trial_key(&r.trials[0], "on", out, sizeof(out)), "on");
	assert_string_equal(trial_key(&r.trials[0], "none", out, sizeof(out)), "-");
	assert_string_equal(trial_key(&r.trials[0], "missing", out, sizeof(out)), "-");
	result_free(&r);
	folder_remove(folder);
}

/* Broken beyond use, or not ours: an error, no file made. */
static void store_errors(void **state)
{
	char *folder = folder_make();
	struct result r;

	(void)state;
	assert_int_equal(result_read("/nonexistent/folder", &r), -ENOENT);
	assert_int_equal(result_read(folder, &r), -ENOENT);
	assert_int_equal(report_write(folder), -ENOENT);
	assert_false(folder_has(folder, "summary.csv"));
	folder_write(folder, "scenario.yaml", "\t- not: [yaml\n");
	assert_int_equal(result_read(folder, &r), 0);
	assert_null(result_setting(&r, "title", (char[8]){ 0 }, 8));
	result_free(&r);
	folder_write(folder, "environment.json", "{\"cut\":");
	assert_int_equal(result_read(folder, &r), 0);
	assert_null(r.environment);
	result_free(&r);
	folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(store_trials),
		cmocka_unit_test(store_unreadable),
		cmocka_unit_test(store_states),
		cmocka_unit_test(store_samples),
		cmocka_unit_test(store_lookups),
		cmocka_unit_test(store_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
