/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/skip.h"

static void put(int fd, const char *text)
{
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static void hands_out_whole_lines_only(void **state)
{
	struct lines lines = { 0 };
	const char *line;
	int p[2];

	(void)state;
	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	put(p[1], "one\n\ntw");
	assert_int_equal(lines_next(&lines, p[0], &line), 1);
	assert_string_equal(line, "one");
	assert_int_equal(lines_next(&lines, p[0], &line), 1);
	assert_string_equal(line, "");
	assert_int_equal(lines_next(&lines, p[0], &line), 0);
	put(p[1], "o\nthree");
	assert_int_equal(lines_next(&lines, p[0], &line), 1);
	assert_string_equal(line, "two");
	assert_int_equal(lines_next(&lines, p[0], &line), 0);
	close(p[1]);
	assert_int_equal(lines_next(&lines, p[0], &line), 1);
	assert_string_equal(line, "three");
	assert_int_equal(lines_next(&lines, p[0], &line), -EPIPE);
	lines_free(&lines);
	close(p[0]);
}

static void grows_with_a_long_line(void **state)
{
	struct lines lines = { 0 };
	const char *line;
	char part[1001];
	int p[2], got;

	(void)state;
	memset(part, 'x', 1000);
	part[1000] = '\0';
	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	for (int i = 0; i < 200; i++) {
		put(p[1], part);
		assert_int_equal(lines_next(&lines, p[0], &line), 0);
	}
	put(p[1], "\n");
	got = lines_next(&lines, p[0], &line);
	assert_int_equal(got, 1);
	assert_int_equal(strlen(line), 200000);
	lines_free(&lines);
	close(p[0]);
	close(p[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hands_out_whole_lines_only),
		cmocka_unit_test(grows_with_a_long_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
