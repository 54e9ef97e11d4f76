/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/harness/report/folder.h"

#include <math.h>
#include <stdarg.h>

#include "harness/report/summary.h"

/* One line of trials.jsonl, short. rate < 0, ms < 0: not measured. */
struct made {
	unsigned row, repetition;
	const char *device, *policy, *state, *limit;
	double rate, ms, busiest;
	int baseline, empty;
};

static void put_number(FILE *out, double value)
{
	fprintf(out, value < 0 ? "null" : "%.10g", value);
}

static void summary_of(struct summary *s, const struct made *made, size_t count, char **folder)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < count; i++) {
		const struct made *m = &made[i];

		fprintf(out, "{\"trial\":%zu,\"row\":%u,\"repetition\":%u,\"state\":\"%s\",\"reason\":\"why %zu\","
			"\"key\":{\"device\":\"%s\",\"policy\":\"%s\"},\"limited_by\":\"%s\","
			"\"connections\":{\"asked\":200,\"open\":%u},\"cpu\":{\"method\":\"softirq\",\"per_gigabit_ms\":",
			i + 1, m->row, m->repetition, m->state, i + 1, m->device, m->policy, m->limit, 200 - m->repetition);
		put_number(out, m->ms);
		fputs(",\"busiest_core_share\":", out);
		put_number(out, m->busiest);
		fputs("},\"rate\":{\"interface_bytes_per_s\":", out);
		put_number(out, m->rate);
		fputs("},\"baseline_row\":", out);
		put_number(out, m->baseline);
		fputs(",\"empty_row\":", out);
		put_number(out, m->empty);
		fputs("}\n", out);
	}
	fclose(out);
	*folder = folder_make();
	folder_write(*folder, "trials.jsonl", text);
	free(text);
	assert_int_equal(summary_read(*folder, s), 0);
}

static void near(double is, double wanted)
{
	if (isnan(wanted) ? !isnan(is) : !(fabs(is - wanted) < 1e-6 * fmax(1, fabs(wanted)))) {
		print_error("%g, wanted %g\n", is, wanted);
		fail();
	}
}

/* Field case 121: a run that failed at nothing and one that was interrupted at
 * half are listed, and in no figure. */
static void summary_failed_stay_out(void **state)
{
	static const struct made made[] = {
		{ 0, 1, "d", "p", "ok", "device", 100e6, 50, .9, -1, -1 },
		{ 0, 2, "d", "p", "failed", "device", 0, 0, 0, -1, -1 },
		{ 0, 3, "d", "p", "interrupted", "device", 50e6, 80, .5, -1, -1 },
		{ 0, 4, "d", "p", "ok", "device", 102e6, 52, .9, -1, -1 },
		{ 0, 5, "d", "p", "unsupported", "", -1, -1, -1, -1, -1 },
	};
	struct summary s;
	char *folder, text[64];

	(void)state;
	summary_of(&s, made, 5, &folder);
	assert_int_equal(s.row_count, 1);
	assert_int_equal(s.rows[0].figure[MEASURE_RATE].n, 2);
	near(s.rows[0].figure[MEASURE_RATE].median, 101e6);
	near(s.rows[0].figure[MEASURE_RATE].least, 100e6);
	near(s.rows[0].figure[MEASURE_PER_GIGABIT].mean, 51);
	near(s.rows[0].open, 196);
	assert_string_equal(row_runs(&s.rows[0], text, sizeof(text)), "2/5");
	summary_free(&s);
	folder_remove(folder);
}

/* Ratios and own cost are taken repetition by repetition. */
static void summary_compares_by_repetition(void **state)
{
	static const struct made made[] = {
		{ 1, 2, "fw", "p", "ok", "device", 300, 110, .5, 0, 2 },
		{ 0, 1, "none", "", "ok", "device", 100, 100, .5, -1, -1 },
		{ 0, 2, "none", "", "ok", "device", 600, 200, .5, -1, -1 },
		{ 1, 1, "fw", "p", "ok", "device", 80, 90, .5, 0, 2 },
		{ 1, 3, "fw", "p", "ok", "device", 70, 90, .5, 0, 2 },
		{ 2, 1, "fw", "empty", "ok", "device", 90, 80, .5, -1, -1 },
		{ 2, 2, "fw", "empty", "ok", "device", 90, 70, .5, -1, -1 },
		{ 0, 3, "none", "", "failed", "device", 70, 90, .5, -1, -1 },
	};
	const struct statistics *f;
	struct summary s;
	char *folder;

	(void)state;
	summary_of(&s, made, 8, &folder);
	assert_int_equal(s.row_count, 3);
	f = s.rows[1].figure;
	assert_int_equal(f[MEASURE_RATIO].n, 2);      /* repetition 3 has no partner that counts */
	near(f[MEASURE_RATIO].median, 0.65);          /* of 0.8 and 0.5 */
	near(f[MEASURE_CPU_RATIO].median, 0.725);     /* of 0.9 and 0.55 */
	near(f[MEASURE_OWN_COST].median, 25);         /* of 10 and 40 */
	assert_int_equal(s.rows[0].figure[MEASURE_RATIO].n, 0);
	summary_free(&s);
	folder_remove(folder);
}

