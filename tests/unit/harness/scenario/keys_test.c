/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "harness/scenario/keys.h"

/* ---- the table itself ---------------------------------------------------- */

static void test_table(void **state)
{
	(void)state;
	for (unsigned i = 0; i < key_count; i++) {
		const struct key *key = &key_table[i];

		assert_ptr_equal(key_find(key->path), key);
		assert_non_null(key->fallback);
		assert_true(strlen(key->help) > 10);
		assert_int_equal(key->help[strlen(key->help) - 1], '.');
		assert_true((key->type == KEY_WORD) == (key->words != NULL));
		assert_true((key->type == KEY_NAME) == (key->names != NULL));
	}
}

/* Every default, printed and read again, is itself. */
static void test_print_read(void **state)
{
	struct values one, two;

	(void)state;
	keys_default(&one);
	memset(&two, 0, sizeof(two));
	for (unsigned i = 0; i < key_count; i++) {
		char text[256], why[256];

		key_print(&key_table[i], &one, text, sizeof(text));
		assert_int_equal(key_read(&key_table[i], text, &two, why, sizeof(why)), 0);
	}
	assert_memory_equal(&one, &two, sizeof(one));
}

static const struct {
	const char *path, *text, *printed, *json;
} values[] = {
	{ "load.duration", "90s", "90s", "\"90s\"" },
	{ "load.duration", "120s", "2min", "\"2min\"" },
	{ "load.duration", "1.5s", "1500ms", "\"1500ms\"" },
	{ "policy.limit", "4000 kbit/s", "4Mbit", "\"4Mbit\"" },
	{ "policy.limit", "500kB/s", "4Mbit", "\"4Mbit\"" },
	{ "policy.limit", "1234567bit", "1234567bit", "\"1234567bit\"" },
	{ "policy.limit", "off", "off", "\"off\"" },
	{ "policy.burst", "65536", "64KiB", "65536" },
	{ "load.write-size", "auto", "auto", "\"auto\"" },
	{ "load.connections", "10k", "10000", "10000" },
	{ "lab.device-cores", "0,1,2,7", "0-2,7", "\"0-2,7\"" },
	{ "lab.segmentation-offload", "true", "on", "\"on\"" },
	{ "policy.nat", "no", "off", "\"off\"" },
	{ "ip", "6", "6", "6" },
	{ "device.path", "user", "user", "\"user\"" },
	{ "title", "a title", "a title", "\"a title\"" },
};

static void test_values(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(values); i++) {
		const struct key *key = key_find(values[i].path);
		OWN_MEM char *json = NULL;
		struct values v;
		char why[256], printed[256];
		json_t *value;

		keys_default(&v);
		assert_int_equal(key_read(key, values[i].text, &v, why, sizeof(why)), 0);
		assert_string_equal(key_print(key, &v, printed, sizeof(printed)), values[i].printed);
		value = key_json(key, &v);
		json = json_dumps(value, JSON_ENCODE_ANY);
		assert_string_equal(json, values[i].json);
		json_decref(value);
	}
}

/* A value that is refused leaves the old one alone. */
static void test_refused_leaves(void **state)
{
	static const struct { const char *path, *text; } refused[] = {
		{ "load.duration", "5" }, { "policy.limit", "4" }, { "load.connections", "0" },
		{ "lab.device-cores", "3-1" }, { "device.path", "x" }, { "ip", "64" }, { "policy.nat", "2" },
		{ "device.kind", "ipfw" }, { "seed", "99999999999999999999" },
		{ "policy.name", "a name that is longer than what a table can hold, and then some more words behind it" },
	};

	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(refused); i++) {
		struct values before, after;
		char why[256];

		keys_default(&before);
		keys_default(&after);
		assert_int_not_equal(key_read(key_find(refused[i].path), refused[i].text, &after, why, sizeof(why)), 0);
		assert_memory_equal(&before, &after, sizeof(before));
	}
}

static void test_allowed(void **state)
{
	static const struct { const char *path, *allowed; } keys[] = {
		{ "title", "at most 159 bytes" }, { "lab.topology", "direct, bridged or routed" },
		{ "lab.kind", "netns" }, { "ip", "4 or 6" }, { "policy.nat", "on or off" },
		{ "lab.mtu", "576 to 65535" }, { "load.warm-up", "100ms to 10min" },
		{ "lab.device-cores", "cores, or auto" }, { "policy.limit", "1kbit to 1000Gbit, or off" },
		{ "load.window", "4KiB to 1GiB, or auto" },
	};
	char text[128];

	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(keys); i++)
		assert_string_equal(key_allowed(key_find(keys[i].path), text, sizeof(text)), keys[i].allowed);
}

/* ---- names --------------------------------------------------------------- */

static void test_nearest(void **state)
{
	static const char *const words[] = { "connections", "clients", "duration", NULL, "mtu" };
	static const struct { const char *text, *nearest; } near[] = {
		{ "conections", "connections" }, { "clinets", "clients" }, { "duratoin", "duration" },
		{ "mut", "mtu" }, { "connection", "connections" }, { "xyzzy", NULL }, { "", NULL },
		{ "this-is-a-very-long-word-that-no-key-could-ever-be-meant-by", NULL },
	};

	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(near); i++) {
		const char *found = nearest(near[i].text, words, ARRAY_LEN(words));

		if (near[i].nearest)
			assert_string_equal(found, near[i].nearest);
		else
			assert_null(found);
	}
}

static void test_look(void **state)
{
	char why[256];

	(void)state;
	assert_ptr_equal(key_look("load.clients", why, sizeof(why)), key_find("load.clients"));
	assert_ptr_equal(key_look("clients", why, sizeof(why)), key_find("load.clients"));
	assert_ptr_equal(key_look("name", why, sizeof(why)), key_find("name"));
	assert_null(key_look("kind", why, sizeof(why)));
	assert_string_equal(why, "\"kind\" may be lab.kind or device.kind: write it out");
	assert_null(key_look("load", why, sizeof(why)));
}

/* ---- the schema ---------------------------------------------------------- */

static json_t *property(json_t *schema, const char *name)
{
	json_t *properties = json_object_get(schema, "properties");

	assert_non_null(json_object_get(properties, name));
	return json_object_get(properties, name);
}

static void test_schema(void **state)
{
	json_t *schema = keys_schema(), *again;
	OWN_MEM char *text = json_dumps(schema, 0);

	(void)state;
	again = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_true(json_equal(schema, again));
	assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
	for (unsigned i = 0; i < key_count; i++) {
		const char *path = key_table[i].path, *dot = strchr(path, '.');
		char section[32];
		json_t *home = schema;

		if (key_table[i].scope == KEY_ROWS_ONLY)
			home = json_object_get(property(schema, "rows"), "items");
		if (dot) {
			snprintf(section, sizeof(section), "%.*s", (int)(dot - path), path);
			home = property(schema, section);
			if (json_object_get(home, "anyOf"))
				home = json_array_get(json_object_get(home, "anyOf"), 1);
		}
		assert_non_null(json_object_get(property(home, dot ? dot + 1 : path), "description"));
		if (key_table[i].scope == KEY_ROW)
			assert_non_null(property(property(schema, "matrix"), path));
	}
	assert_null(json_object_get(json_object_get(property(schema, "matrix"), "properties"), "kind"));
	json_decref(again);
	json_decref(schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table), cmocka_unit_test(test_print_read), cmocka_unit_test(test_values),
		cmocka_unit_test(test_refused_leaves), cmocka_unit_test(test_allowed), cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_look), cmocka_unit_test(test_schema),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
