/* SPDX-License-Identifier: BSD-2-Clause */
/* Results folders for the tests of the report: made in a temporary folder,
 * removed at the end. Tests run in the top folder of the source tree. */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/skip.h"

#define FOLDER_UNUSED __attribute__((unused))

static int folder_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static FOLDER_UNUSED void folder_remove(char *folder)
{
	nftw(folder, folder_remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(folder);
}

static FOLDER_UNUSED char *folder_make(void)
{
	char *folder = strdup("/tmp/report-test.XXXXXX");

	assert_non_null(mkdtemp(folder));
	setenv("FWBENCH_SHARE", ".", 1);
	return folder;
}

static FOLDER_UNUSED void folder_write(const char *folder, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* The whole file; NULL if it is not there. */
static FOLDER_UNUSED char *folder_read(const char *folder, const char *name)
{
	char path[512], *text = calloc(1, 1 << 21);
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "r");
	if (!file) {
		free(text);
		return NULL;
	}
	assert_true(fread(text, 1, (1 << 21) - 1, file) < (1 << 21) - 1);
	fclose(file);
	return text;
}

static FOLDER_UNUSED bool folder_has(const char *folder, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return !access(path, R_OK);
}

/* A copy of tests/fixtures/<fixture>. */
static FOLDER_UNUSED char *folder_copy(const char *fixture)
{
	static const char *const names[] = { "trials.jsonl", "samples.csv", "environment.json", "scenario.yaml" };
	char *folder = folder_make(), from[256];

	snprintf(from, sizeof(from), "tests/fixtures/%s", fixture);
	for (size_t i = 0; i < 4; i++) {
		char *text = folder_read(from, names[i]);

		if (text)
			folder_write(folder, names[i], text);
		free(text);
	}
	return folder;
}

/* Text that file of the folder must hold; the whole is shown if it does not. */
static FOLDER_UNUSED void assert_holds(const char *text, const char *part)
{
	if (!text || !strstr(text, part)) {
		print_error("not found: %s\nin:\n%.6000s\n", part, text ? text : "(no file)");
		fail();
	}
}

static FOLDER_UNUSED void assert_holds_not(const char *text, const char *part)
{
	if (text && strstr(text, part)) {
		print_error("found: %s\nin:\n%.300s\n", part, strstr(text, part));
		fail();
	}
}

#endif
