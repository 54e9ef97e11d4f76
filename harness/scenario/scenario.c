/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/scenario/scenario.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/scenario/keys.h"
#include "harness/scenario/matrix.h"
#include "harness/scenario/merge.h"
#include "harness/scenario/resolve.h"

struct scenario {
	struct sources sources;
	char *path;
	struct tree *root;
	struct values values;          /* the keys of the file itself, defaults included */
	unsigned row_count;
	struct scenario_row *rows;
};

void scenario_free(struct scenario *scenario)
{
	if (!scenario)
		return;
	matrix_free(scenario->rows, scenario->row_count);
	tree_free(scenario->root);
	sources_free(&scenario->sources);
	free(scenario->path);
	free(scenario);
}

static void scenario_drop(struct scenario **scenario)
{
	scenario_free(*scenario);
}

/* "scenarios/quick.yaml" is titled "quick". */
static void title_of_path(const char *path, char *out, size_t size)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	snprintf(out, size, "%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
}

/* The file's own keys, without what a row may still change. */
static int read_own(struct scenario *s)
{
	OWN_MEM struct mark *marks = calloc(key_count, sizeof(*marks));
	OWN_TREE struct tree *base = tree_copy(s->root);

	if (!marks)
		return log_err(-ENOMEM, "out of memory");
	tree_remove(base, "matrix");
	tree_remove(base, "rows");
	for (unsigned i = 0; i < key_count; i++) {
		struct tree_item *item = tree_find(base, key_table[i].path);

		if (item && key_table[i].scope == KEY_ROWS_ONLY)
			return mark_err(&item->mark, "%s is given in rows only", key_table[i].path);
	}
	if (keys_read(base, &s->values, marks))
		return -EINVAL;
	if (!*s->values.title)
		title_of_path(s->path, s->values.title, sizeof(s->values.title));
	return 0;
}

/* A baseline that was asked for must be there. */
static int check_baseline(const struct scenario *s)
{
	const struct tree_item *item = tree_find(s->root, "baseline");

	for (unsigned i = 0; i < s->row_count; i++)
		if (!strcmp(s->rows[i].device_name, s->values.baseline))
			return 0;
	if (!item || !strcmp(s->values.baseline, "none"))
		return 0;
	return mark_err(&item->value->mark, "baseline is \"%s\" but no row has a device of that name",
			s->values.baseline);
}

int scenario_load(const char *path, const struct overrides *overrides, struct scenario **out)
{
	__attribute__((cleanup(scenario_drop))) struct scenario *s = calloc(1, sizeof(*s));

	if (!s || !(s->path = strdup(path)))
		return log_err(-ENOMEM, "out of memory");
	s->root = merge_load(&s->sources, path, overrides);
	if (!s->root || read_own(s) || matrix_rows(s->root, &s->rows, &s->row_count) || check_baseline(s))
		return -EINVAL;
	*out = TAKE_PTR(s);
	return 0;
}

const char *scenario_path(const struct scenario *scenario)
{
	return scenario->path;
}

const char *scenario_title(const struct scenario *scenario)
{
	return scenario->values.title;
}

const char *scenario_baseline(const struct scenario *scenario)
{
	return scenario->values.baseline;
}

unsigned scenario_repeat(const struct scenario *scenario)
{
	return scenario->values.repeat;
}

uint64_t scenario_seed(const struct scenario *scenario)
{
	return scenario->values.seed;
}

unsigned scenario_row_count(const struct scenario *scenario)
{
	return scenario->row_count;
}

const struct scenario_row *scenario_row(const struct scenario *scenario, unsigned i)
{
	return &scenario->rows[i];
}

char *scenario_resolved(const struct scenario *scenario)
{
	return resolve_yaml(scenario->root, &scenario->values);
}
