/* SPDX-License-Identifier: BSD-2-Clause */
/* fwbench list: what there is to choose from. */
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/exit.h"
#include "common/log.h"
#include "common/own.h"
#include "harness/commands.h"
#include "harness/device/device.h"
#include "harness/places.h"
#include "harness/scenario/keys.h"
#include "harness/scenario/scenario.h"

/* One row of a list: a name and a line about it. */
static void add(json_t *list, const char *name, const char *help)
{
	json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "help", help));
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void add_scenario(json_t *list, const char *path, const char *name)
{
	struct scenario *scenario = NULL;

	/* A broken one has been named on stderr by its reader. */
	if (scenario_load(path, NULL, &scenario))
		return;
	add(list, name, scenario_title(scenario));
	scenario_free(scenario);
}

static void list_scenarios(json_t *list)
{
	OWN_MEM char *folder = place_scenarios();
	char *const roots[] = { folder, NULL };
	FTS *tree = folder ? fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name) : NULL;
	FTSENT *entry;

	while (tree && (entry = fts_read(tree))) {
		size_t n = entry->fts_namelen;
		OWN_MEM char *name = NULL;

		if (entry->fts_info != FTS_F || n < 6 || strcmp(entry->fts_name + n - 5, ".yaml"))
			continue;
		name = strdup(entry->fts_path + strlen(folder) + 1);
		if (!name)
			continue;
		name[strlen(name) - 5] = '\0';
		add_scenario(list, entry->fts_path, name);
	}
	if (tree)
		fts_close(tree);
}

static void list_devices(json_t *list)
{
	for (unsigned i = 0; device_table[i]; i++)
		add(list, device_table[i]->name, device_table[i]->help);
}

static void list_workloads(json_t *list)
{
	const struct key *key = key_find("load.workload");

	for (unsigned i = 0; key->names(i); i++)
		add(list, key->names(i), key->help);
}

static void list_keys(json_t *list)
{
	for (unsigned i = 0; i < key_count; i++) {
		const struct key *key = &key_table[i];
		OWN_MEM char *help = NULL;
		char allowed[128];

		key_allowed(key, allowed, sizeof(allowed));
		if (asprintf(&help, "%s Values: %s.%s%s%s", key->help, allowed, *key->fallback ? " Default: " : "",
			     key->fallback, *key->fallback ? "." : "") < 0)
			return;
		add(list, key->path, help);
		json_object_set_new(json_array_get(list, json_array_size(list) - 1), "values", json_string(allowed));
	}
}

static const struct {
	const char *name;
	void (*list)(json_t *list);
	bool asked;                    /* only when asked for by name */
} lists[] = {
	{ "scenarios", list_scenarios, false },
	{ "devices", list_devices, false },
	{ "workloads", list_workloads, false },
	{ "keys", list_keys, true },
};

static void print_list(const char *title, const json_t *list)
{
	int width = 0;
	json_t *row;
	size_t i;

	printf("%s:\n", title);
	json_array_foreach(list, i, row) {
		int n = (int)json_string_length(json_object_get(row, "name"));

		width = n > width ? n : width;
	}
	json_array_foreach(list, i, row)
		printf("  %-*s  %s\n", width, json_string_value(json_object_get(row, "name")),
		       json_string_value(json_object_get(row, "help")));
}

int command_list(const struct options *options)
{
	const char *what = options->operand;
	json_t *all = json_object(), *list;
	const char *name;
	bool first = true;

	for (unsigned i = 0; i < ARRAY_LEN(lists); i++) {
		if (what ? strcmp(what, lists[i].name) != 0 : lists[i].asked)
			continue;
		list = json_array();
		lists[i].list(list);
		json_object_set_new(all, lists[i].name, list);
	}
	if (!json_object_size(all)) {
		json_decref(all);
		return log_err(EXIT_USAGE, "list: %s: expected scenarios, devices, workloads or keys", what);
	}
	if (options->json) {
		json_dumpf(all, stdout, JSON_INDENT(1));
		putchar('\n');
	}
	json_object_foreach(all, name, list) {
		if (options->json)
			break;
		if (!first)
			putchar('\n');
		first = false;
		print_list(name, list);
	}
	json_decref(all);
	return EXIT_PASS;
}
