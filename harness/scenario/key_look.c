/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding keys by name, naming the nearest, and reading a whole tree of them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "harness/scenario/keys.h"

#define NEAR_LENGTH_MAX 40u

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

/* Edit distance with neighbours swapped as one slip (optimal string alignment). */
static unsigned distance(const char *a, const char *b)
{
	unsigned d[NEAR_LENGTH_MAX + 1][NEAR_LENGTH_MAX + 1];
	unsigned n = (unsigned)strlen(a), m = (unsigned)strlen(b);

	if (n > NEAR_LENGTH_MAX || m > NEAR_LENGTH_MAX)
		return NEAR_LENGTH_MAX;
	for (unsigned i = 0; i <= n; i++) {
		for (unsigned j = 0; j <= m; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1,
				       d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	}
	return d[n][m];
}

const char *nearest(const char *text, const char *const *words, unsigned n)
{
	unsigned best = (unsigned)strlen(text) / 3 + 1;
	const char *word = NULL;

	for (unsigned i = 0; i < n; i++) {
		unsigned far = words[i] ? distance(text, words[i]) : NEAR_LENGTH_MAX;

		if (far <= best && (!word || far < best)) {
			best = far;
			word = words[i];
		}
	}
	return word;
}

/* "unknown key "x"; the nearest is …". */
static void say_unknown(const char *name, const char *const *words, unsigned n, char *why, size_t size)
{
	const char *near = nearest(name, words, n);

	snprintf(why, size, "unknown key \"%.60s\"%s%s%s", name, near ? "; the nearest is \"" : "",
		 near ? near : "; `fwbench list keys` names them all", near ? "\"" : "");
}

const struct key *key_look(const char *name, char *why, size_t size)
{
	const struct key *key = key_find(name), *other = NULL;
	const char *words[128];
	unsigned n = 0;

	for (unsigned i = 0; !key && i < key_count; i++) {
		if (key_table[i].scope == KEY_ROWS_ONLY || strcmp(key_leaf(&key_table[i]), name))
			continue;
		if (other) {
			snprintf(why, size, "\"%s\" may be %s or %s: write it out", name,
				 other->path, key_table[i].path);
			return NULL;
		}
		other = &key_table[i];
	}
	if (key || other)
		return key ? key : other;
	for (unsigned i = 0; i < key_count && n < ARRAY_LEN(words); i++)
		words[n++] = strchr(name, '.') ? key_table[i].path : key_leaf(&key_table[i]);
	say_unknown(name, words, n, why, size);
	return NULL;
}

void keys_default(struct values *values)
{
	char why[256];

	memset(values, 0, sizeof(*values));
	for (unsigned i = 0; i < key_count; i++) {
		if (key_read(&key_table[i], key_table[i].fallback, values, why, sizeof(why))) {
			fprintf(stderr, "fwbench: default of %s: %s\n", key_table[i].path, why);
			abort();
		}
	}
}

/* True if name is the first part of some key's path, with keys below it. */
static bool is_section(const char *name)
{
	size_t n = strlen(name);

	for (unsigned i = 0; i < key_count; i++)
		if (!strncmp(key_table[i].path, name, n) && key_table[i].path[n] == '.')
			return true;
	return false;
}

/* An unknown key of a section ("" for the top): its own keys are the candidates,
 * and a key that belongs elsewhere is sent there. */
static int unknown_key(const struct tree_item *item, const char *section)
{
	static const char *const top[] = { "lab", "load", "device", "policy", "matrix", "rows", "include" };
	size_t n = strlen(section);
	const char *words[128], *home = NULL;
	unsigned count = 0;
	char why[512];

	for (unsigned i = 0; i < key_count && count < ARRAY_LEN(words) - ARRAY_LEN(top); i++) {
		const struct key *key = &key_table[i];
		bool mine = n ? !strncmp(key->path, section, n) && key->path[n] == '.' :
				!strchr(key->path, '.');

		if (mine)
			words[count++] = key_leaf(key);
		else if (!strcmp(key_leaf(key), item->key))
			home = key->path;
	}
	for (unsigned i = 0; !n && i < ARRAY_LEN(top); i++)
		words[count++] = top[i];
	if (!n && key_find(item->key)) {
		const char *dot = strchr(item->key, '.');

		return mark_err(&item->mark, "unknown key \"%s\" here; write it as %.*s: {%s: …}", item->key,
				(int)(dot - item->key), item->key, dot + 1);
	}
	if (home)
		return mark_err(&item->mark, "unknown key \"%s\" %s%s; it is %s", item->key,
				n ? "in " : "here", section, home);
	say_unknown(item->key, words, count, why, sizeof(why));
	return mark_err(&item->mark, "%s", why);
}

static int read_key(const struct key *key, const struct tree *value, struct values *values,
		    struct mark *marks)
{
	char why[512];

	if (tree_is_null(value))
		return 0;
	if (value->kind != TREE_SCALAR)
		return mark_err(&value->mark, "%s: expected one value, not a %s%s", key->path,
				value->kind == TREE_LIST ? "list" : "mapping",
				value->kind == TREE_LIST && key->scope == KEY_ROW ?
				"; a list goes into matrix" : "");
	if (key_read(key, value->text, values, why, sizeof(why)))
		return mark_err(&value->mark, "%s: %s", key->path, why);
	marks[key - key_table] = value->mark;
	return 0;
}

static int read_section(const struct tree_item *section, struct values *values, struct mark *marks)
{
	const struct tree *map = section->value;

	if (tree_is_null(map))
		return 0;
	if (map->kind != TREE_MAP)
		return mark_err(&map->mark, "%s: expected a mapping of its keys%s", section->key,
				map->kind == TREE_LIST ? "; a list goes into matrix" : "");
	for (unsigned i = 0; i < map->count; i++) {
		char path[128];
		const struct key *key;

		snprintf(path, sizeof(path), "%s.%s", section->key, map->items[i].key);
		key = key_find(path);
		if (!key)
			return unknown_key(&map->items[i], section->key);
		if (read_key(key, map->items[i].value, values, marks))
			return -EINVAL;
	}
	return 0;
}

int keys_read(const struct tree *tree, struct values *values, struct mark *marks)
{
	keys_default(values);
	memset(marks, 0, key_count * sizeof(*marks));
	for (unsigned i = 0; i < tree->count; i++) {
		const struct tree_item *item = &tree->items[i];
		const struct key *key = strchr(item->key, '.') ? NULL : key_find(item->key);
		int err;

		if (is_section(item->key))
			err = read_section(item, values, marks);
		else if (key)
			err = read_key(key, item->value, values, marks);
		else
			err = unknown_key(item, "");
		if (err)
			return err;
	}
	return 0;
}
