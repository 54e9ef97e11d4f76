/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/scenario/resolve.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "common/log.h"
#include "common/own.h"

static int emit(yaml_emitter_t *emitter, yaml_event_t *event)
{
	return yaml_emitter_emit(emitter, event) ? 0 : -1;
}

/* Letters, digits and a few signs inside: the same text in every YAML context. */
static bool is_plain(const char *text)
{
	size_t n = strlen(text);

	if (!n || !isalnum((unsigned char)text[0]) || text[n - 1] == ' ' || !strcmp(text, "null"))
		return false;
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ._/+-") == n;
}

static int emit_scalar(yaml_emitter_t *emitter, const char *text, bool quoted)
{
	yaml_event_t event;

	if (!yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text, (int)strlen(text),
					  1, 1, quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE :
					  YAML_PLAIN_SCALAR_STYLE))
		return -1;
	return emit(emitter, &event);
}

/* {kind: fwref, name: ""} is how `device: fwref` is kept; write it as it was. */
static const struct tree *short_device(const struct tree *tree)
{
	const struct tree_item *kind = tree_find(tree, "kind"), *name = tree_find(tree, "name");

	return tree->count == 2 && kind && kind->value->kind == TREE_SCALAR && name &&
	       name->value->kind == TREE_SCALAR && !*name->value->text ? kind->value : NULL;
}

/* Mappings below the second level, and lists of scalars, stay on one line. */
static int emit_tree(yaml_emitter_t *emitter, const struct tree *tree, unsigned depth)
{
	const struct tree *device = short_device(tree);
	bool flow = depth >= 2 && tree->kind == TREE_MAP;
	yaml_event_t event;
	int ok;

	if (device)
		tree = device;
	if (tree->kind == TREE_SCALAR)
		return tree_is_null(tree) ? emit_scalar(emitter, "~", false) :
			emit_scalar(emitter, tree->text, !is_plain(tree->text));
	if (tree->kind == TREE_LIST) {
		flow = tree->count && tree->items[0].value->kind == TREE_SCALAR;
		ok = yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, flow ?
			YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE);
	} else {
		ok = yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, flow ?
			YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE);
	}
	if (!ok || emit(emitter, &event))
		return -1;
	for (unsigned i = 0; i < tree->count; i++)
		if ((tree->kind == TREE_MAP && emit_scalar(emitter, tree->items[i].key, false)) ||
		    emit_tree(emitter, tree->items[i].value, depth + 1))
			return -1;
	ok = tree->kind == TREE_LIST ? yaml_sequence_end_event_initialize(&event) :
				       yaml_mapping_end_event_initialize(&event);
	return ok ? emit(emitter, &event) : -1;
}

static int emit_document(yaml_emitter_t *emitter, const struct tree *tree)
{
	yaml_event_t event;

	if (!yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING) || emit(emitter, &event) ||
	    !yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1) || emit(emitter, &event) ||
	    emit_tree(emitter, tree, 0) ||
	    !yaml_document_end_event_initialize(&event, 1) || emit(emitter, &event) ||
	    !yaml_stream_end_event_initialize(&event) || emit(emitter, &event))
		return -1;
	return 0;
}

static int to_stream(void *file, unsigned char *text, size_t size)
{
	return fwrite(text, 1, size, file) == size;
}

/* Every key of the file with its value, in the order of the table. */
static struct tree *resolved_tree(const struct tree *root, const struct values *values)
{
	static const char *const lists[] = { "matrix", "rows" };
	struct tree *tree = tree_new(TREE_MAP, &root->mark);

	for (unsigned i = 0; i < key_count; i++) {
		const struct key *key = &key_table[i];
		const char *dot = strchr(key->path, '.');
		struct tree *home = tree, *value;
		char section[32], text[1024];

		key_print(key, values, text, sizeof(text));
		if (key->scope == KEY_ROWS_ONLY || (key->type == KEY_TEXT && !*text))
			continue;
		if (dot) {
			snprintf(section, sizeof(section), "%.*s", (int)(dot - key->path), key->path);
			/* A scenario without a policy has none as a column either. */
			if (!strcmp(section, "policy") && !tree_find(root, section))
				continue;
			home = tree_section(tree, section, &root->mark);
		}
		value = tree_text(text, &root->mark);
		value->quoted = key->type == KEY_TEXT;
		tree_put(home, dot ? dot + 1 : key->path, &root->mark, value);
	}
	for (unsigned i = 0; i < ARRAY_LEN(lists); i++) {
		const struct tree_item *item = tree_find(root, lists[i]);

		if (item)
			tree_put(tree, lists[i], &item->mark, tree_copy(item->value));
	}
	return tree;
}

char *resolve_yaml(const struct tree *root, const struct values *values)
{
	OWN_TREE struct tree *tree = resolved_tree(root, values);
	OWN_MEM char *text = NULL;
	OWN_FILE FILE *stream = NULL;
	yaml_emitter_t emitter;
	size_t size;
	int err;

	stream = open_memstream(&text, &size);
	if (!stream || !yaml_emitter_initialize(&emitter)) {
		log_err(0, "out of memory");
		return NULL;
	}
	fprintf(stream, "# Resolved by fwbench %s: every key with its value.\n", VERSION);
	yaml_emitter_set_output(&emitter, to_stream, stream);
	yaml_emitter_set_width(&emitter, 100);
	yaml_emitter_set_unicode(&emitter, 1);
	err = emit_document(&emitter, tree);
	if (err)
		log_err(0, "the scenario cannot be written as YAML: %s", emitter.problem ? emitter.problem : "?");
	yaml_emitter_delete(&emitter);
	if (fflush(stream) || err)
		return NULL;
	fclose(TAKE_PTR(stream));
	return TAKE_PTR(text);
}
