/* SPDX-License-Identifier: BSD-2-Clause */
/* The one table of everything a scenario can say: where a key's value goes, its
 * type, range, default and help. The reader, the resolved scenario, the columns of
 * the result, the JSON Schema and the suggestions all come from it. */
#ifndef HARNESS_SCENARIO_KEYS_H
#define HARNESS_SCENARIO_KEYS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/settings.h"
#include "harness/scenario/tree.h"

#define NAME_BYTES 80

/* What the keys fill: the settings of one row, and what belongs to the whole file. */
struct values {
	char title[160];
	struct settings settings;
	char lab_kind[16];
	char device_name[NAME_BYTES];  /* "": made from the device's settings */
	char policy_name[NAME_BYTES];
	char row_name[NAME_BYTES];
	char baseline[NAME_BYTES];
	uint32_t repeat;
	uint64_t seed;
};

enum key_type {
	KEY_TEXT,      /* char[], least and most are its length */
	KEY_NAME,      /* char[], one of names() */
	KEY_WORD,      /* enum, one of words[] */
	KEY_IP,        /* int 4 or 6 */
	KEY_SWITCH,    /* bool */
	KEY_COUNT,     /* uint32_t */
	KEY_NUMBER,    /* uint64_t without a unit */
	KEY_SIZE,      /* uint32_t bytes, or uint64_t where wide */
	KEY_RATE,      /* uint64_t bit/s */
	KEY_TIME,      /* uint64_t ns */
	KEY_CORES,     /* struct cores */
};

enum key_scope {
	KEY_ROW,       /* may be a column of the matrix */
	KEY_FILE,      /* once a scenario */
	KEY_ROWS_ONLY, /* only inside rows: */
};

struct key {
	const char *path;              /* "load.warm-up" */
	enum key_type type;
	enum key_scope scope;
	bool wide;
	size_t offset;                 /* in struct values */
	uint64_t least, most;
	const char *const *words;      /* KEY_WORD: in the enum's order, NULL at the end */
	const char *(*names)(unsigned i); /* KEY_NAME: the i-th, NULL behind the last */
	const char *const *later;      /* KEY_NAME: reserved, not supported yet; NULL at the end, or NULL */
	const char *zero;              /* the word for 0 or for nothing: "auto", "off" */
	const char *fallback;          /* the default, as text */
	const char *device;            /* the one device kind it is for, or NULL */
	const char *help;
};

extern const struct key key_table[];
extern const unsigned key_count;

/* The last part of the path: "warm-up". */
const char *key_leaf(const struct key *key);
/* A key by its path, or NULL. */
const struct key *key_find(const char *path);
/* A key by path or, where only one key ends so, by its leaf; else NULL and in
 * *why (size bytes) the sentence that says what is wrong: unknown with the nearest
 * key, or ambiguous. */
const struct key *key_look(const char *name, char *why, size_t size);

/* Reads text into values. 0, or -EINVAL with what was expected in why. */
int key_read(const struct key *key, const char *text, struct values *values, char *why, size_t size);
void keys_default(struct values *values);
/* The value as text that key_read takes, exact; out is returned. */
char *key_print(const struct key *key, const struct values *values, char *out, size_t size);
/* What the value may be, in words: "1 to 1000000, or auto"; out is returned. */
char *key_allowed(const struct key *key, char *out, size_t size);
/* The value for a result: a number for plain counts, else text. New reference. */
json_t *key_json(const struct key *key, const struct values *values);

/* Reads the whole tree (without matrix and rows) over the defaults. marks, of
 * key_count entries, says where each value was written (line 0: a default). */
int keys_read(const struct tree *tree, struct values *values, struct mark *marks);

/* The word among n (NULL ones skipped) nearest to text by edit distance, or NULL
 * where none is near enough to be meant. */
const char *nearest(const char *text, const char *const *words, unsigned n);

/* schema.c: JSON Schema (2020-12) of a scenario. New reference. */
json_t *keys_schema(void);

#endif
