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

/* Here, then build/fwbench, build/NAME/fwbench and bin/fwbench. */
static const char *const places[] = { "", "/../scenarios", "/../../scenarios",
				      "/../share/fwbench/scenarios" };

/* The place if it is there, else NULL. */
static char *place_of(unsigned i)
{
	OWN_MEM char *path = NULL;
	char folder[4096];
	ssize_t n = readlink("/proc/self/exe", folder, sizeof(folder) - 1);

	if (!*places[i])
		return is_folder("scenarios") ? strdup("scenarios") : NULL;
	if (n <= 0)
		return NULL;
	folder[n] = '\0';
	*strrchr(folder, '/') = '\0';
	if (asprintf(&path, "%s%s", folder, places[i]) < 0)
		return path = NULL, NULL;
	return is_folder(path) ? realpath(path, NULL) : NULL;
}

char *place_scenarios(void)
{
	char *folder = NULL;

	for (unsigned i = 0; !folder && i < ARRAY_LEN(places); i++)
		folder = place_of(i);
	return folder;
}

char *place_scenario(const char *name)
{
	static const char *const tails[] = { "", ".yaml" };

	if (is_file(name))
		return strdup(name);
	for (unsigned i = 0; i < ARRAY_LEN(places) * ARRAY_LEN(tails); i++) {
		OWN_MEM char *folder = place_of(i / ARRAY_LEN(tails));
		OWN_MEM char *path = NULL;

		if (!folder)
			continue;
		if (asprintf(&path, "%s/%s%s", folder, name, tails[i % ARRAY_LEN(tails)]) < 0)
			return path = NULL, NULL;
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
