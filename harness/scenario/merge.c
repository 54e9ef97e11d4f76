/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/scenario/merge.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/scenario/form.h"
#include "harness/scenario/keys.h"
#include "harness/scenario/rename.h"

/* ---- include ------------------------------------------------------------- */

struct chain {
	const char *name, *real;
	const struct chain *up;
};

static struct tree *load_chain(struct sources *sources, const char *path, const struct chain *up);

/* "a.yaml > b.yaml > a.yaml", outermost first. */
static int chain_text(const struct chain *chain, char *out, size_t size)
{
	int at = chain->up ? chain_text(chain->up, out, size) : 0;

	if (at < (int)size)
		at += snprintf(out + at, size - (size_t)at, "%s%s", at ? " > " : "", chain->name);
	return at;
}

static struct tree *include_one(struct sources *sources, const struct tree *value,
				const struct chain *chain)
{
	OWN_MEM char *path = NULL, *real = NULL;
	const char *slash = strrchr(chain->name, '/');

	if (value->kind != TREE_SCALAR || tree_is_null(value)) {
		mark_err(&value->mark, "include: expected a file or a list of files");
		return NULL;
	}
	if (asprintf(&path, "%.*s%s", *value->text == '/' || !slash ? 0 : (int)(slash + 1 - chain->name),
		     chain->name, value->text) < 0) {
		path = NULL;
		return NULL;
	}
	real = realpath(path, NULL);
	if (!real) {
		mark_err(&value->mark, "include: %s: %s", path, strerror(errno));
		return NULL;
	}
	for (const struct chain *c = chain; c; c = c->up) {
		char text[512];

		if (strcmp(c->real, real))
			continue;
		chain_text(chain, text, sizeof(text));
		mark_err(&value->mark, "include goes in a circle: %s > %s", text, path);
		return NULL;
	}
	return load_chain(sources, path, chain);
}

/* What the file includes, in order, then the file itself over it. */
static struct tree *include_all(struct sources *sources, struct tree *self, const struct chain *chain)
{
	struct tree_item *include = tree_find(self, "include");
	OWN_TREE struct tree *all = tree_new(TREE_MAP, &self->mark);
	const struct tree *value = include ? include->value : NULL;
	unsigned count = !value || tree_is_null(value) ? 0 : value->kind == TREE_LIST ? value->count : 1;

	for (unsigned i = 0; i < count; i++) {
		const struct tree *one = value->kind == TREE_LIST ? value->items[i].value : value;
		OWN_TREE struct tree *tree = include_one(sources, one, chain);

		if (!tree)
			return NULL;
		tree_lay(all, tree);
	}
	tree_remove(self, "include");
	tree_lay(all, self);
	return TAKE_PTR(all);
}

static struct tree *load_chain(struct sources *sources, const char *path, const struct chain *up)
{
	OWN_MEM char *real = realpath(path, NULL);
	struct chain chain = { .name = path, .real = real ? real : path, .up = up };
	OWN_TREE struct tree *self = tree_read_file(sources, path);

	if (!self || form_tree(self))
		return NULL;
	return include_all(sources, self, &chain);
}

/* ---- the command line ---------------------------------------------------- */

/* Replaces the key, of the section or (section "") of the mapping itself, where the
 * mapping gives it already. */
static void set_where_given(struct tree *map, const char *section, const char *leaf,
			    const struct tree *value)
{
	const struct tree_item *home = *section ? tree_find(map, section) : NULL;
	struct tree *inner = home ? home->value : *section ? NULL : map;

	if (inner && tree_find(inner, leaf))
		tree_put(inner, leaf, &value->mark, tree_copy(value));
}

/* The key's own column becomes one of this value alone, and the values of its
 * section's column that give it give this one. */
static void set_in_matrix(struct tree *matrix, const char *path, const char *section,
			  const char *leaf, const struct tree *value)
{
	const struct tree_item *column = tree_find(matrix, path);

	if (column && !tree_is_null(column->value)) {
		struct tree *list = tree_new(TREE_LIST, &value->mark);

		tree_put(list, NULL, &value->mark, tree_copy(value));
		tree_put(matrix, path, &value->mark, list);
	}
	column = *section ? tree_find(matrix, section) : NULL;
	for (unsigned i = 0; column && i < column->value->count; i++)
		set_where_given(column->value->items[i].value, "", leaf, value);
}

/* Makes value what path says, wherever path is given: at the top, as a column of
 * the matrix, inside a column's or a row's mapping. */
static void set_everywhere(struct tree *root, const char *path, const struct tree *value)
{
	const char *dot = strchr(path, '.'), *leaf = dot ? dot + 1 : path;
	const struct tree_item *matrix, *rows;
	char section[32];

	snprintf(section, sizeof(section), "%.*s", dot ? (int)(dot - path) : 0, path);
	tree_put(dot ? tree_section(root, section, &value->mark) : root, leaf, &value->mark,
		 tree_copy(value));
	matrix = tree_find(root, "matrix");
	if (matrix)
		set_in_matrix(matrix->value, path, section, leaf, value);
	rows = tree_find(root, "rows");
	for (unsigned i = 0; rows && i < rows->value->count; i++)
		set_where_given(rows->value->items[i].value, section, leaf, value);
}

/* --set matrix.connections=[1, 2], matrix={…}, rows=[…]: laid over as a file is. */
static int set_list(struct tree *root, const char *name, struct tree *value)
{
	OWN_TREE struct tree *over = tree_new(TREE_MAP, &value->mark);
	struct tree *home = over;

	if (!strncmp(name, "matrix.", 7)) {
		home = tree_section(over, "matrix", &value->mark);
		name += 7;
	}
	tree_put(home, name, &value->mark, value);
	if (form_tree(over))
		return -EINVAL;
	tree_lay(root, over);
	return 0;
}

