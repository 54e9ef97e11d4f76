/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/places.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/log.h"
#include "common/own.h"

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISDIR(st.st_mode);
}

char *place_scenarios(void)
{
	/* build/fwbench, build/NAME/fwbench and bin/fwbench. */
	static const char *const from_executable[] = { "/../scenarios", "/../../scenarios",
						       "/../share/fwbench/scenarios" };
	char folder[4096];
	ssize_t n = readlink("/proc/self/exe", folder, sizeof(folder) - 1);

	if (is_folder("scenarios"))
		return strdup("scenarios");
	if (n <= 0)
		return NULL;
	folder[n] = '\0';
	*strrchr(folder, '/') = '\0';
	for (unsigned i = 0; i < ARRAY_LEN(from_executable); i++) {
		OWN_MEM char *path = NULL;

		if (asprintf(&path, "%s%s", folder, from_executable[i]) < 0)
			return NULL;
		if (is_folder(path))
			return realpath(path, NULL);
	}
	return NULL;
}

char *place_scenario(const char *name)
{
	OWN_MEM char *folder = NULL;
	static const char *const tails[] = { "", ".yaml" };

	if (is_file(name))
		return strdup(name);
	folder = place_scenarios();
	for (unsigned i = 0; folder && i < ARRAY_LEN(tails); i++) {
		OWN_MEM char *path = NULL;

		if (asprintf(&path, "%s/%s%s", folder, name, tails[i]) < 0)
			return NULL;
		if (is_file(path))
			return TAKE_PTR(path);
	}
	log_err(0, "%s: no such scenario; `fwbench list scenarios` shows those that are here", name);
	return NULL;
}

char *place_newest_result(void)
{
	OWN_DIR DIR *dir = opendir("results");
	OWN_MEM char *newest = NULL;
	struct timespec newest_time = { 0 };
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		OWN_MEM char *trials = NULL;
		struct stat st;

		if (*entry->d_name == '.' ||
		    asprintf(&trials, "results/%s/trials.jsonl", entry->d_name) < 0 || stat(trials, &st))
			continue;
		if (newest && (st.st_mtim.tv_sec < newest_time.tv_sec ||
			       (st.st_mtim.tv_sec == newest_time.tv_sec &&
				st.st_mtim.tv_nsec <= newest_time.tv_nsec)))
			continue;
		newest_time = st.st_mtim;
		*strrchr(trials, '/') = '\0';
		free(newest);
		newest = TAKE_PTR(trials);
	}
	if (!newest)
		log_err(0, "no results below results/ here; name the folder: fwbench report FOLDER");
	return TAKE_PTR(newest);
}
