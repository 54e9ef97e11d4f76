/* SPDX-License-Identifier: BSD-2-Clause */
/* The value on the host, through owners that come, go and die. A plain file
 * stands for the sysctl. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/own.h"
#include "harness/lab/namespace.h"
#include "harness/lab/state.h"
#include "tests/unit/skip.h"

static char base[64], folder[96], file[96];
static struct state test_state;

static int begin(void **state)
{
	(void)state;
	strcpy(base, "/tmp/state_test.XXXXXX");
	if (!mkdtemp(base))
		return -1;
	snprintf(folder, sizeof(folder), "%s/state", base);
	snprintf(file, sizeof(file), "%s/value", base);
	test_state = (struct state){ folder, file, "65536" };
	close(open(file, O_CREAT | O_WRONLY, 0644));
	return file_write(AT_FDCWD, file, "1000\n");
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", base);
	return system(command);
}

/* The file keeps its length where a sysctl would not: look at the start only. */
static void value_is(const char *expected)
{
	char text[32];

	assert_int_equal(file_read(AT_FDCWD, file, text, sizeof(text)), 0);
	text[strcspn(text, "\n")] = '\0';
	assert_string_equal(text, expected);
}

static void set(const char *value)
{
	assert_int_equal(truncate(file, 0), 0);
	assert_int_equal(file_write(AT_FDCWD, file, value), 0);
}

/* An owner in a process of its own, holding until it is killed. */
static pid_t owner(const char *run_id)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		if (state_acquire(&test_state, run_id))
			_exit(1);
		if (write(ready[1], "r", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void end_owner(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void one_owner_raises_and_restores(void **state)
{
	unsigned removed = 9;

	(void)state;
	assert_int_equal(state_acquire(&test_state, "one"), 0);
	value_is("65536");
	assert_int_equal(state_clean(&test_state, false, &removed), 0);
	assert_int_equal(removed, 0);
	value_is("65536");
	set("65536");
	state_release(&test_state, "one");
	value_is("10006"); /* a plain file keeps its tail */
	assert_int_equal(access(folder, F_OK), -1);
}

static void the_last_of_two_restores(void **state)
{
	pid_t other = owner("two");

	(void)state;
	assert_int_equal(state_acquire(&test_state, "three"), 0);
	set("65536");
	state_release(&test_state, "three");
	value_is("65536");
	assert_int_equal(state_acquire(&test_state, "four"), 0);
	end_owner(other);
	set("65536");
	state_release(&test_state, "four"); /* takes the dead one's file with it */
	value_is("10006");
	assert_int_equal(access(folder, F_OK), -1);
}

static void clean_restores_after_a_kill(void **state)
{
	unsigned removed = 0;
	pid_t dead = owner("dead"), alive = owner("alive");

	(void)state;
	end_owner(dead);
	set("65536");
	assert_int_equal(state_clean(&test_state, true, &removed), 0);
	assert_int_equal(removed, 1);
	assert_int_equal(state_clean(&test_state, false, &removed), 0);
	assert_int_equal(removed, 1);
	value_is("65536"); /* somebody lives */
	end_owner(alive);
	assert_int_equal(state_clean(&test_state, false, &removed), 0);
	assert_int_equal(removed, 1);
	value_is("10006");
	assert_int_equal(state_clean(&test_state, false, &removed), 0);
	assert_int_equal(removed, 0);
}

/* What an administrator set while we ran is his. */
static void a_value_set_by_others_stays(void **state)
{
	(void)state;
	assert_int_equal(state_acquire(&test_state, "one"), 0);
	set("5000");
	state_release(&test_state, "one");
	value_is("5000");
}

/* The pid lives, but it is another process: the start time differs. */
static void a_pid_used_again_is_dead(void **state)
{
	char path[128], text[128];
	unsigned removed;
	FILE *f;

	(void)state;
	assert_int_equal(mkdir(folder, 0755), 0);
	snprintf(path, sizeof(path), "%s/old.json", folder);
	snprintf(text, sizeof(text), "{\"pid\":%d,\"start_time\":1,\"value\":\"300\"}", getpid());
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	/* Cut off while it was written: nobody's. */
	snprintf(path, sizeof(path), "%s/cut.json", folder);
	f = fopen(path, "w");
	fputs("{\"pid\":", f);
	fclose(f);
	set("65536");
	assert_int_equal(state_clean(&test_state, false, &removed), 0);
	assert_int_equal(removed, 2);
	value_is("30036");
	assert_int_equal(access(folder, F_OK), -1);
}

static void nothing_is_raised_that_cannot_be_recorded(void **state)
{
	struct state nowhere = { "/proc/no/such", file, "65536" };
	struct state no_sysctl = { folder, "/proc/no/such", "65536" };

	(void)state;
	assert_true(state_acquire(&nowhere, "one") < 0);
	value_is("1000");
	assert_true(state_acquire(&no_sysctl, "one") < 0);
	assert_int_equal(access(folder, F_OK), -1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
		T(one_owner_raises_and_restores),
		T(the_last_of_two_restores),
		T(clean_restores_after_a_kill),
		T(a_value_set_by_others_stays),
		T(a_pid_used_again_is_dead),
		T(nothing_is_raised_that_cannot_be_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
