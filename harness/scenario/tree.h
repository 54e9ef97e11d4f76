/* SPDX-License-Identifier: BSD-2-Clause */
/* A scenario's text as a tree whose every node knows where it was written. Files
 * are read into trees, trees are laid over each other (include, a row, --set),
 * and only the outcome is looked at as keys and values: keys.c. */
#ifndef HARNESS_SCENARIO_TREE_H
#define HARNESS_SCENARIO_TREE_H

#include <stdbool.h>
#include <stddef.h>

/* Limits that no honest scenario meets: aliases may multiply a file. */
#define TREE_DEPTH_MAX 16u
#define TREE_NODES_MAX 50000u
#define TREE_FILE_BYTES_MAX (1u << 20)
#define TREE_FILES_MAX 64u

struct mark {
	const char *file;   /* owned by the struct sources it was read with */
	unsigned line;      /* from 1; 0: the file as a whole, or the command line */
	unsigned column;
};

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

/* One of a list's items, or one key of a mapping with its value. */
struct tree_item {
	char *key;          /* NULL in a list */
	struct mark mark;   /* of the key; in a list of the value */
	struct tree *value;
};

struct tree {
	enum tree_kind kind;
	struct mark mark;
	char *text;         /* scalar */
	bool quoted;        /* scalar: "on" is a text where on is a switch */
	unsigned count;
	struct tree_item *items;
};

/* The names of the files that marks point at; lives as long as the trees. */
struct sources {
	unsigned count;
	char *names[TREE_FILES_MAX];
	unsigned nodes;     /* read so far, against TREE_NODES_MAX */
};

/* Readers return the tree, or NULL after one line of log that ends with the way
 * out. The root is a mapping in a file and anything in a text. */
struct tree *tree_read_file(struct sources *sources, const char *path);
struct tree *tree_read_text(struct sources *sources, const char *name, const char *text);
void tree_free(struct tree *tree); /* NULL allowed */
void tree_drop(struct tree **tree);
#define OWN_TREE __attribute__((cleanup(tree_drop)))
void sources_free(struct sources *sources);

struct tree *tree_new(enum tree_kind kind, const struct mark *mark);
struct tree *tree_text(const char *text, const struct mark *mark);
struct tree *tree_copy(const struct tree *tree);

/* True for nothing, ~ and null: the key is there, its value is the default. */
bool tree_is_null(const struct tree *tree);
/* The key's item, or NULL (also when map is not a mapping). */
struct tree_item *tree_find(const struct tree *map, const char *key);
/* Takes value; replaces the key's old value, or adds the key at the end (of a
 * list: key NULL, always at the end). */
void tree_put(struct tree *map, const char *key, const struct mark *mark, struct tree *value);
void tree_remove(struct tree *map, const char *key);
void tree_remove_at(struct tree *tree, unsigned i);
/* The mapping behind map's key, made if it is not there or not a mapping. */
struct tree *tree_section(struct tree *map, const char *key, const struct mark *mark);
/* Lays over on base: mappings key by key, everything else replaces. */
void tree_lay(struct tree *base, const struct tree *over);

/* One line "FILE:LINE:COLUMN: …" on stderr; returns -EINVAL. */
int mark_err(const struct mark *mark, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
