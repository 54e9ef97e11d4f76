/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <string.h>

#include "common/log.h"
#include "common/own.h"
#include "trafficgen/options.h"

enum { WORDS_MAX = 32 };

static enum options_result parse(const char *line, struct options *out)
{
	static char text[512];
	char *argv[WORDS_MAX], *rest = text;
	int argc = 0;

	snprintf(text, sizeof(text), "fwgen %s", line);
	for (char *word; (word = strsep(&rest, " ")) && argc < WORDS_MAX - 1;)
		if (*word)
			argv[argc++] = word;
	argv[argc] = NULL;
	return options_parse(argc, argv, out);
}

static void both_spellings_of_the_role(void **state)
{
	struct options a, b;

	(void)state;
	assert_int_equal(parse("client -c 198.18.0.1 -P 7", &a), OPTIONS_RUN);
	assert_int_equal(parse("-c 198.18.0.1 --parallel 7", &b), OPTIONS_RUN);
	assert_int_equal(a.role, ROLE_CLIENT);
	assert_int_equal(b.role, ROLE_CLIENT);
	assert_int_equal(a.connections, 7);
	assert_int_equal(b.connections, 7);
	assert_int_equal(parse("server -p 5202", &a), OPTIONS_RUN);
	assert_int_equal(parse("-s -p 5202", &b), OPTIONS_RUN);
	assert_int_equal(a.role, ROLE_SERVER);
	assert_int_equal(b.role, ROLE_SERVER);
	assert_int_equal(b.port, 5202);
}

/* Sizes are iperf3's: K is 1024; times are seconds; the same letters. */
static void values_mean_what_iperf3_means(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse("-c ::1 -l 64K -w 1M -t 1.5 -O 2 -i 0 -C reno -J --bidir -B ::2", &o),
			 OPTIONS_RUN);
	assert_int_equal(o.write_bytes, 65536);
	assert_int_equal(o.window_bytes, 1048576);
	assert_int_equal(o.duration_ns, 1500000000);
	assert_int_equal(o.warm_up_ns, 2000000000);
	assert_int_equal(o.interval_ns, 0);
	assert_string_equal(o.congestion, "reno");
	assert_true(o.json && o.bidir && !o.reverse);
	assert_int_equal(options_flags(&o), HELLO_CLIENT_SENDS | HELLO_SERVER_SENDS);
	assert_int_equal(parse("-c ::1 -n 1M -R --verify", &o), OPTIONS_RUN);
	assert_int_equal(o.amount_bytes, 1048576);
	assert_int_equal(o.duration_ns, 0);
	assert_int_equal(options_flags(&o),
			 HELLO_SERVER_SENDS | HELLO_AMOUNT | HELLO_COPY | HELLO_VERIFY);
	assert_int_equal(parse("-c ::1", &o), OPTIONS_RUN);
	assert_int_equal(o.duration_ns, 10000000000ull);
	assert_int_equal(options_flags(&o), HELLO_CLIENT_SENDS);
}

static void isolated_networks_or_said_to_be_mine(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse("-c 10.1.2.0/24,172.31.255.1,192.168.0.1", &o), OPTIONS_RUN);
	assert_int_equal(parse("-c fd00::1,fe80::1,2001:db8::1,2001:2::1", &o), OPTIONS_RUN);
	assert_int_equal(parse("-c 192.0.2.1-192.0.2.9 --public", &o), OPTIONS_RUN);
	assert_int_equal(parse("-c 8.8.8.8 --public", &o), OPTIONS_RUN);
}

static void what_cannot_be_is_refused(void **state)
{
	static const char *const wrong[] = {
		"", "client", "server extra", "-c ::1 -s", "client -s", "-c ::1 -P 0", "-c ::1 -P 1.5",
		"-c ::1 -p 65536", "-c ::1 -p 0", "-c ::1 -t 0", "-c ::1 -t -1", "-c ::1 -t 1 -n 1",
		"-c ::1 -n 0", "-c ::1 -n 1 -O 1", "-c ::1 -R --bidir", "-c ::1 -4", "-c 198.18.0.1 -6",
		"-c ::1 -4 -6", "-c ::1 -B 198.18.0.1", "-c ::1,198.18.0.1",
		"-c ::1 -l 32M", "-c ::1 --frob", "-c ::1 -P", "-c ::1 -i 0.001", "server -P 3",
		"server -R", "client -c ::1 --one-off", "-c ::1 --cores x", "-c ::1 --cores 255",
		"-c ::1 --workload dance", "-c 198.18.0.1-198.18.0.0", "-c ::1 -C morethanfifteenletters",
		"server -B 198.18.0.300", "-c 8.8.8.8", "-c 0.0.0.0/0",
		"-c 10.255.255.255-11.0.0.0", "-c 2606:4700::1", "-c 198.18.0.1,8.8.8.8",
		"-c 224.0.0.1", "-c 255.255.255.255",
	};
	struct options o;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		if (parse(wrong[i], &o) != OPTIONS_WRONG)
			fail_msg("accepted: fwgen %s", wrong[i]);
}

/* Whatever resolves a run is in its result. */
static void all_options_are_told(void **state)
{
	struct options o;
	json_t *object;

	(void)state;
	assert_int_equal(parse("-c 198.18.0.1-198.18.0.4 -P 9 -t 2.5 -R", &o), OPTIONS_RUN);
	object = options_json(&o);
	assert_int_equal(json_integer_value(json_object_get(object, "parallel")), 9);
	assert_string_equal(json_string_value(json_object_get(object, "client")),
			    "198.18.0.1-198.18.0.4");
	assert_true(json_real_value(json_object_get(object, "time")) == 2.5);
	assert_true(json_is_true(json_object_get(object, "reverse")));
	assert_true(json_is_null(json_object_get(object, "bind")));
	assert_string_equal(json_string_value(json_object_get(object, "workload")), "stream");
	assert_true(json_is_string(json_object_get(object, "cores")));
	assert_null(json_object_get(object, "one-off"));
	json_decref(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_spellings_of_the_role),
		cmocka_unit_test(values_mean_what_iperf3_means),
		cmocka_unit_test(isolated_networks_or_said_to_be_mine),
		cmocka_unit_test(what_cannot_be_is_refused), cmocka_unit_test(all_options_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
