/* SPDX-License-Identifier: BSD-2-Clause */
/* A scenario is text from anywhere: reading it may refuse but never fail, and what
 * was read resolves to a scenario that reads the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/plan.h"
#include "harness/scenario/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void load(const char *path, const void *text, size_t size, struct scenario **scenario)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(text, 1, size, f) != size || fclose(f))
		abort();
	scenario_load(path, NULL, scenario);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char path[64];
	struct scenario *one = NULL, *two = NULL;
	struct plan plan;
	char *first, *second;

	if (!*path)
		snprintf(path, sizeof(path), "/dev/shm/scenario_fuzz.%d.yaml", getpid());
	load(path, data, size, &one);
	if (one) {
		if (plan_make(one, &plan))
			abort();
		plan_free(&plan);
		first = scenario_resolved(one);
		if (!first)
			abort();
		load(path, first, strlen(first), &two);
		second = two ? scenario_resolved(two) : NULL;
		if (!second || strcmp(first, second) || scenario_row_count(one) != scenario_row_count(two))
			abort();
		free(first);
		free(second);
	}
	scenario_free(one);
	scenario_free(two);
	unlink(path);
	return 0;
}
