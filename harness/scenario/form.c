/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/scenario/form.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/own.h"
#include "harness/scenario/keys.h"

bool is_column_section(const char *name)
{
	return !strcmp(name, "device") || !strcmp(name, "policy");
}

static bool is_section_name(const char *name)
{
	return is_column_section(name) || !strcmp(name, "lab") || !strcmp(name, "load");
}

/* A device's name alone stands for its kind, and takes an older name away. */
static struct tree *device_form(const struct tree *value)
{
	struct tree *map;

	if (value->kind != TREE_SCALAR || tree_is_null(value))
		return tree_copy(value);
	map = tree_new(TREE_MAP, &value->mark);
	tree_put(map, "kind", &value->mark, tree_copy(value));
	tree_put(map, "name", &value->mark, tree_text("", &value->mark));
	return map;
}

struct tree *form_column(const char *path, const struct tree *value)
{
	return strcmp(path, "device") ? tree_copy(value) : device_form(value);
}

static int form_axis(struct tree *columns, const struct tree_item *item)
{
	const struct key *key = NULL;
	const struct tree *value = item->value;
	const char *path = item->key;
	struct tree *list;
	char why[512];

	if (!is_column_section(path)) {
		key = key_look(item->key, why, sizeof(why));
		if (!key)
			return mark_err(&item->mark, "matrix: %s", why);
		if (key->scope != KEY_ROW)
			return mark_err(&item->mark, "matrix: %s %s", key->path,
					key->scope == KEY_FILE ? "is one for the whole scenario" :
								 "belongs into rows");
		path = key->path;
	}
	if (tree_find(columns, path))
		return mark_err(&item->mark, "matrix: %s is given twice", path);
	if (value->kind == TREE_LIST && !value->count)
		return mark_err(&value->mark, "matrix: %s: an empty list makes no rows", path);
	if (value->kind == TREE_SCALAR && tree_is_null(value)) {
		tree_put(columns, path, &item->mark, tree_copy(value));
		return 0;
	}
	list = tree_new(TREE_LIST, &value->mark);
	for (unsigned i = 0; value->kind == TREE_LIST && i < value->count; i++)
		tree_put(list, NULL, &value->items[i].mark, form_column(path, value->items[i].value));
	if (value->kind != TREE_LIST)
		tree_put(list, NULL, &value->mark, form_column(path, value));
	tree_put(columns, path, &item->mark, list);
	return 0;
}

static int form_matrix(struct tree *root)
{
	struct tree_item *matrix = tree_find(root, "matrix");
	OWN_TREE struct tree *columns = NULL;

	if (!matrix || tree_is_null(matrix->value))
		return 0;
	if (matrix->value->kind != TREE_MAP)
		return mark_err(&matrix->value->mark,
				"matrix: expected a mapping of keys to lists, such as {connections: [200, 500]}");
	columns = tree_new(TREE_MAP, &matrix->value->mark);
	for (unsigned i = 0; i < matrix->value->count; i++)
		if (form_axis(columns, &matrix->value->items[i]))
			return -EINVAL;
	tree_free(matrix->value);
	matrix->value = TAKE_PTR(columns);
	return 0;
}

/* Puts value where its path says: "load.clients" into the section load. */
static int put_path(struct tree *root, const char *path, const struct mark *mark, struct tree *value)
{
	char section[32];
	const char *dot = strchr(path, '.');
	struct tree *home = root;

	if (dot) {
		snprintf(section, sizeof(section), "%.*s", (int)(dot - path), path);
		home = tree_section(root, section, mark);
	}
	if (tree_find(home, dot ? dot + 1 : path)) {
		tree_free(value);
		return mark_err(mark, "%s is given twice", path);
	}
	tree_put(home, dot ? dot + 1 : path, mark, value);
	return 0;
}

static int form_row_item(struct tree *row, const struct tree_item *item)
{
	const struct key *key;
	char why[512];

	if (is_section_name(item->key)) {
		OWN_TREE struct tree *value = form_column(item->key, item->value);

		if (tree_is_null(value))
			return 0;
		if (value->kind != TREE_MAP)
			return mark_err(&value->mark, "rows: %s: expected a mapping of its keys", item->key);
		for (unsigned i = 0; i < value->count; i++) {
			char path[128];

			snprintf(path, sizeof(path), "%s.%s", item->key, value->items[i].key);
			if (put_path(row, path, &value->items[i].mark,
				     tree_copy(value->items[i].value)))
				return -EINVAL;
		}
		return 0;
	}
	key = key_look(item->key, why, sizeof(why));
	if (!key)
		return mark_err(&item->mark, "rows: %s", why);
	if (key->scope == KEY_FILE)
		return mark_err(&item->mark, "rows: %s is one for the whole scenario", key->path);
	return put_path(row, key->path, &item->mark, tree_copy(item->value));
}

static int form_rows(struct tree *root)
{
	struct tree_item *rows = tree_find(root, "rows");
	const struct tree *old = rows ? rows->value : NULL;
	OWN_TREE struct tree *list = NULL;

	if (!rows || tree_is_null(old))
		return 0;
	if (old->kind != TREE_LIST || !old->count)
		return mark_err(&old->mark, "rows: expected a list of mappings, such as - {connections: 200, device: none}");
	list = tree_new(TREE_LIST, &old->mark);
	for (unsigned r = 0; r < old->count; r++) {
		const struct tree *item = old->items[r].value;
		struct tree *row;

		if (item->kind != TREE_MAP)
			return mark_err(&item->mark, "rows: expected a mapping, such as {connections: 200, device: none}");
		row = tree_new(TREE_MAP, &item->mark);
		tree_put(list, NULL, &item->mark, row);
		for (unsigned i = 0; i < item->count; i++)
			if (form_row_item(row, &item->items[i]))
				return -EINVAL;
	}
	tree_free(rows->value);
	rows->value = TAKE_PTR(list);
	return 0;
}

int form_tree(struct tree *root)
{
	struct tree_item *device = tree_find(root, "device");

	if (device) {
		struct tree *map = device_form(device->value);

		tree_free(device->value);
		device->value = map;
	}
	return form_matrix(root) || form_rows(root) ? -EINVAL : 0;
}
