/* SPDX-License-Identifier: BSD-2-Clause */
/* YAML text to tree, by libyaml's documents: they resolve anchors and keep marks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/scenario/tree.h"

struct reader {
	yaml_document_t *document;
	struct sources *sources;
	const char *file;
};

static struct mark reader_mark(const struct reader *reader, const yaml_node_t *node)
{
	return (struct mark){ reader->file, (unsigned)node->start_mark.line + 1,
			      (unsigned)node->start_mark.column + 1 };
}

static struct tree *reader_node(const struct reader *reader, int id, unsigned depth);

static struct tree *reader_scalar(const yaml_node_t *node, const struct mark *mark)
{
	const char *text = (const char *)node->data.scalar.value;
	struct tree *tree;

	if (strlen(text) != node->data.scalar.length) {
		mark_err(mark, "a zero byte inside a text");
		return NULL;
	}
	tree = tree_text(text, mark);
	tree->quoted = node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	return tree;
}

static struct tree *reader_list(const struct reader *reader, const yaml_node_t *node,
				const struct mark *mark, unsigned depth)
{
	OWN_TREE struct tree *list = tree_new(TREE_LIST, mark);

	for (yaml_node_item_t *i = node->data.sequence.items.start;
	     i < node->data.sequence.items.top; i++) {
		struct tree *value = reader_node(reader, *i, depth + 1);

		if (!value)
			return NULL;
		tree_put(list, NULL, &value->mark, value);
	}
	return TAKE_PTR(list);
}

/* YAML's merge key: the keys of the mapping (or mappings) behind << that are not
 * written here. */
static int reader_merge(struct tree *map, const struct tree *value)
{
	if (value->kind == TREE_LIST) {
		for (unsigned i = 0; i < value->count; i++)
			if (value->items[i].value->kind != TREE_MAP ||
			    reader_merge(map, value->items[i].value))
				return mark_err(&value->mark, "<< expects a mapping, as in <<: *anchor");
		return 0;
	}
	if (value->kind != TREE_MAP)
		return mark_err(&value->mark, "<< expects a mapping, as in <<: *anchor");
	for (unsigned i = 0; i < value->count; i++)
		if (!tree_find(map, value->items[i].key))
			tree_put(map, value->items[i].key, &value->items[i].mark,
				 tree_copy(value->items[i].value));
	return 0;
}

static struct tree *reader_map(const struct reader *reader, const yaml_node_t *node,
			       const struct mark *mark, unsigned depth)
{
	OWN_TREE struct tree *map = tree_new(TREE_MAP, mark);
	OWN_TREE struct tree *merged = NULL;

	for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     pair < node->data.mapping.pairs.top; pair++) {
		const yaml_node_t *key = yaml_document_get_node(reader->document, pair->key);
		struct mark key_mark = reader_mark(reader, key);
		OWN_TREE struct tree *name = NULL;
		struct tree_item *twice;
		struct tree *value;

		if (key->type != YAML_SCALAR_NODE) {
			mark_err(&key_mark, "a key must be a plain word");
			return NULL;
		}
		name = reader_scalar(key, &key_mark);
		if (!name)
			return NULL;
		twice = tree_find(map, name->text);
		if (twice || (merged && !strcmp(name->text, "<<"))) {
			mark_err(&key_mark, "key \"%s\" is given twice, first in line %u",
				 name->text, twice ? twice->mark.line : merged->mark.line);
			return NULL;
		}
		value = reader_node(reader, pair->value, depth + 1);
		if (!value)
			return NULL;
		if (!strcmp(name->text, "<<") && !name->quoted)
			merged = value;
		else
			tree_put(map, name->text, &key_mark, value);
	}
	if (merged && reader_merge(map, merged))
		return NULL;
	return TAKE_PTR(map);
}

/* An alias gives the same node again, possibly inside itself: the depth ends that. */
static struct tree *reader_node(const struct reader *reader, int id, unsigned depth)
{
	const yaml_node_t *node = yaml_document_get_node(reader->document, id);
	struct mark mark = reader_mark(reader, node);

	if (depth > TREE_DEPTH_MAX) {
		mark_err(&mark, "nested deeper than %u levels", TREE_DEPTH_MAX);
		return NULL;
	}
	if (++reader->sources->nodes > TREE_NODES_MAX) {
		mark_err(&mark, "more than %u values in all, aliases counted", TREE_NODES_MAX);
		return NULL;
	}
	switch (node->type) {
	case YAML_SCALAR_NODE:
		return reader_scalar(node, &mark);
	case YAML_SEQUENCE_NODE:
		return reader_list(reader, node, &mark, depth);
	default:
		return reader_map(reader, node, &mark, depth);
	}
}

