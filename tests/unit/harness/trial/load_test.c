/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/trial/load.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "tests/unit/skip.h"

static const struct {
	const char *line;
	enum load_kind kind;
	bool body;
} lines[] = {
	{ "{\"event\":\"ready\"}", LOAD_READY, true },
	{ "{\"event\":\"measure\",\"time_ns\":12}", LOAD_MEASURE, true },
	{ "{\"event\":\"interval\",\"start_s\":0}", LOAD_INTERVAL, true },
	{ "{\"event\":\"of a later version\"}", LOAD_OTHER, true },
	{ "{\"no event\":1}", LOAD_OTHER, true },
	{ "[1]", LOAD_OTHER, false },
	{ "{\"event\":\"end\"", LOAD_OTHER, false },
	{ "Segmentation fault", LOAD_OTHER, false },
	{ "", LOAD_OTHER, false },
};

static void reads_events(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct load_event event = load_read_event(LOAD_CLIENT, lines[i].line);

		if (event.kind != lines[i].kind || !event.body != !lines[i].body)
			fail_msg("%s: kind %d", lines[i].line, event.kind);
		json_decref(event.body);
	}
}

/* A shell stands in for fwgen's server. */
static void start(struct load *load, const char *script)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	const struct child_options o = { .argv = argv, .netns_fd = -1, .take_out = true, .take_err = true };

	*load = (struct load){ 0 };
	load->side[LOAD_CLIENT].child = (struct child)CHILD_NONE;
	assert_int_equal(child_start(&load->side[LOAD_SERVER].child, &o), 0);
}

static enum load_kind wait_next(struct load *load)
{
	struct load_event event;
	struct pollfd p[LOAD_POLL_MAX];

	while (!load_next(load, &event)) {
		nfds_t n = load_poll(load, p);

		if (!n)
			return LOAD_OTHER;
		assert_true(poll(p, n, 5000) > 0);
	}
	json_decref(event.body);
	return event.kind;
}

static void a_death_is_put_into_words(void **state)
{
	struct load load;

	(void)state;
	start(&load, "echo '{\"event\":\"ready\"}'; echo cannot go on >&2; kill -9 $$");
	assert_int_equal(wait_next(&load), LOAD_READY);
	assert_int_equal(wait_next(&load), LOAD_DEAD);
	assert_string_equal(load.side[LOAD_SERVER].said, "fwgen server: killed by signal 9: cannot go on");
	load_close(&load);
}

static void an_end_is_no_death(void **state)
{
	struct load load;

	(void)state;
	start(&load, "echo '{\"event\":\"end\",\"reason\":\"done\"}'; exit 0");
	assert_int_equal(wait_next(&load), LOAD_END);
	assert_non_null(load.end[LOAD_SERVER]);
	assert_int_equal(wait_next(&load), LOAD_OTHER); /* nothing more to wait for */
	load_close(&load);
}

static void clients_by_default(void **state)
{
	struct settings s = { .load.connections = 1000 };

	(void)state;
	assert_int_equal(load_clients(&s), 500);
	s.load.connections = 20;
	assert_int_equal(load_clients(&s), 20);
	s.policy.present = true;
	s.policy.filters = 7;
	assert_int_equal(load_clients(&s), 7);
	s.load.clients = 3;
	assert_int_equal(load_clients(&s), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_events),
		cmocka_unit_test(a_death_is_put_into_words),
		cmocka_unit_test(an_end_is_no_death),
		cmocka_unit_test(clients_by_default),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
