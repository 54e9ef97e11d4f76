/* SPDX-License-Identifier: BSD-2-Clause */
/* Looking things up in what store.c read: trial records and scenario.yaml. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "common/own.h"
#include "harness/report/result.h"

static const json_t *record_at(const struct trial *trial, const char *path)
{
	const json_t *at = trial->record;
	char name[64];

	while (at && *path) {
		size_t n = strcspn(path, ".");

		if (n >= sizeof(name))
			return NULL;
		memcpy(name, path, n);
		name[n] = '\0';
		at = json_object_get(at, name);
		path += n + (path[n] == '.');
	}
	return at;
}

double trial_number(const struct trial *trial, const char *path)
{
	const json_t *value = record_at(trial, path);
	double number = json_is_number(value) ? json_number_value(value) : NAN;

	return isfinite(number) ? number : NAN;
}

const char *trial_text(const struct trial *trial, const char *path)
{
	return json_string_value(record_at(trial, path));
}

const char *trial_key(const struct trial *trial, const char *column, char *out, size_t size)
{
	const json_t *value = json_object_get(json_object_get(trial->record, "key"), column);
	OWN_MEM char *text = NULL;

	if (json_is_string(value))
		snprintf(out, size, "%s", json_string_value(value));
	else if (json_is_boolean(value))
		snprintf(out, size, "%s", json_is_true(value) ? "on" : "off");
	else if (!value || json_is_null(value))
		snprintf(out, size, "-");
	else
		snprintf(out, size, "%s", (text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT)) ?: "-");
	return out;
}

const char *trial_device(const struct trial *trial)
{
	return trial_text(trial, "key.device") ?: trial_text(trial, "device.name") ?: "-";
}

static yaml_node_t *record_child(yaml_document_t *document, yaml_node_t *node, const char *name,
				 size_t length)
{
	if (node->type != YAML_MAPPING_NODE)
		return NULL;
	for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
		yaml_node_t *key = yaml_document_get_node(document, p->key);

		if (key->type == YAML_SCALAR_NODE && key->data.scalar.length == length &&
		    !memcmp(key->data.scalar.value, name, length))
			return yaml_document_get_node(document, p->value);
	}
	return NULL;
}

char *result_setting(const struct result *result, const char *path, char *out, size_t size)
{
	yaml_parser_t parser;
	yaml_document_t document;
	yaml_node_t *node;
	char *found = NULL;

	if (!result->scenario || !yaml_parser_initialize(&parser))
		return NULL;
	yaml_parser_set_input_string(&parser, (const unsigned char *)result->scenario,
				     strlen(result->scenario));
	if (!yaml_parser_load(&parser, &document)) {
		yaml_parser_delete(&parser);
		return NULL;
	}
	node = yaml_document_get_root_node(&document);
	while (node && *path) {
		size_t n = strcspn(path, ".");

		node = record_child(&document, node, path, n);
		path += n + (path[n] == '.');
	}
	if (node && node->type == YAML_SCALAR_NODE) {
		snprintf(out, size, "%.*s", (int)node->data.scalar.length,
			 (const char *)node->data.scalar.value);
		found = out;
	}
	yaml_document_delete(&document);
	yaml_parser_delete(&parser);
	return found;
}

const char *result_title(const struct result *result, char *out, size_t size)
{
	const json_t *run = json_object_get(result->environment, "run");
	const char *title = json_string_value(json_object_get(run, "title"));

	if (title)
		snprintf(out, size, "%s", title);
	else if (!result_setting(result, "title", out, size) || !*out)
		snprintf(out, size, "%s", "Firewall benchmark");
	return out;
}