static const char *sources_add(struct sources *sources, const char *name)
{
	char *copy;

	if (sources->count == TREE_FILES_MAX) {
		log_err(0, "%s: more than %u files and settings in one scenario", name,
			TREE_FILES_MAX);
		return NULL;
	}
	copy = strdup(name);
	if (copy)
		sources->names[sources->count++] = copy;
	return copy;
}

static int reader_problem(const yaml_parser_t *parser, const char *file)
{
	struct mark mark = { file, (unsigned)parser->problem_mark.line + 1,
			     (unsigned)parser->problem_mark.column + 1 };

	if (parser->error == YAML_READER_ERROR)
		return log_err(-EINVAL, "%s: byte %zu: not UTF-8 text: %s", file,
			       parser->problem_offset, parser->problem ? parser->problem : "?");
	return mark_err(&mark, "not YAML: %s%s%s", parser->problem ? parser->problem : "?",
			parser->context ? ", " : "", parser->context ? parser->context : "");
}

/* True if nothing but the end of the stream follows. */
static bool reader_at_end(yaml_parser_t *parser, const char *file)
{
	yaml_document_t next;
	const yaml_node_t *root;

	if (!yaml_parser_load(parser, &next)) {
		reader_problem(parser, file);
		return false;
	}
	root = yaml_document_get_root_node(&next);
	if (root) {
		struct mark mark = { file, (unsigned)root->start_mark.line + 1,
				     (unsigned)root->start_mark.column + 1 };

		mark_err(&mark, "a second document: one scenario a file");
	}
	yaml_document_delete(&next);
	return !root;
}

static struct tree *read_parser(yaml_parser_t *parser, struct sources *sources, const char *file)
{
	struct reader reader = { .sources = sources, .file = file };
	OWN_TREE struct tree *tree = NULL;
	yaml_document_t document;

	if (!yaml_parser_load(parser, &document)) {
		reader_problem(parser, file);
		return NULL;
	}
	reader.document = &document;
	if (yaml_document_get_root_node(&document))
		tree = reader_node(&reader, 1, 0);
	else
		tree = tree_text("", &(struct mark){ file, 1, 1 });
	yaml_document_delete(&document);
	if (tree && !reader_at_end(parser, file))
		return NULL;
	return TAKE_PTR(tree);
}

struct tree *tree_read_text(struct sources *sources, const char *name, const char *text)
{
	const char *file = sources_add(sources, name);
	struct tree *tree;
	yaml_parser_t parser;

	if (!file || !yaml_parser_initialize(&parser))
		return NULL;
	/* Some editors mark UTF-8 so; with an encoding given, libyaml takes it for text. */
	if (!strncmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
	tree = read_parser(&parser, sources, file);
	yaml_parser_delete(&parser);
	return tree;
}

/* Reads all of a regular file (or a pipe), NUL at the end; NULL after a line of log. */
static char *file_read(const char *path)
{
	OWN_FILE FILE *f = fopen(path, "re");
	OWN_MEM char *text = NULL;
	struct stat st;
	size_t n;

	if (!f || fstat(fileno(f), &st)) {
		log_err(0, "%s: %s", path, strerror(errno));
		return NULL;
	}
	if (S_ISDIR(st.st_mode)) {
		log_err(0, "%s: is a folder; a scenario is a file", path);
		return NULL;
	}
	text = malloc(TREE_FILE_BYTES_MAX + 1);
	if (!text)
		return NULL;
	n = fread(text, 1, TREE_FILE_BYTES_MAX + 1, f);
	if (n > TREE_FILE_BYTES_MAX || memchr(text, '\0', n)) {
		log_err(0, "%s: %s", path, n > TREE_FILE_BYTES_MAX ?
			"larger than 1 MiB: not a scenario" : "holds zero bytes: not a text");
		return NULL;
	}
	text[n] = '\0';
	return TAKE_PTR(text);
}

struct tree *tree_read_file(struct sources *sources, const char *path)
{
	OWN_MEM char *text = file_read(path);
	OWN_TREE struct tree *tree = text ? tree_read_text(sources, path, text) : NULL;

	if (!tree)
		return NULL;
	if (tree->kind != TREE_MAP) {
		mark_err(&tree->mark, "%s: a scenario is a mapping of keys, such as \"device: fwref\"",
			 tree_is_null(tree) ? "nothing in the file" : "not a mapping");
		return NULL;
	}
	return TAKE_PTR(tree);
}
