/* SPDX-License-Identifier: BSD-2-Clause */
/* The same stories told to both builds of the data path: verdicts, reasons and
 * the bytes that leave must be as written, and the same. */
#include "tests/unit/skip.h"

#include "common/own.h"
#include "tests/unit/firewall-ref/native.h"
#include "tests/unit/firewall-ref/story.h"
#ifdef HAVE_BPF
#include "tests/unit/firewall-ref/bpf.h"
#endif

enum { FLOWS = 1024 };

static const char *expect_text(int expect)
{
	return expect == FORWARD ? "forward" : expect == STACK ? "stack" : drop_reason_names[expect];
}

static int outcome(enum verdict verdict, uint32_t reason)
{
	return verdict == VERDICT_FORWARD ? FORWARD : verdict == VERDICT_STACK ? STACK : (int)reason;
}

static bool address_is(const struct frame *f, int offset, enum host host)
{
	uint8_t address[16];

	inet_pton(frame_is_6(f) ? AF_INET6 : AF_INET, host_text[host], address);
	return !memcmp(f->at + FRAME_ETHERNET + offset, address, frame_is_6(f) ? 16 : 4);
}

static void ports_check(struct frame *f, const struct step *s)
{
	const struct packet *p = &s->packet;
	const uint8_t *t = frame_transport(f);
	uint16_t from = s->translated ? s->leaves_from_port : p->from_port;
	uint16_t to = s->translated ? s->leaves_to_port : p->to_port;

	if (p->protocol == 1 || p->protocol == 58) {
		uint16_t identifier = (uint16_t)(t[4] << 8 | t[5]);

		if (!s->any_port)
			assert_int_equal(identifier, from);
		else
			assert_int_not_equal(identifier, p->from_port);
	} else if (p->protocol == 6 || p->protocol == 17) {
		if (!s->any_port)
			assert_int_equal(t[0] << 8 | t[1], from);
		else
			assert_int_not_equal(t[0] << 8 | t[1], p->from_port);
		if (!s->any_port)
			assert_int_equal(t[2] << 8 | t[3], to);
	}
}

/* A forwarded frame against the step and plain sums. */
static void frame_check(struct frame *f, const struct step *s)
{
	const struct packet *p = &s->packet;
	const uint8_t *ip = f->at + FRAME_ETHERNET;
	bool six = frame_is_6(f);
	uint8_t ttl = p->ttl ? p->ttl : 64;

	assert_memory_equal(f->at, native_link[!p->outside], 6);
	assert_int_equal(six ? ip[7] : ip[8], ttl - 1);
	if (!six)
		assert_int_equal(frame_sum(ip, 20, 0), 0xffff);
	assert_true(address_is(f, six ? 8 : 12, s->translated ? s->leaves_from : p->from));
	assert_true(address_is(f, six ? 24 : 16, s->translated ? s->leaves_to : p->to));
	if (p->bend == BEND_UDP_NO_SUM)
		assert_memory_equal(frame_sum_field(f, 17), "\0\0", 2);
	else if (p->protocol == 6 || p->protocol == 17 || p->protocol == 1 || p->protocol == 58)
		assert_int_equal(frame_transport_sum(f), 0xffff);
	ports_check(f, s);
}

static void outcome_check(const struct story *story, size_t i, const char *build, int got)
{
	const struct step *s = &story->step[i];

	if (got != s->expect)
		fail_msg("%s, packet %zu, %s build: %s instead of %s", story->name, i + 1, build,
			 expect_text(got), expect_text(s->expect));
}

static bool story_step(const struct story *story, size_t i)
{
	return i < sizeof(story->step) / sizeof(story->step[0]) &&
	       story->step[i].packet.from != story->step[i].packet.to;
}

/* Untouched unless forwarded. */
static void untouched_check(const struct frame *f, const struct step *s)
{
	struct frame original;

	frame_build(&original, &s->packet);
	assert_memory_equal(f->at, original.at, f->bytes);
}

static void step_native(const struct story *story, size_t i, struct tables *tables,
			struct routes *routes, struct frame *f)
{
	const struct step *s = &story->step[i];
	struct descriptor d;
	enum verdict verdict;

