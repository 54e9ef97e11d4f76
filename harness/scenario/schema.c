/* SPDX-License-Identifier: BSD-2-Clause */
/* The key table as a JSON Schema, for editors that check YAML while one types. */
#include <stdio.h>
#include <string.h>

#include "harness/scenario/keys.h"

static json_t *words_schema(const struct key *key)
{
	json_t *words = json_array();

	for (unsigned i = 0; key->names ? key->names(i) != NULL : key->words[i] != NULL; i++) {
		const char *word = key->names ? key->names(i) : key->words[i];

		/* YAML 1.1 readers take off for a boolean before they see a schema. */
		if (!strcmp(word, "off"))
			json_array_append_new(words, json_false());
		json_array_append_new(words, json_string(word));
	}
	return json_pack("{s:o}", "enum", words);
}

static json_t *number_schema(const struct key *key)
{
	json_t *number = json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", (json_int_t)key->least,
				   "maximum", (json_int_t)key->most);
	json_t *text = json_pack("{s:s, s:s}", "type", "string", "pattern",
				 key->type == KEY_SIZE ? "^[0-9.]+ ?([kMGT]i?)?B?$" : "^[0-9.]+ ?[kM]?$");
	json_t *choice = json_pack("[o, o]", number, text);

	if (key->zero)
		json_array_append_new(choice, json_pack("{s:s}", "const", key->zero));
	return json_pack("{s:o}", "anyOf", choice);
}

static json_t *pattern_schema(const struct key *key, const char *pattern)
{
	json_t *text = json_pack("{s:s, s:s}", "type", "string", "pattern", pattern);
	json_t *choice;

	if (!key->zero)
		return text;
	choice = json_pack("[o, {s:s}]", text, "const", key->zero);
	if (!strcmp(key->zero, "off"))
		json_array_append_new(choice, json_pack("{s:b}", "const", 0));
	return json_pack("{s:o}", "anyOf", choice);
}

/* What one value may be. */
static json_t *value_schema(const struct key *key)
{
	switch (key->type) {
	case KEY_TEXT:
		return json_pack("{s:s, s:I}", "type", "string", "maxLength", (json_int_t)key->most);
	case KEY_NAME:
	case KEY_WORD:
		return words_schema(key);
	case KEY_IP:
		return json_pack("{s:[i, i]}", "enum", 4, 6);
	case KEY_SWITCH:
		return json_pack("{s:[b, b, s, s, s, s]}", "enum", 1, 0, "on", "off", "yes", "no");
	case KEY_RATE:
		return pattern_schema(key, "^[0-9.]+ ?([kMGT]i?)?(bit(/s)?|bps|B(/s|ps)?)$");
	case KEY_TIME:
		return pattern_schema(key, "^[0-9.]+ ?(ns|us|ms|s|min|h)$");
	case KEY_CORES:
		return json_pack("{s:[{s:s}, {s:s}]}", "anyOf", "type", "integer", "type", "string");
	default:
		return number_schema(key);
	}
}

static json_t *key_schema(const struct key *key)
{
	json_t *schema = value_schema(key);

	json_object_set_new(schema, "description", json_string(key->help));
	if (*key->fallback)
		json_object_set_new(schema, "default", json_string(key->fallback));
	return schema;
}

static json_t *object_schema(json_t *properties)
{
	return json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
			 "additionalProperties", 0);
}

/* The properties of a section, "" for the top. */
static json_t *section_properties(const char *section)
{
	json_t *properties = json_object();
	size_t n = strlen(section);

	for (unsigned i = 0; i < key_count; i++) {
		const struct key *key = &key_table[i];
		bool mine = n ? !strncmp(key->path, section, n) && key->path[n] == '.' :
				!strchr(key->path, '.') && key->scope != KEY_ROWS_ONLY;

		if (mine)
			json_object_set_new(properties, key_leaf(key), key_schema(key));
	}
	return properties;
}

/* A device is a name, or a mapping of its keys. */
static json_t *section_schema(const char *section)
{
	json_t *object = object_schema(section_properties(section));

	if (strcmp(section, "device"))
		return object;
	return json_pack("{s:[o, o]}", "anyOf", value_schema(key_find("device.kind")), object);
}

static json_t *one_or_list(json_t *value)
{
	json_t *list = json_pack("{s:s, s:O, s:i}", "type", "array", "items", value, "minItems", 1);

	return json_pack("{s:[o, o]}", "anyOf", value, list);
}

/* Keys that may vary, by path and by leaf where that is enough, each wrapped by
 * wrap (NULL: as they are). */
static json_t *varying(json_t *(*wrap)(json_t *value), bool rows)
{
	static const char *const sections[] = { "device", "policy" };
	json_t *properties = json_object();
	char why[256];

	for (unsigned i = 0; i < key_count; i++) {
		const struct key *key = &key_table[i];
		json_t *value;

		if (key->scope == KEY_FILE || (key->scope == KEY_ROWS_ONLY && !rows))
			continue;
		value = wrap ? wrap(key_schema(key)) : key_schema(key);
		if (key_look(key_leaf(key), why, sizeof(why)) == key)
			json_object_set(properties, key_leaf(key), value);
		json_object_set_new(properties, key->path, value);
	}
	for (unsigned i = 0; i < 2; i++)
		json_object_set_new(properties, sections[i], wrap ? wrap(section_schema(sections[i])) :
				    section_schema(sections[i]));
	return properties;
}

json_t *keys_schema(void)
{
	static const char *const sections[] = { "lab", "load", "device", "policy" };
	json_t *properties = section_properties(""), *rows = varying(NULL, true), *schema;

	for (unsigned i = 0; i < 4; i++)
		json_object_set_new(properties, sections[i], section_schema(sections[i]));
	json_object_set_new(rows, "lab", section_schema("lab"));
	json_object_set_new(rows, "load", section_schema("load"));
	json_object_set_new(properties, "include", one_or_list(json_pack("{s:s}", "type", "string")));
	json_object_set_new(properties, "matrix", object_schema(varying(one_or_list, false)));
	json_object_set_new(properties, "rows", json_pack("{s:s, s:o, s:i}", "type", "array", "items",
							   object_schema(rows), "minItems", 1));
	schema = object_schema(properties);
	json_object_set_new(schema, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
	json_object_set_new(schema, "title", json_string("fwbench scenario"));
	return schema;
}
