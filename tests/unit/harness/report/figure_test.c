/* SPDX-License-Identifier: BSD-2-Clause */
/* Field cases 122 and 126: a figure of nothing, and nothing to draw it with,
 * cost the figure, never the report. */
#include "tests/unit/harness/report/folder.h"

#include "harness/report/report.h"

#define HEADER "trial,time_s,omitted,interface_rx_bytes_per_s,interface_tx_bytes_per_s,interface_rx_pps,interface_tx_pps,generator_bps,device_cpu_share,generator_cpu_share,steal_share\n"
#define TRIAL(state, rate, ms) "{\"trial\":1,\"row\":0,\"repetition\":1,\"state\":\"" state "\",\"key\":{\"device\":\"fwref\"}," \
	"\"rate\":{\"interface_bytes_per_s\":" rate "},\"cpu\":{\"method\":\"softirq\",\"per_gigabit_ms\":" ms "}}\n"
#define GOOD TRIAL("ok", "1000000", "50")

static const struct {
	const char *name, *trials, *samples;
	bool rate, cost, graph;  /* is the SVG there? */
} rows[] = {
	{ "all is there", GOOD, HEADER "1,1,0,1,2,,,,.5,.5,0\n1,2,0,3,4,,,,.5,.5,0\n", true, true, true },
	{ "samples missing", GOOD, NULL, true, true, false },
	{ "samples empty", GOOD, "", true, true, false },
	{ "header only", GOOD, HEADER, true, true, false },
	{ "header cut", GOOD, "trial,time_s,om", true, true, false },
	{ "one sample", GOOD, HEADER "1,1,0,1,2,,,,.5,.5,0\n", true, true, false },
	{ "samples of the same second", GOOD, HEADER "1,0,0,1,2,,,,.5,.5,0\n1,0,0,1,2,,,,.5,.5,0\n", true, true, false },
	{ "nothing measured", GOOD, HEADER "1,1,0,,,,,,,,\n1,2,0,,,,,,,,\n", true, true, false },
	{ "all failed", TRIAL("failed", "1000000", "50"), HEADER, false, false, false },
	{ "rate not measured", TRIAL("ok", "null", "50"), HEADER, false, true, false },
	{ "CPU not measured", TRIAL("ok", "1000000", "null"), HEADER, true, false, false },
	{ "no CPU series", GOOD, HEADER "1,1,0,1,2,,,,,,\n1,2,0,3,4,,,,,,\n", true, true, true },
	{ "no generator series", GOOD, HEADER "1,1,0,1,2,,,,.5,,\n1,2,0,3,4,,,,.5,,\n", true, true, true },
	{ "no device series", GOOD, HEADER "1,1,0,1,2,,,,,.5,\n1,2,0,3,4,,,,,.5,\n", true, true, true },
	{ "no rate series", GOOD, HEADER "1,1,0,,,,,,.5,.5,\n1,2,0,,,,,,.5,.5,\n", true, true, true },
	{ "holes", GOOD, HEADER "1,1,0,1,2,,,,,.5,\n1,2,0,,,,,,.5,,\n1,3,0,5,5,,,,.5,.4,\n", true, true, true },
	{ "all equal", GOOD, HEADER "1,1,0,7,0,,,,.5,.5,0\n1,2,0,7,0,,,,.5,.5,0\n", true, true, true },
	{ "all zero", TRIAL("ok", "0", "0"), HEADER "1,1,0,0,0,,,,0,0,0\n1,2,0,0,0,,,,0,0,0\n", true, true, true },
	{ "no trials", "", HEADER, false, false, false },
};

static bool drawn(const char *folder, const char *name)
{
	char path[64];
	bool svg, png;

	snprintf(path, sizeof(path), "plots/%s.svg", name);
	svg = folder_has(folder, path);
	snprintf(path, sizeof(path), "plots/%s.png", name);
	png = folder_has(folder, path);
	assert_int_equal(svg, png);
	return svg;
}

static void assert_no_nan(const char *folder)
{
	static const char *const names[] = { "summary.csv", "summary.json", "report.md" };

	for (size_t i = 0; i < 3; i++) {
		char *text = folder_read(folder, names[i]);

		assert_non_null(text);
		assert_holds_not(text, "nan");
		assert_holds_not(text, "inf,");
		assert_holds_not(text, "NaN");
		free(text);
	}
}

