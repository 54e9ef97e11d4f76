/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/scenario/rename.h"

#include <stdio.h>
#include <string.h>

struct change {
	const struct key *key;
	const char *usual;             /* the value of a policy that does not give the key */
	const char *now;
};

/* The value as key_print has it, so that 4Mbit is 4000kbit; false: it is none. */
static bool value_text(const struct key *key, const struct tree *value, char *out, size_t size)
{
	static const struct values none;
	struct values values = none;
	char why[256];

	if (value && value->kind != TREE_SCALAR)
		return false;
	if (key_read(key, value && !tree_is_null(value) ? value->text : key->fallback, &values, why,
		     sizeof(why)))
		return false;
	key_print(key, &values, out, size);
	return true;
}

/* A long name is cut, between two characters, where both do not fit. */
static void rename_policy(struct tree *policy, const struct change *change)
{
	struct tree_item *name = tree_find(policy, "name"), *own = tree_find(policy, key_leaf(change->key));
	char text[NAME_BYTES], add[NAME_BYTES / 2], before[64];
	size_t keep;

	if (!name || name->value->kind != TREE_SCALAR || tree_is_null(name->value) || !*name->value->text)
		return;
	snprintf(before, sizeof(before), "%s", change->usual);
	if (own && !value_text(change->key, own->value, before, sizeof(before)))
		return;
	if (!strcmp(before, change->now))
		return;
	snprintf(add, sizeof(add), ", %s %s", key_leaf(change->key), change->now);
	keep = strlen(name->value->text);
	if (keep > sizeof(text) - 1 - strlen(add))
		keep = sizeof(text) - 1 - strlen(add);
	while (keep && ((unsigned char)name->value->text[keep] & 0xc0) == 0x80)
		keep--;
	snprintf(text, sizeof(text), "%.*s%s", (int)keep, name->value->text, add);
	tree_put(policy, "name", &name->mark, tree_text(text, &name->value->mark));
}

void rename_policies(struct tree *root, const struct key *key, const struct tree *value)
{
	const struct tree_item *policy = tree_find(root, "policy"), *matrix = tree_find(root, "matrix"),
			       *rows = tree_find(root, "rows"), *column, *usual;
	struct change change = { .key = key };
	char before[64], now[64];

	if (strncmp(key->path, "policy.", 7) || !strcmp(key_leaf(key), "name"))
		return;
	column = matrix ? tree_find(matrix->value, key->path) : NULL;
	usual = policy ? tree_find(policy->value, key_leaf(key)) : NULL;
	if ((column && !tree_is_null(column->value)) || !value_text(key, value, now, sizeof(now)) ||
	    !value_text(key, usual ? usual->value : NULL, before, sizeof(before)))
		return;
	change.usual = before;
	change.now = now;
	if (policy)
		rename_policy(policy->value, &change);
	column = matrix ? tree_find(matrix->value, "policy") : NULL;
	for (unsigned i = 0; column && i < column->value->count; i++)
		rename_policy(column->value->items[i].value, &change);
	for (unsigned i = 0; rows && i < rows->value->count; i++) {
		const struct tree_item *own = tree_find(rows->value->items[i].value, "policy");

		if (own)
			rename_policy(own->value, &change);
	}
}
