/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/results.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/own.h"
#include "harness/trial/sample.h"
#include "tests/unit/skip.h"

static char folder[] = "/tmp/results-test-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static char *text_of(const char *name)
{
	char path[128];
	char *text = calloc(1, 1 << 20);
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	in = fopen(path, "r");
	if (in) {
		assert_true(fread(text, 1, (1 << 20) - 1, in) < 1 << 20);
		fclose(in);
	}
	return text;
}

static void slug(void **state)
{
	char out[16];

	(void)state;
	assert_string_equal(results_slug(out, sizeof(out), "A B,  c!"), "a-b-c");
	assert_string_equal(results_slug(out, sizeof(out), "../../x"), "x");
	assert_string_equal(results_slug(out, sizeof(out), "\303\244"), "");
	assert_string_equal(results_slug(out, sizeof(out), "0123456789abcdefghij"), "0123456789abcde");
}

static void grows_by_whole_lines(void **state)
{
	struct results r;
	json_t *trial = json_pack("{s:i, s:f}", "trial", 1, "x", 0.5);
	char *text;

	(void)state;
	assert_int_equal(results_open(&r, folder, "title", "id"), 0);
	assert_int_equal(results_file(&r, "environment.json", "{}"), 0);
	assert_int_equal(results_trial(&r, trial, "1,2\n1,3\n"), 0);
	assert_int_equal(results_trial(&r, trial, NULL), 0);
	results_close(&r);
	text = text_of("trials.jsonl");
	assert_string_equal(text, "{\"trial\":1,\"x\":0.5}\n{\"trial\":1,\"x\":0.5}\n");
	free(text);
	text = text_of("samples.csv");
	assert_memory_equal(text, sample_head, strlen(sample_head));
	assert_string_equal(text + strlen(sample_head), "1,2\n1,3\n");
	free(text);
	text = text_of("environment.json");
	assert_string_equal(text, "{}");
	free(text);
	json_decref(trial);
}

/* What is written into a removed file is lost: said at once, not after hours. */
static void a_removed_file_is_an_error(void **state)
{
	static const char *const names[] = { "trials.jsonl", "samples.csv" };
	json_t *trial = json_pack("{s:i}", "trial", 1);

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct results r;
		char path[512];

		snprintf(path, sizeof(path), "%s/%zu", folder, i);
		assert_int_equal(results_open(&r, path, "title", "id"), 0);
		assert_int_equal(unlinkat(r.folder_fd, names[i], 0), 0);
		assert_int_equal(results_trial(&r, trial, "1,1\n"), -ENOENT);
		results_close(&r);
	}
	json_decref(trial);
}

static void leaves_other_results_alone(void **state)
{
	struct results r;

	(void)state;
	assert_int_equal(results_open(&r, folder, "title", "id"), 0);
	results_close(&r);
	assert_int_equal(results_open(&r, folder, "title", "id"), -EEXIST);
	results_close(&r);
}

/* In a child, with a small tmpfs of its own over the folder. Returns 0 when all
 * is as it should be, else the number of the step that was not. */
static int full_disk(void)
{
	struct results r;
	char big[8192];
	json_t *trial, *small = json_pack("{s:i}", "trial", 1);
	struct stat before, after;
	int code = 0;

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", folder, "tmpfs", 0, "size=64k"))
		return 1;
	if (results_open(&r, folder, "title", "id") || results_trial(&r, small, "1,1\n"))
		return 2;
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	trial = json_pack("{s:s}", "text", big);
	for (int i = 0; i < 100 && !code; i++) {
		if (fstat(r.trials_fd, &before))
			return 3;
		code = results_trial(&r, trial, "2,2\n");
	}
	if (code != -ENOSPC)
		return 4;
	if (fstat(r.trials_fd, &after) || after.st_size != before.st_size)
		return 5;
	/* The samples of the trial that is not there are gone too. */
	char *samples = text_of("samples.csv"), *trials = text_of("trials.jsonl");
	size_t lines[2] = { 0, 0 };

	for (char *p = samples; *p; p++)
		lines[0] += *p == '\n';
	for (char *p = trials; *p; p++)
		lines[1] += *p == '\n';
	if (lines[0] != lines[1] + 1 || trials[strlen(trials) - 1] != '\n')
		return 6;
	free(samples);
	free(trials);
	json_decref(trial);
	json_decref(small);
	results_close(&r);
	return 0;
}

static void a_full_disk_takes_the_partial_line_back(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	SKIP_UNLESS_ROOT();
	pid = fork();
	if (!pid)
		_exit(full_disk());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slug),
		cmocka_unit_test_setup_teardown(grows_by_whole_lines, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(a_removed_file_is_an_error, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(leaves_other_results_alone, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(a_full_disk_takes_the_partial_line_back, make_folder,
						remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