static void figure_of_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *folder = folder_make(), *html;

		folder_write(folder, "trials.jsonl", rows[i].trials);
		if (rows[i].samples)
			folder_write(folder, "samples.csv", rows[i].samples);
		assert_int_equal(report_write(folder), 0);
		if (drawn(folder, "rate") != rows[i].rate || drawn(folder, "cost") != rows[i].cost ||
		    drawn(folder, "trial-001") != rows[i].graph) {
			print_error("%s\n", rows[i].name);
			fail();
		}
		html = folder_read(folder, "report.html");
		assert_holds(html, "</html>");
		assert_int_equal(!strstr(html, "no figure of Bytes/sec"), rows[i].rate);
		assert_int_equal(!strstr(html, "no figure of CPU per Gbit"), rows[i].cost);
		assert_int_equal(!strstr(html, "no graph: ") && *rows[i].trials, rows[i].graph);
		assert_no_nan(folder);
		free(html);
		folder_remove(folder);
	}
}

/* A program that takes gnuplot's place: nothing, one that fails, one without the
 * SVG terminal, one that writes half a file. */
static const struct {
	const char *name, *script, *note;
} gnuplots[] = {
	{ "none", NULL, "gnuplot is not installed" },
	{ "fails", "#!/bin/sh\necho 'no such font' >&2\nexit 1\n", "no such font" },
	{ "says nothing", "#!/bin/sh\nexit 0\n", "gnuplot wrote none" },
	{ "no svg terminal", "#!/bin/sh\nif grep -q \"kind = 'svg'\" /dev/stdin; then\n"
	  "echo 'unknown or ambiguous terminal type' >&2; exit 1; fi\nexit 0\n", "no svg figure: unknown or ambiguous terminal type" },
};

static void figure_without_gnuplot(void **state)
{
	char *former = strdup(getenv("PATH"));

	(void)state;
	for (size_t i = 0; i < sizeof(gnuplots) / sizeof(gnuplots[0]); i++) {
		char *folder = folder_make(), *tools = folder_make(), path[512], *html, *md;

		folder_write(folder, "trials.jsonl", GOOD);
		folder_write(folder, "samples.csv", HEADER "1,1,0,1,2,,,,.5,.5,0\n1,2,0,3,4,,,,.5,.5,0\n");
		/* A figure of an earlier report must not stand for the one that is missing. */
		assert_int_equal(report_write(folder), 0);
		assert_true(drawn(folder, "rate"));
		if (gnuplots[i].script) {
			folder_write(tools, "gnuplot", gnuplots[i].script);
			snprintf(path, sizeof(path), "%s/gnuplot", tools);
			chmod(path, 0755);
		}
		snprintf(path, sizeof(path), "%s%s", tools, gnuplots[i].script ? ":/bin:/usr/bin" : "");
		setenv("PATH", path, 1);
		assert_int_equal(report_write(folder), 0);
		setenv("PATH", former, 1);
		assert_false(drawn(folder, "rate"));
		assert_false(drawn(folder, "trial-001"));
		html = folder_read(folder, "report.html");
		md = folder_read(folder, "report.md");
		assert_holds(html, gnuplots[i].note);
		assert_holds(html, "1.00 MB/s");
		assert_holds(md, gnuplots[i].note);
		assert_true(folder_has(folder, "summary.csv") && folder_has(folder, "summary.json"));
		free(html);
		free(md);
		folder_remove(tools);
		folder_remove(folder);
	}
	free(former);
}

