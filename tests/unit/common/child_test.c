/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/own.h"
#include "tests/unit/skip.h"

static struct child_options options_of(const char *const *argv)
{
	return (struct child_options){ .argv = argv, .netns_fd = -1 };
}

static void runs_and_collects(void **state)
{
	const char *const argv[] = { "sh", "-c", "cat; echo oops >&2; exit 7", NULL };
	struct child_options o = options_of(argv);
	char *out, *err;

	(void)state;
	o.input = "hello\n";
	assert_int_equal(child_run(&o, 5000, &out, &err), 7);
	assert_string_equal(out, "hello\n");
	assert_string_equal(err, "oops\n");
	free(out);
	free(err);
}

static void names_a_program_that_is_not_there(void **state)
{
	const char *const argv[] = { "no-such-program-here", NULL };
	struct child_options o = options_of(argv);
	struct child child = CHILD_NONE;

	(void)state;
	o.quiet = true;
	assert_int_equal(child_start(&child, &o), -ENOENT);
	assert_int_equal(child.pid, 0);
}

static void times_out_and_kills(void **state)
{
	const char *const argv[] = { "sleep", "60", NULL };
	struct child_options o = options_of(argv);
	char *out;

	(void)state;
	assert_int_equal(child_run(&o, 50, &out, NULL), -ETIMEDOUT);
	assert_string_equal(out, "");
	free(out);
}

/* TERM ignored: KILL follows. */
static void ends_the_stubborn(void **state)
{
	const char *const argv[] = { "sh", "-c", "trap '' TERM; echo up; while :; do sleep 1; done",
				     NULL };
	struct child_options o = options_of(argv);
	struct child child = CHILD_NONE;
	char byte[4];

	(void)state;
	o.take_out = true;
	assert_int_equal(child_start(&child, &o), 0);
	while (read(child.out, byte, sizeof(byte)) != 3)
		usleep(1000);
	child_end(&child, 50);
	assert_int_equal(child_exit_code(&child), 128 + SIGKILL);
	assert_int_equal(child.pidfd, -1);
}

/* A grandparent killed without a chance to clean up takes its child along. */
static void never_outlives_its_parent(void **state)
{
	int p[2], status;
	pid_t parent, grandchild = 0;

	(void)state;
	assert_int_equal(pipe(p), 0);
	parent = fork();
	if (!parent) {
		const char *const argv[] = { "sleep", "60", NULL };
		struct child_options o = options_of(argv);
		struct child child = CHILD_NONE;

		if (child_start(&child, &o) || write(p[1], &child.pid, sizeof(child.pid)) < 0)
			_exit(1);
		pause();
	}
	assert_int_equal(read(p[0], &grandchild, sizeof(grandchild)), sizeof(grandchild));
	kill(parent, SIGKILL);
	waitpid(parent, &status, 0);
	for (int i = 0; i < 2000 && !kill(grandchild, 0); i++) {
		char path[64], line[256] = "";

		snprintf(path, sizeof(path), "/proc/%d/stat", grandchild);
		FILE *f = fopen(path, "r");
		if (f) {
			if (!fgets(line, sizeof(line), f))
				line[0] = '\0';
			fclose(f);
		}
		if (strstr(line, ") Z "))
			break;
		usleep(1000);
		assert_true(i < 1999);
	}
	close(p[0]);
	close(p[1]);
}

static unsigned open_descriptors(void)
{
	unsigned n = 0;
	OWN_DIR DIR *dir = opendir("/proc/self/fd");

	while (dir && readdir(dir))
		n++;
	return n;
}

/* Field case 40. */
static void leaks_no_descriptor(void **state)
{
	const char *const good[] = { "true", NULL }, *const bad[] = { "no-such-program", NULL };
	struct child_options o = options_of(good), missing = options_of(bad);
	unsigned before = open_descriptors();
	char *out, *err;

	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_int_equal(child_run(&o, 5000, &out, &err), 0);
		free(out);
		free(err);
		assert_int_equal(child_run(&missing, 5000, NULL, NULL), -ENOENT);
	}
	assert_int_equal(open_descriptors(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_and_collects),
		cmocka_unit_test(names_a_program_that_is_not_there),
		cmocka_unit_test(times_out_and_kills),
		cmocka_unit_test(ends_the_stubborn),
		cmocka_unit_test(never_outlives_its_parent),
		cmocka_unit_test(leaks_no_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
