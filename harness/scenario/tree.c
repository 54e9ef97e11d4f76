/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/scenario/tree.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"

/* A scenario that does not fit into memory is no case to go on from. */
static void *must(void *p)
{
	if (!p) {
		log_err(0, "out of memory");
		abort();
	}
	return p;
}

int mark_err(const struct mark *mark, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!mark->line)
		return log_err(-EINVAL, "%s: %s", mark->file, text);
	return log_err(-EINVAL, "%s:%u:%u: %s", mark->file, mark->line, mark->column, text);
}

struct tree *tree_new(enum tree_kind kind, const struct mark *mark)
{
	struct tree *tree = must(calloc(1, sizeof(*tree)));

	tree->kind = kind;
	tree->mark = *mark;
	return tree;
}

struct tree *tree_text(const char *text, const struct mark *mark)
{
	struct tree *tree = tree_new(TREE_SCALAR, mark);

	tree->text = must(strdup(text));
	return tree;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	for (unsigned i = 0; i < tree->count; i++) {
		free(tree->items[i].key);
		tree_free(tree->items[i].value);
	}
	free(tree->items);
	free(tree->text);
	free(tree);
}

void tree_drop(struct tree **tree)
{
	tree_free(*tree);
	*tree = NULL;
}

void sources_free(struct sources *sources)
{
	for (unsigned i = 0; i < sources->count; i++)
		free(sources->names[i]);
	sources->count = 0;
}

static void tree_append(struct tree *tree, const char *key, const struct mark *mark,
			struct tree *value)
{
	/* Grown at powers of two: the count says the capacity. */
	if (!(tree->count & (tree->count - 1)) || !tree->count) {
		size_t room = tree->count ? (size_t)tree->count * 2 : 1;

		tree->items = must(reallocarray(tree->items, room, sizeof(*tree->items)));
	}
	tree->items[tree->count++] = (struct tree_item){
		.key = key ? must(strdup(key)) : NULL,
		.mark = *mark,
		.value = value,
	};
}

struct tree *tree_copy(const struct tree *tree)
{
	struct tree *copy = tree_new(tree->kind, &tree->mark);

	copy->quoted = tree->quoted;
	if (tree->text)
		copy->text = must(strdup(tree->text));
	for (unsigned i = 0; i < tree->count; i++)
		tree_append(copy, tree->items[i].key, &tree->items[i].mark,
			    tree_copy(tree->items[i].value));
	return copy;
}

bool tree_is_null(const struct tree *tree)
{
	return tree->kind == TREE_SCALAR && !tree->quoted &&
	       (!*tree->text || !strcmp(tree->text, "~") || !strcmp(tree->text, "null"));
}

struct tree_item *tree_find(const struct tree *map, const char *key)
{
	if (!map || map->kind != TREE_MAP)
		return NULL;
	for (unsigned i = 0; i < map->count; i++)
		if (!strcmp(map->items[i].key, key))
			return &map->items[i];
	return NULL;
}

void tree_put(struct tree *map, const char *key, const struct mark *mark, struct tree *value)
{
	struct tree_item *item = key ? tree_find(map, key) : NULL;

	if (!item) {
		tree_append(map, key, mark, value);
		return;
	}
	tree_free(item->value);
	item->value = value;
	item->mark = *mark;
}

void tree_remove_at(struct tree *tree, unsigned i)
{
	free(tree->items[i].key);
	tree_free(tree->items[i].value);
	tree->count--;
	memmove(&tree->items[i], &tree->items[i + 1], (tree->count - i) * sizeof(*tree->items));
	/* Keep what tree_append reads from the count true. */
	if (!(tree->count & (tree->count - 1)) && tree->count)
		tree->items = must(reallocarray(tree->items, tree->count, sizeof(*tree->items)));
}

void tree_remove(struct tree *map, const char *key)
{
	struct tree_item *item = tree_find(map, key);

	if (item)
		tree_remove_at(map, (unsigned)(item - map->items));
}

struct tree *tree_section(struct tree *map, const char *key, const struct mark *mark)
{
	struct tree_item *item = tree_find(map, key);

	if (!item || item->value->kind != TREE_MAP) {
		tree_put(map, key, mark, tree_new(TREE_MAP, mark));
		item = tree_find(map, key);
	}
	return item->value;
}

void tree_lay(struct tree *base, const struct tree *over)
{
	for (unsigned i = 0; i < over->count; i++) {
		const struct tree_item *new = &over->items[i];
		struct tree_item *old = tree_find(base, new->key);

		if (old && old->value->kind == TREE_MAP && new->value->kind == TREE_MAP)
			tree_lay(old->value, new->value);
		else
			tree_put(base, new->key, &new->mark, tree_copy(new->value));
	}
}