/* One figure that cannot be drawn costs that figure alone. */
static void figure_one_broken(void **state)
{
	static const char *const scripts[] = { "style.gp", "rate.gp", "cost.gp", "trial.gp" };
	char *folder = folder_make(), *share = folder_make(), *html, path[512];

	(void)state;
	snprintf(path, sizeof(path), "%s/plots", share);
	mkdir(path, 0755);
	for (size_t i = 0; i < 4; i++) {
		char *text = folder_read("plots", scripts[i]);

		folder_write(path, scripts[i], i == 1 ? "plot nonsense\n" : text);
		free(text);
	}
	setenv("FWBENCH_SHARE", share, 1);
	folder_write(folder, "trials.jsonl", GOOD);
	folder_write(folder, "samples.csv", HEADER "1,1,0,1,2,,,,.5,.5,0\n1,2,0,3,4,,,,.5,.5,0\n");
	assert_int_equal(report_write(folder), 0);
	assert_false(drawn(folder, "rate"));
	assert_true(drawn(folder, "cost"));
	assert_true(drawn(folder, "trial-001"));
	html = folder_read(folder, "report.html");
	assert_holds(html, "no svg figure: ");
	assert_holds(html, "undefined variable: nonsense");
	free(html);
	folder_remove(share);
	folder_remove(folder);
}

/* A quote in the folder's name is no end of a string. */
static void figure_folder_with_quote(void **state)
{
	char *top = folder_make(), folder[512];

	(void)state;
	snprintf(folder, sizeof(folder), "%s/it's 100 %% \"x\"; $HOME", top);
	assert_int_equal(mkdir(folder, 0755), 0);
	folder_write(folder, "trials.jsonl", GOOD);
	assert_int_equal(report_write(folder), 0);
	assert_true(drawn(folder, "rate"));
	folder_remove(top);
}

/* A device's colour is that of its name, whatever stands beside and before it. */
static void figure_colours(void **state)
{
	static const struct { const char *devices[4], *wanted[4]; } table[] = {
		{ { "none", "nftables", "fwref", "fwref user" },
		  { "\t1\tnone\t", "\t2\tnftables\t", "\t3\tfwref\t", "\t4\tfwref user\t" } },
		{ { "fwref user", "fwref" }, { "\t4\tfwref user\t", "\t3\tfwref\t" } },
		{ { "router" }, { "\t7\trouter\t" } },
		{ { "nftables", "fwref", "router" }, { "\t2\tnftables\t", "\t7\trouter\t" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char *folder = folder_make(), text[2048] = "", *rate, *cost;

		for (size_t k = 0; k < 4 && table[i].devices[k]; k++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text),
				 "{\"trial\":%zu,\"row\":%zu,\"repetition\":1,\"state\":\"ok\",\"key\":{\"device\":\"%s\"},"
				 "\"rate\":{\"interface_bytes_per_s\":5},\"cpu\":{\"per_gigabit_ms\":5}}\n", k + 1, k, table[i].devices[k]);
		folder_write(folder, "trials.jsonl", text);
		assert_int_equal(report_write(folder), 0);
		rate = folder_read(folder, "plots/rate.dat");
		cost = folder_read(folder, "plots/cost.dat");
		for (size_t k = 0; k < 4 && table[i].wanted[k]; k++) {
			assert_holds(rate, table[i].wanted[k]);
			assert_holds(cost, table[i].wanted[k]);
		}
		free(rate);
		free(cost);
		folder_remove(folder);
	}
}

/* Each of a run's graphs, also where no packet went. */
static void figure_all_zero(void **state)
{
	char *folder = folder_copy("results-full"), samples[4096] = HEADER;

	(void)state;
	for (int trial = 1; trial <= 3; trial++)
		for (int second = 1; second <= 3; second++)
			snprintf(samples + strlen(samples), sizeof(samples) - strlen(samples), "%d,%d,0,0,0,0,0,0,0,0,0\n", trial, second);
	folder_write(folder, "samples.csv", samples);
	assert_int_equal(report_write(folder), 0);
	assert_true(drawn(folder, "trial-001") && drawn(folder, "trial-002") && drawn(folder, "trial-003"));
	folder_remove(folder);
}

static void figure_folder_not_writable(void **state)
{
	char *folder = folder_make();

	(void)state;
	folder_write(folder, "trials.jsonl", GOOD);
	folder_write(folder, "plots", "a file where the folder should be");
	assert_int_equal(report_write(folder), 0);
	assert_true(folder_has(folder, "report.html"));
	folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figure_of_nothing),
		cmocka_unit_test(figure_without_gnuplot),
		cmocka_unit_test(figure_one_broken),
		cmocka_unit_test(figure_folder_with_quote),
		cmocka_unit_test(figure_folder_not_writable),
		cmocka_unit_test(figure_colours),
		cmocka_unit_test(figure_all_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