/* Projected capacity: rate over the busiest core's share, from 30 % on, and not
 * where a filter's limit made the rate. */
static void summary_projected(void **state)
{
	static const struct { double share; const char *limit; double wanted; } rows[] = {
		{ .30, "generator", 1000 }, { .299, "generator", NAN }, { 1.0, "device", 300 },
		{ .5, "limit", NAN }, { -1, "generator", NAN }, { 0, "generator", NAN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct made made = { 0, 1, "d", "p", "ok", rows[i].limit, 300, 10, rows[i].share, -1, -1 };
		struct summary s;
		char *folder;

		summary_of(&s, &made, 1, &folder);
		near(s.rows[0].figure[MEASURE_PROJECTED].median, rows[i].wanted);
		summary_free(&s);
		folder_remove(folder);
	}
}

/* ">=" where a rate that the generator set reaches into the median; what limited
 * the row is the majority's. g: generator, d: device. */
static void summary_bounds(void **state)
{
	static const struct { const char *limits; enum bound bound; const char *by; } rows[] = {
		{ "ggg", BOUND_AT_LEAST, "generator" },
		{ "ddd", BOUND_EXACT, "device" },
		{ "gdd", BOUND_AT_LEAST, "device" },  /* the least one may be anywhere */
		{ "dgd", BOUND_AT_LEAST, "device" },  /* the median itself */
		{ "ddg", BOUND_EXACT, "device" },     /* above the median: it stays */
		{ "dg", BOUND_AT_LEAST, "mixed" },
		{ "dd", BOUND_EXACT, "device" },
		{ "dddg", BOUND_EXACT, "device" },
		{ "ddgd", BOUND_AT_LEAST, "device" }, /* half of an even median */
		{ "g", BOUND_AT_LEAST, "generator" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct made made[4];
		size_t n = strlen(rows[i].limits);
		struct summary s;
		char *folder;

		for (size_t k = 0; k < n; k++)
			made[k] = (struct made){ 0, (unsigned)k + 1, "d", "p", "ok",
						 rows[i].limits[k] == 'g' ? "generator" : "device",
						 100 + (double)k, 10, .5, -1, -1 };
		summary_of(&s, made, n, &folder);
		assert_int_equal(s.rows[0].rate_bound, rows[i].bound);
		assert_string_equal(row_limited_by(&s.rows[0]), rows[i].by);
		summary_free(&s);
		folder_remove(folder);
	}
}

/* The sentence says what the figures say. */
static void summary_findings(void **state)
{
	static const struct { double a1, b1, a2, b2; const char *wanted; } rows[] = {
		{ 36, 100, 36, 100, "fw costs 0.36 x other's device CPU per gigabit (median of 2 rows, 0.36)." },
		{ 33, 100, 78, 200, "fw costs 0.36 x other's device CPU per gigabit (median of 2 rows, 0.33-0.39)." },
		{ 200, 100, 400, 100, "other costs 0.38 x fw's device CPU per gigabit (median of 2 rows, 0.25-0.50)." },
		{ 90, 100, 100, 90, "fw and other show no clear difference in device CPU per gigabit: 1.01 x (median of 2 rows, 0.90-1.11)." },
		{ 50, 100, 50, -1, "fw costs 0.50 x other's device CPU per gigabit (one row)." },
		{ -1, -1, -1, -1, "The fastest row moved 104 B/s: fw, p." },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct made made[] = {
			{ 0, 1, "fw", "p", "ok", "device", 104, rows[i].a1, .5, -1, -1 },
			{ 1, 1, "other", "p", "ok", "device", 103, rows[i].b1, .5, -1, -1 },
			{ 2, 1, "fw", "q", "ok", "device", 102, rows[i].a2, .5, -1, -1 },
			{ 3, 1, "other", "q", "ok", "device", 101, rows[i].b2, .5, -1, -1 },
		};
		struct summary s;
		char *folder, text[512];

		summary_of(&s, made, 4, &folder);
		finding_write(&s, text, sizeof(text));
		assert_string_equal(text, rows[i].wanted);
		summary_free(&s);
		folder_remove(folder);
	}
}

/* One device only: against the rows without firewall, by CPU or else by rate. */
static void summary_findings_against_none(void **state)
{
	static const struct { double none, p, q; const char *wanted; } rows[] = {
		{ 100, 150, 250, "fw costs 2.00 x the device CPU per gigabit of the same rows without firewall (median of 2 rows, 1.50-2.50)." },
		{ 100, 90, 120, "fw shows no clear difference from the same rows without firewall in device CPU per gigabit: 1.05 x (median of 2 rows, 0.90-1.20)." },
		{ -1, -1, -1, "fw passes 0.65 x the Bytes/sec of the same rows without firewall (median of 2 rows, 0.50-0.80)." },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct made made[] = {
			{ 0, 1, "none", "", "ok", "device", 100, rows[i].none, .5, -1, -1 },
			{ 1, 1, "fw", "p", "ok", "device", 80, rows[i].p, .5, 0, -1 },
			{ 2, 1, "fw", "q", "ok", "device", 50, rows[i].q, .5, 0, -1 },
		};
		struct summary s;
		char *folder, text[512];

		summary_of(&s, made, 3, &folder);
		finding_write(&s, text, sizeof(text));
		assert_string_equal(text, rows[i].wanted);
		summary_free(&s);
		folder_remove(folder);
	}
}

static void assert_finding(const struct made *made, size_t count, const char *wanted)
{
	struct summary s;
	char *folder, text[1024];

	summary_of(&s, made, count, &folder);
	finding_write(&s, text, sizeof(text));
	assert_string_equal(text, wanted);
	summary_free(&s);
	folder_remove(folder);
}

/* Rows with a limit are not mixed with the others; alone they are compared. */
static void summary_finding_limits(void **state)
{
	static const struct made made[] = {
		{ 0, 1, "fw", "p", "ok", "device", 104, 30, .5, -1, -1 },
		{ 1, 1, "other", "p", "ok", "device", 103, 100, .5, -1, -1 },
		{ 2, 1, "fw", "q", "ok", "device", 102, 50, .5, -1, -1 },
		{ 3, 1, "other", "q", "ok", "device", 101, 100, .5, -1, -1 },
		{ 4, 1, "fw", "q + limit", "ok", "limit", 10, 300, .5, -1, -1 },
		{ 5, 1, "other", "q + limit", "ok", "limit", 10, 200, .5, -1, -1 },
	};

	(void)state;
	assert_finding(made, 6, "fw costs 0.40 x other's device CPU per gigabit (median of 2 rows without a limit, 0.30-0.50).");
	assert_finding(made, 4, "fw costs 0.40 x other's device CPU per gigabit (median of 2 rows, 0.30-0.50).");
	assert_finding(made + 4, 2, "other costs 0.67 x fw's device CPU per gigabit (one row).");
}

/* Each device that differs from no firewall is named, also beside a draw. */
static void summary_finding_names_each(void **state)
{
	static const struct made made[] = {
		{ 0, 1, "none", "", "ok", "device", 100, 100, .5, -1, -1 },
		{ 1, 1, "a", "p", "ok", "device", 90, 150, .5, 0, -1 },
		{ 2, 1, "b", "q", "ok", "device", 80, 300, .5, 0, -1 },
		{ 3, 1, "b", "p", "ok", "device", 90, 120, .5, 0, -1 },
		{ 4, 1, "a", "q", "ok", "device", 90, 250, .5, 0, -1 },
	};

	(void)state;
	assert_finding(made, 3, "a costs 1.50 x the device CPU per gigabit of the same rows without firewall (one row); "
		       "b costs 3.00 x the device CPU per gigabit of the same rows without firewall (one row).");
	assert_finding(made, 5, "b and a show no clear difference in device CPU per gigabit: 1.00 x (median of 2 rows, 0.80-1.20); "
		       "a costs 2.00 x the device CPU per gigabit of the same rows without firewall (median of 2 rows, 1.50-2.50); "
		       "b costs 2.10 x the device CPU per gigabit of the same rows without firewall (median of 2 rows, 1.20-3.00).");
}

/* A policy as loaded has a limit where the word stands, not where a name has it. */
static void summary_policy_limits(void **state)
{
	static const struct { const char *rest; bool wanted; } rows[] = {
		{ "\"policy_text\":\"permit ip between 198.18.64.1 and any limit 4Mbit\"", true },
		{ "\"policy_text\":\"table ip t {\\n\\tlimit limit0 { rate over 5 bytes/second; }\\n}\"", true },
		{ "\"policy_text\":\"counter drop_limit { }\\n# no limit here\\npermit ip from any\"", false },
		{ "\"checks\":[{\"name\":\"limit\",\"ok\":true}]", true },
		{ "\"checks\":[{\"name\":\"limit\",\"ok\":null},{\"name\":5}]", false },
		{ "\"limited_by\":\"limit\"", true },
		{ "\"limited_by\":\"generator\"", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *folder = folder_make(), text[1024];
		struct summary s;

		snprintf(text, sizeof(text), "{\"trial\":1,\"row\":0,\"repetition\":1,\"state\":\"ok\",%s}\n", rows[i].rest);
		folder_write(folder, "trials.jsonl", text);
		assert_int_equal(summary_read(folder, &s), 0);
		assert_int_equal(s.rows[0].has_limit, rows[i].wanted);
		summary_free(&s);
		folder_remove(folder);
	}
}

/* A matrix of both versions asks what IPv6 costs; rates that the generator set
 * answer nothing. */
static void summary_finding_ip(void **state)
{
	static const struct { const char *limit6, *wanted; } rows[] = {
		{ "device", "IPv6 over IPv4 in device CPU per gigabit: no firewall 1.20 x (one row); fw 1.50 x (one row). "
			    "IPv6 over IPv4 in Bytes/sec: no firewall 0.90 x (one row); fw 0.80 x (one row)." },
		{ "generator", "IPv6 over IPv4 in device CPU per gigabit: no firewall 1.20 x (one row); fw 1.50 x (one row). "
			       "IPv6 over IPv4 in Bytes/sec: no firewall 0.90 x (one row)." },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		static const struct { int ip; const char *device; double rate, ms; } made[] = {
			{ 4, "none", 100, 100 }, { 6, "none", 90, 120 }, { 4, "fw", 50, 200 }, { 6, "fw", 40, 300 },
		};
		char *folder = folder_make(), text[4096] = "";
		struct summary s;

		for (size_t k = 0; k < 4; k++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text),
				 "{\"trial\":%zu,\"row\":%zu,\"repetition\":1,\"state\":\"ok\",\"key\":{\"ip\":%d,\"device\":\"%s\"},\"limited_by\":\"%s\","
				 "\"rate\":{\"interface_bytes_per_s\":%g},\"cpu\":{\"per_gigabit_ms\":%g}}\n",
				 k + 1, k, made[k].ip, made[k].device, k == 3 ? rows[i].limit6 : "device", made[k].rate, made[k].ms);
		folder_write(folder, "trials.jsonl", text);
		assert_int_equal(summary_read(folder, &s), 0);
		finding_write(&s, text, sizeof(text));
		assert_string_equal(text, rows[i].wanted);
		summary_free(&s);
		folder_remove(folder);
	}
}

static void summary_finding_of_nothing(void **state)
{
	const struct made made = { 0, 1, "fw", "p", "failed", "device", 5, 5, .5, -1, -1 };
	struct summary s;
	char *folder, text[512], tight[24];

	(void)state;
	summary_of(&s, &made, 1, &folder);
	finding_write(&s, text, sizeof(text));
	assert_string_equal(text, "No trial gave a figure.");
	finding_write(&s, tight, sizeof(tight));
	assert_true(strlen(tight) < sizeof(tight));
	summary_free(&s);
	folder_remove(folder);
}

/* Field case 129: other offloads are never compared, whatever the plan says. */
static void summary_parts_offloads(void **state)
{
	char *folder = folder_make(), text[512];
	struct summary s;

	(void)state;
	folder_write(folder, "trials.jsonl",
		"{\"trial\":1,\"row\":0,\"repetition\":1,\"state\":\"ok\",\"key\":{\"segmentation-offload\":\"on\",\"device\":\"none\"},\"rate\":{\"interface_bytes_per_s\":900},\"cpu\":{\"per_gigabit_ms\":20}}\n"
		"{\"trial\":2,\"row\":1,\"repetition\":1,\"state\":\"ok\",\"key\":{\"segmentation-offload\":\"off\",\"device\":\"fw\"},\"baseline_row\":0,\"rate\":{\"interface_bytes_per_s\":300},\"cpu\":{\"per_gigabit_ms\":90}}\n"
		"{\"trial\":3,\"row\":2,\"repetition\":1,\"state\":\"ok\",\"key\":{\"segmentation-offload\":\"on\",\"device\":\"fw\"},\"baseline_row\":0,\"rate\":{\"interface_bytes_per_s\":600},\"cpu\":{\"per_gigabit_ms\":10}}\n");
	assert_int_equal(summary_read(folder, &s), 0);
	assert_int_equal(s.rows[1].figure[MEASURE_RATIO].n, 0);
	near(s.rows[2].figure[MEASURE_RATIO].median, 2.0 / 3);
	finding_write(&s, text, sizeof(text));
	assert_string_equal(text, "With segmentation offload on: fw costs 0.50 x the device CPU per gigabit of the same rows without firewall (one row). With segmentation offload off: The fastest row moved 300 B/s: segmentation-offload off, fw.");
	summary_free(&s);
	folder_remove(folder);
}

/* In which form the device ran stands in its name, once, in every trial's key. */
static void summary_forms_of_devices(void **state)
{
	static const struct { const char *name, *path, *wanted; } rows[] = {
		{ "fwref", "user", "fwref user" }, { "fwref", "kernel", "fwref" }, { "fwref user", "user", "fwref user" },
		{ "none", "kernel", "none" }, { "fwref", "", "fwref" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (int column = 0; column < 2; column++) {
			char *folder = folder_make(), text[1024], key[64] = "";
			struct summary s;

			if (column)
				snprintf(key, sizeof(key), "\"device\":\"%s\"", rows[i].name);
			/* The first trial failed before its device could tell. */
			snprintf(text, sizeof(text),
				 "{\"trial\":1,\"row\":0,\"repetition\":1,\"state\":\"failed\",\"key\":{%s},\"device\":{\"name\":\"%s\"}}\n"
				 "{\"trial\":2,\"row\":0,\"repetition\":2,\"state\":\"ok\",\"key\":{%s},\"device\":{\"name\":\"%s\",\"path\":\"%s\"}}\n",
				 key, rows[i].name, key, rows[i].name, rows[i].path);
			folder_write(folder, "trials.jsonl", text);
			assert_int_equal(summary_read(folder, &s), 0);
			assert_string_equal(trial_device(s.rows[0].first), rows[i].wanted);
			assert_string_equal(trial_device(s.rows[0].trials[1]), rows[i].wanted);
			if (!column)
				assert_holds(notes_common(&s, text, sizeof(text)), rows[i].wanted);
			summary_free(&s);
			folder_remove(folder);
		}
	}
}

static void summary_forms_mixed(void **state)
{
	char *folder = folder_make();
	struct summary s;

	(void)state;
	folder_write(folder, "trials.jsonl",
		"{\"trial\":1,\"row\":0,\"repetition\":1,\"state\":\"ok\",\"key\":{\"device\":\"fwref\"},\"device\":{\"path\":\"kernel\"}}\n"
		"{\"trial\":2,\"row\":0,\"repetition\":2,\"state\":\"ok\",\"key\":{\"device\":\"fwref\"},\"device\":{\"path\":\"user\"}}\n");
	assert_int_equal(summary_read(folder, &s), 0);
	assert_string_equal(trial_device(s.rows[0].first), "fwref user and kernel");
	summary_free(&s);
	folder_remove(folder);
}

/* What cannot be negative has no interval that is; shares end at 100 %. */
static void summary_intervals(void **state)
{
	static const struct { enum measure measure; double mean, half, low, high; } rows[] = {
		{ MEASURE_RATE, 100, 150, 0, 250 }, { MEASURE_RATE, 100, 50, 50, 150 }, { MEASURE_RATIO, 1, 2, 0, 3 },
		{ MEASURE_OWN_COST, 10, 30, -20, 40 }, { MEASURE_OWN_COST, -10, 5, -15, -5 },
		{ MEASURE_DEVICE_CPU, .9, .3, .6, 1 }, { MEASURE_STEAL, .1, .3, 0, .4 }, { MEASURE_GENERATOR_CPU, 1.01, .1, .91, 1.01 },
		{ MEASURE_RATE, 100, NAN, NAN, NAN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct statistics s = { .n = 3, .mean = rows[i].mean, .half_width = rows[i].half };
		double low, high;

		measure_interval(&measures[rows[i].measure], &s, &low, &high);
		near(low, rows[i].low);
		near(high, rows[i].high);
	}
}

static void hear(void *to, const char *text)
{
	char *heard = to;

	snprintf(heard + strlen(heard), 4096 - strlen(heard), "%s\n", text);
}

static void summary_notes_machine(void **state)
{
	static const struct { const char *environment, *has, *lacks; } rows[] = {
		{ "{\"root\":false,\"lab\":{\"cpu_shares\":false}}", "ordinary user: no cores of its own", "no CPU shares" },
		{ "{\"root\":true,\"lab\":{\"cpu_shares\":false}}", "no CPU shares here", "ordinary user" },
		{ "{\"root\":true,\"lab\":{\"cpu_shares\":true}}", "", "cores of its own" },
		{ "{}", "", "cores of its own" },
	};
	const struct made made = { 0, 1, "fw", "p", "ok", "device", 5, 5, .5, -1, -1 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *folder, heard[4096] = "";
		struct summary s;

		summary_of(&s, &made, 1, &folder);
		summary_free(&s);
		folder_write(folder, "environment.json", rows[i].environment);
		assert_int_equal(summary_read(folder, &s), 0);
		notes_table(&s, 0, hear, heard);
		assert_holds(heard, rows[i].has);
		assert_holds_not(heard, rows[i].lacks);
		summary_free(&s);
		folder_remove(folder);
	}
}

/* Trials that do not count are said to be so once; hidden ones are counted too. */
static void summary_notes_counts(void **state)
{
	char *folder = folder_make(), heard[4096] = "";
	struct summary s;

	(void)state;
	folder_write(folder, "trials.jsonl",
		"{\"trial\":1,\"row\":0,\"repetition\":1,\"state\":\"ok\",\"key\":{},\"cpu\":{\"method\":\"process\"}}\n"
		"{\"trial\":2,\"row\":1,\"repetition\":1,\"state\":\"ok\",\"hidden\":true,\"key\":{},\"cpu\":{\"method\":\"process\"}}\n");
	assert_int_equal(summary_read(folder, &s), 0);
	notes_table(&s, 0, hear, heard);
	assert_holds(heard, "process only in 2 of 2 trials;");
	summary_free(&s);
	folder_write(folder, "trials.jsonl",
		"{\"trial\":1,\"row\":0,\"repetition\":1,\"state\":\"ok\",\"key\":{},\"cpu\":{\"method\":\"none\"}}\n"
		"{\"trial\":2,\"row\":0,\"repetition\":2,\"state\":\"interrupted\",\"reason\":\"interrupted\",\"key\":{}}\n"
		"{\"trial\":3,\"row\":0,\"repetition\":3,\"state\":\"failed\",\"key\":{}}\n");
	assert_int_equal(summary_read(folder, &s), 0);
	*heard = '\0';
	notes_table(&s, 0, hear, heard);
	notes_failures(&s, hear, heard);
	assert_holds(heard, "not measured in 1 of 1 trials that count.");
	assert_holds(heard, "trial 2 (repetition 2) interrupted\n");
	assert_holds(heard, "trial 3 (repetition 3) failed: no reason given\n");
	summary_free(&s);
	folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(summary_failed_stay_out),
		cmocka_unit_test(summary_compares_by_repetition),
		cmocka_unit_test(summary_projected),
		cmocka_unit_test(summary_bounds),
		cmocka_unit_test(summary_findings),
		cmocka_unit_test(summary_findings_against_none),
		cmocka_unit_test(summary_finding_limits),
		cmocka_unit_test(summary_finding_names_each),
		cmocka_unit_test(summary_policy_limits),
		cmocka_unit_test(summary_finding_ip),
		cmocka_unit_test(summary_finding_of_nothing),
		cmocka_unit_test(summary_parts_offloads),
		cmocka_unit_test(summary_forms_of_devices),
		cmocka_unit_test(summary_forms_mixed),
		cmocka_unit_test(summary_notes_machine),
		cmocka_unit_test(summary_intervals),
		cmocka_unit_test(summary_notes_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
