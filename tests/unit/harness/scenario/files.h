/* SPDX-License-Identifier: BSD-2-Clause */
/* Scenario files for tests: written into a folder of the test's own, and what the
 * reader says about them caught from stderr. */
#ifndef TESTS_UNIT_HARNESS_SCENARIO_FILES_H
#define TESTS_UNIT_HARNESS_SCENARIO_FILES_H

#include "tests/unit/skip.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "harness/plan.h"
#include "harness/scenario/scenario.h"

#define FILES_MAX 8

/* Makes a folder and goes into it, so that messages name files shortly. */
static int files_setup(void **state)
{
	char folder[] = "/tmp/scenario_test.XXXXXX";

	*state = strdup(mkdtemp(folder));
	return chdir(*state);
}

static int files_teardown(void **state)
{
	static const char *const names[] = { "a.yaml", "b.yaml", "c.yaml", "resolved.yaml", "sub/d.yaml" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(names[i]);
	rmdir("sub");
	if (chdir("/") || rmdir(*state))
		return -1;
	free(*state);
	return 0;
}

static inline void file_write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
	fclose(f);
}

/* Loads a file; *said gets what stood on stderr. */
static inline int load_said(const char *path, const struct overrides *overrides,
			    struct scenario **scenario, char *said, size_t size)
{
	int kept = dup(2), memory = memfd_create("stderr", 0), code;
	ssize_t n;

	dup2(memory, 2);
	code = scenario_load(path, overrides, scenario);
	fflush(stderr);
	dup2(kept, 2);
	close(kept);
	n = pread(memory, said, size - 1, 0);
	said[n > 0 ? n : 0] = '\0';
	close(memory);
	return code;
}

static inline struct scenario *load_text(const char *text, const struct overrides *overrides)
{
	struct scenario *scenario = NULL;
	char said[1024];

	file_write_text("a.yaml", text);
	if (load_said("a.yaml", overrides, &scenario, said, sizeof(said)))
		fail_msg("%s", said);
	assert_string_equal(said, "");
	return scenario;
}

/* The keys of all rows, one a line, as compact JSON. */
static inline char *rows_text(const struct scenario *scenario)
{
	char *text = calloc(1, 65536);

	for (unsigned i = 0; i < scenario_row_count(scenario); i++) {
		char *row = json_dumps(scenario_row(scenario, i)->key, JSON_COMPACT);

		strcat(strcat(text, row), "\n");
		free(row);
	}
	return text;
}

static inline void assert_rows(const struct scenario *scenario, const char *expected)
{
	char *text = rows_text(scenario);

	assert_string_equal(text, expected);
	free(text);
}

#endif
