/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of `fwbench doctor` and environment.json. As a program:
 *   doctor_test print     the rows and the environment, as JSON */
#include <string.h>
#include <sys/wait.h>

#include "harness/probe/probe.h"
#include "tests/unit/skip.h"

static const json_t *row(const json_t *rows, const char *name)
{
	size_t i;
	json_t *r;

	json_array_foreach(rows, i, r)
		if (!strcmp(json_string_value(json_object_get(r, "name")), name))
			return r;
	return NULL;
}

static void each_row_is_whole(void **state)
{
	struct lab_host host = { .why = "the test says so" };
	json_t *rows = doctor_read(&host);
	size_t i;
	json_t *r;

	(void)state;
	assert_true(json_array_size(rows) > 10);
	json_array_foreach(rows, i, r) {
		bool ok = json_is_true(json_object_get(r, "ok"));

		assert_true(json_is_string(json_object_get(r, "name")));
		assert_true(json_is_string(json_object_get(r, "needed_for")));
		assert_true(json_is_boolean(json_object_get(r, "ok")));
		/* What is missing says why, and the way out. */
		assert_true(ok || json_is_string(json_object_get(r, "why")));
		assert_true(ok == json_is_null(json_object_get(r, "way_out")));
	}
	assert_string_equal(json_string_value(json_object_get(row(rows, "namespaces"), "why")),
			    "the test says so");
	assert_true(json_is_false(json_object_get(row(rows, "root"), "ok")));
	assert_true(json_is_false(json_object_get(row(rows, "veth"), "ok")));
	json_decref(rows);
}

static void the_environment_names_the_machine(void **state)
{
	static const char *const texts[] = { "fwbench", "kernel", "cores", "load_average", "compiler" };
	json_t *e = environment_read(NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_true(json_is_string(json_object_get(e, texts[i])));
	assert_true(json_integer_value(json_object_get(e, "memory_bytes")) > 1 << 20);
	assert_true(json_integer_value(json_object_get(e, "core_count")) >= 1);
	assert_null(json_object_get(e, "lab"));
	json_decref(e);
}

static int print(void)
{
	struct settings settings = { .ip = 4, .lab = { .topology = TOPOLOGY_ROUTED, .mtu_bytes = 1500 } };
	struct lab_host host;
	struct lab lab;

	if (lab_enter(&host) || lab_open(&lab, &host, &settings, "doctor"))
		return 1;
	json_dumpf(json_pack("{s:o, s:o}", "doctor", doctor_read(&host), "environment",
			     environment_read(&lab)), stdout, JSON_INDENT(1));
	lab_close(&lab);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_is_whole),
		cmocka_unit_test(the_environment_names_the_machine),
	};

	if (argc == 2 && !strcmp(argv[1], "print"))
		return print();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