	if (s->reload)
		native_publish(tables, s->reload);
	frame_build(f, &s->packet);
	verdict = native_run(tables, routes, f, &s->packet, (i + 1) * 1000, &d);
	outcome_check(story, i, "native", outcome(verdict, d.reason));
	if (s->expect == FORWARD)
		frame_check(f, s);
	else
		untouched_check(f, s);
}

static void stories_native(void **state)
{
	struct routes routes;

	(void)state;
	native_routes(&routes);
	for (size_t n = 0; n < ARRAY_LEN(stories); n++) {
		struct tables tables;
		struct frame frame;

		assert_int_equal(tables_open(&tables, FLOWS, 64), 0);
		native_publish(&tables, stories[n].policy);
		for (size_t i = 0; story_step(&stories[n], i); i++)
			step_native(&stories[n], i, &tables, &routes, &frame);
		tables_close(&tables);
	}
}

#ifdef HAVE_BPF
static void step_both(const struct story *story, size_t i, struct tables *tables,
		      struct routes *routes, struct path *path)
{
	const struct step *s = &story->step[i];
	struct frame native, kernel;
	uint32_t result;

	step_native(story, i, tables, routes, &native);
	if (s->reload)
		bpf_publish(path, s->reload);
	frame_build(&kernel, &s->packet);
	result = bpf_run(path, &kernel, &s->packet);
	outcome_check(story, i, "kernel", outcome(result & 0xff, result >> 8));
	if (s->expect != FORWARD)
		untouched_check(&kernel, s);
	else
		frame_check(&kernel, s);
	if (!s->any_port && memcmp(native.at, kernel.at, native.bytes))
		fail_msg("%s, packet %zu: the builds send different bytes", story->name, i + 1);
}

/* Filters and totals must agree as well. */
static void counters_check(const struct tables *tables, struct path *path)
{
	struct filter_count filters[64] = { 0 };
	struct path_stats stats = { .filters = filters, .filter_capacity = 64 };
	size_t first = (size_t)tables->active * tables->filter_capacity;

	assert_int_equal(kernel_path_stats(path, &stats), 0);
	assert_memory_equal(&stats.totals.forwarded, &tables->totals.forwarded,
			    sizeof(stats.totals.forwarded));
	assert_memory_equal(&stats.totals.stack, &tables->totals.stack, sizeof(stats.totals.stack));
	assert_memory_equal(stats.totals.drop, tables->totals.drop, sizeof(stats.totals.drop));
	assert_memory_equal(filters, tables->filter_counts + first,
			    tables->setting[tables->active].rules.filters * sizeof(filters[0]));
	assert_int_equal(stats.flows_used, tables->flow_size - tables->free_count);
}

/* Loaded once for all stories; each begins without flows. */
static void tell_both(unsigned features)
{
	struct path *path = NULL;
	struct routes routes;
	struct tables tables;

	SKIP_UNLESS_ROOT();
	if (bpf_lab_enter())
		SKIP_NO_FEATURE("network namespaces");
	if (bpf_load(features, &path))
		SKIP_NO_FEATURE("BPF programs for tc (Linux 5.17, BTF)");
	native_routes(&routes);
	assert_int_equal(tables_open(&tables, FLOWS, 64), 0);
	for (size_t n = 0; n < ARRAY_LEN(stories); n++) {
		native_publish(&tables, stories[n].policy);
		bpf_publish(path, stories[n].policy);
		for (size_t i = 0; story_step(&stories[n], i); i++)
			step_both(&stories[n], i, &tables, &routes, path);
		counters_check(&tables, path);
		assert_int_equal(tables_sweep(&tables, UINT64_MAX), kernel_path_walk(path, SWEEP_ALL));
	}
	tables_close(&tables);
	kernel_path_free(path);
}

static void stories_both(void **state)
{
	(void)state;
	tell_both(FEATURES);
}

static void stories_both_older_kernel(void **state)
{
	(void)state;
	tell_both(0);
}
#else
static void stories_both(void **state)
{
	(void)state;
	SKIP_NO_FEATURE("clang and bpftool at build time");
}

static void stories_both_older_kernel(void **state)
{
	stories_both(state);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stories_native),
		cmocka_unit_test(stories_both),
		cmocka_unit_test(stories_both_older_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