static int apply_set(struct sources *sources, struct tree *root, const char *text)
{
	const char *equals = strchr(text, '=');
	char name[128], where[256], why[512];
	OWN_TREE struct tree *value = NULL;
	const struct key *key;

	snprintf(where, sizeof(where), "--set %s", text);
	if (!equals || equals == text || equals - text >= (int)sizeof(name))
		return log_err(-EINVAL, "%s: expected KEY=VALUE, such as load.duration=5s", where);
	snprintf(name, sizeof(name), "%.*s", (int)(equals - text), text);
	value = tree_read_text(sources, where, equals + 1);
	if (!value)
		return -EINVAL;
	if (!strcmp(name, "matrix") || !strcmp(name, "rows") || !strncmp(name, "matrix.", 7))
		return set_list(root, name, TAKE_PTR(value));
	value->mark.line = 0; /* no place in a file: the setting is its own place */
	if (is_column_section(name)) {
		OWN_TREE struct tree *map = form_column(name, value);

		set_everywhere(root, name, map);
		return 0;
	}
	key = key_look(name, why, sizeof(why));
	if (!key)
		return log_err(-EINVAL, "%s: %s", where, why);
	if (key->scope == KEY_ROWS_ONLY)
		return log_err(-EINVAL, "%s: %s is given in rows only", where, key->path);
	rename_policies(root, key, value);
	set_everywhere(root, key->path, value);
	return 0;
}

/* Which devices are wanted, and which of those were seen. */
struct wanted {
	const char *const *names;      /* NULL at the end */
	bool *seen;
	const char *kind;              /* of a device that does not say its own */
};

static bool device_named(const struct wanted *w, const char *text)
{
	bool any = false;

	for (unsigned i = 0; text && *text && w->names[i]; i++)
		if (!strcmp(text, w->names[i]))
			any = w->seen[i] = true;
	return any;
}

static bool device_wanted(const struct wanted *w, const struct tree *device)
{
	const struct tree_item *kind = tree_find(device, "kind"), *name = tree_find(device, "name");
	bool by_kind = device_named(w, kind && kind->value->text ? kind->value->text : w->kind);

	return (name && device_named(w, name->value->text)) || by_kind;
}

/* Removes the items of list whose device is not wanted. An item of rows may have
 * a device of its own or the usual one; an item of matrix.device is a device. */
static unsigned keep_devices(struct tree *list, bool rows, const struct tree *usual,
			     const struct wanted *w)
{
	unsigned kept = 0;

	for (unsigned i = list->count; i-- > 0;) {
		const struct tree *device = list->items[i].value;

		if (rows) {
			const struct tree_item *own = tree_find(device, "device");

			device = own ? own->value : usual;
		}
		if (device_wanted(w, device))
			kept++;
		else
			tree_remove_at(list, i);
	}
	return kept;
}

static unsigned keep_wanted(struct tree *root, struct wanted *w)
{
	const struct tree_item *matrix = tree_find(root, "matrix"), *rows = tree_find(root, "rows"),
			       *usual = tree_find(root, "device");
	const struct tree_item *column = matrix ? tree_find(matrix->value, "device") : NULL;
	const struct tree *device = usual ? usual->value : NULL;
	const struct tree_item *kind = tree_find(device, "kind");

	w->kind = kind && kind->value->text ? kind->value->text : key_find("device.kind")->fallback;
	if (column)
		return keep_devices(column->value, false, NULL, w);
	return rows ? keep_devices(rows->value, true, device, w) : device_wanted(w, device);
}

static int apply_devices(struct tree *root, const char *path, const char *const *names)
{
	OWN_MEM bool *seen = NULL;
	struct wanted w = { .names = names };
	unsigned count = 0;

	while (names[count])
		count++;
	w.seen = seen = calloc(count, sizeof(*seen));
	if (!seen)
		return log_err(-ENOMEM, "out of memory");
	keep_wanted(root, &w);
	for (unsigned i = 0; i < count; i++)
		if (!seen[i])
			return log_err(-EINVAL, "--device %s: %s has no such device; `fwbench check %s` shows its rows",
				       names[i], path, path);
	return 0;
}

/* Columns that were taken back by a null are no columns. */
static void drop_nulls(struct tree *root)
{
	static const char *const lists[] = { "matrix", "rows" };
	struct tree_item *item = tree_find(root, "matrix");

	for (unsigned i = item && item->value->kind == TREE_MAP ? item->value->count : 0; i-- > 0;)
		if (tree_is_null(item->value->items[i].value))
			tree_remove_at(item->value, i);
	for (unsigned i = 0; i < ARRAY_LEN(lists); i++) {
		item = tree_find(root, lists[i]);
		if (item && !item->value->count)
			tree_remove(root, lists[i]);
	}
}

struct tree *merge_load(struct sources *sources, const char *path, const struct overrides *overrides)
{
	OWN_TREE struct tree *root = load_chain(sources, path, NULL);

	if (!root)
		return NULL;
	for (const char *const *set = overrides ? overrides->set : NULL; set && *set; set++)
		if (apply_set(sources, root, *set))
			return NULL;
	drop_nulls(root);
	if (overrides && overrides->devices && *overrides->devices &&
	    apply_devices(root, path, overrides->devices))
		return NULL;
	return TAKE_PTR(root);
}
