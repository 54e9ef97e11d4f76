/* SPDX-License-Identifier: BSD-2-Clause */
/* What the figures rest on: checks, machine, definitions, scenario. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "harness/report/html.h"

#define CHECKS_MAX 32

struct check_count {
	const char *name;
	size_t ok, failed, unknown;
};

static void html_count(struct check_count *counts, size_t *n, const json_t *check)
{
	const char *name = json_string_value(json_object_get(check, "name"));
	const json_t *ok = json_object_get(check, "ok");
	size_t i = 0;

	if (!name)
		return;
	while (i < *n && strcmp(counts[i].name, name))
		i++;
	if (i == CHECKS_MAX)
		return;
	if (i == *n)
		counts[(*n)++] = (struct check_count){ .name = name };
	if (json_is_true(ok))
		counts[i].ok++;
	else if (json_is_false(ok))
		counts[i].failed++;
	else
		counts[i].unknown++;
}

static void html_item(void *to, const char *text)
{
	html_element(to, "li", text);
}

/* Every check that did not pass, by trial, with what it said, unless the reason
 * of the trial says it already. */
static void html_failed_checks(const struct page *p)
{
	char text[768];

	for (size_t i = 0; i < p->summary->result.trial_count; i++) {
		const struct trial *t = &p->summary->result.trials[i];
		json_t *checks = json_object_get(t->record, "checks"), *check;
		const char *reason = trial_text(t, "reason");
		size_t k;

		json_array_foreach(checks, k, check) {
			const char *name = json_string_value(json_object_get(check, "name"));
			const char *said = json_string_value(json_object_get(check, "text"));

			if (!name || !json_is_false(json_object_get(check, "ok")) ||
			    (reason && said && strstr(reason, said)))
				continue;
			snprintf(text, sizeof(text), "trial %u, check %s: %s", t->trial, name, said ? said : "failed");
			html_item(p->out, text);
		}
	}
}

void html_checks(const struct page *p)
{
	struct check_count counts[CHECKS_MAX];
	size_t n = 0, k;

	for (size_t i = 0; i < p->summary->result.trial_count; i++) {
		json_t *checks = json_object_get(p->summary->result.trials[i].record, "checks"), *check;

		json_array_foreach(checks, k, check)
			html_count(counts, &n, check);
	}
	fputs("<h2>Checks and failures</h2>\n", p->out);
	if (n) {
		fputs("<div class=\"scroll\"><table>\n<thead><tr><th class=\"text\">check</th><th>passed</th><th>failed</th><th>not possible</th></tr></thead>\n<tbody>\n",
		      p->out);
		for (size_t i = 0; i < n; i++) {
			fputs("<tr><td class=\"text\">", p->out);
			escape_html(p->out, counts[i].name);
			fprintf(p->out, "</td><td>%zu</td><td%s>%zu</td><td>%zu</td></tr>\n", counts[i].ok,
				counts[i].failed ? " class=\"bad\"" : "", counts[i].failed, counts[i].unknown);
		}
		fputs("</tbody></table></div>\n", p->out);
	} else {
		fputs("<p>No checks are recorded.</p>\n", p->out);
	}
	if (p->summary->state_count[TRIAL_OK] == p->summary->result.trial_count)
		return;
	fputs("<ul>\n", p->out);
	notes_failures(p->summary, html_item, p->out);
	html_failed_checks(p);
	fputs("</ul>\n", p->out);
}

static void html_value(FILE *out, const json_t *value)
{
	OWN_MEM char *text = NULL;

	if (json_is_string(value))
		escape_html(out, json_string_value(value));
	else if (json_is_null(value))
		fputs("-", out);
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "yes" : "no", out);
	else
		escape_html(out, (text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6))) ?: "-");
}

/* A list whose members are all scalars reads as one line. */
static bool html_flat(const json_t *array)
{
	size_t i;
	json_t *value;

	json_array_foreach(array, i, value)
		if (json_is_object(value) || json_is_array(value))
			return false;
	return true;
}

/* Whatever the file holds, as name and value, nested names joined by a point. */
static void html_tree(FILE *out, const char *prefix, const json_t *value, unsigned depth)
{
	const char *name;
	json_t *child;
	size_t i;
	char path[256];

	if (depth < 6 && json_is_object(value)) {
		json_object_foreach((json_t *)value, name, child) {
			snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix ? "." : "", name);
			html_tree(out, path, child, depth + 1);
		}
		return;
	}
	if (depth < 6 && json_is_array(value) && !html_flat(value)) {
		json_array_foreach(value, i, child) {
			snprintf(path, sizeof(path), "%s.%zu", prefix, i + 1);
			html_tree(out, path, child, depth + 1);
		}
		return;
	}
	fputs("<dt>", out);
	escape_html(out, prefix);
	fputs("</dt><dd>", out);
	if (json_is_array(value)) {
		json_array_foreach(value, i, child) {
			fputs(i ? ", " : "", out);
			html_value(out, child);
		}
	} else {
		html_value(out, value);
	}
	fputs("</dd>\n", out);
}

void html_machine(const struct page *p)
{
	const json_t *environment = p->summary->result.environment;
	const char *name;
	json_t *value;

	fputs("<h2>Machine, kernel, versions, offloads</h2>\n", p->out);
	if (!json_object_size(environment)) {
		fputs("<p>Not recorded.</p>\n", p->out);
		return;
	}
	fputs("<dl>\n", p->out);
	json_object_foreach((json_t *)environment, name, value)
		if (!json_is_object(value) && (!json_is_array(value) || html_flat(value)))
			html_tree(p->out, name, value, 0);
	fputs("</dl>\n", p->out);
	json_object_foreach((json_t *)environment, name, value) {
		if (!json_is_object(value) && (!json_is_array(value) || html_flat(value)))
			continue;
		fputs("<details><summary>", p->out);
		escape_html(p->out, name);
		fputs("</summary><dl>\n", p->out);
		html_tree(p->out, json_is_array(value) ? name : "", value, 0);
		fputs("</dl></details>\n", p->out);
	}
}

static void html_terms(const struct page *p, const char *const (*terms)[2], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fputs("<dt>", p->out);
		escape_html(p->out, terms[i][0]);
		fputs("</dt><dd>", p->out);
		escape_html(p->out, terms[i][1]);
		fputs("</dd>\n", p->out);
	}
}

void html_definitions(const struct page *p)
{
	static const char *const more[][2] = {
		{ "runs", "repetitions that count; 4/5: one of five failed a check or did not end" },
		{ "min-max", "the least and the greatest of the runs that count" },
		{ "95 %", MEASURE_INTERVAL_TEXT },
		{ "no firewall", "Bytes/sec of the same row without firewall, least to greatest: the ceiling and its spread" },
		{ "limited by", "device: its busiest core 95 % busy or packets dropped in its receive queue; generator: one of its cores 95 % busy; link; limit: a filter's; mixed: no majority of the runs" },
		{ "open", "connections open, and asked where they differ" },
		{ ">=", "the generator was the limit: the device may do more" },
	};
	static const char *const checks[][2] = {
		{ "window", "the measured window is as long as the client's traffic in it, and about as long as asked for" },
		{ "permitted", "every connection that a filter permits opened and moved data" },
		{ "stranger", "a client that no filter names got nothing through" },
		{ "peers", "the server saw the addresses it should: behind NAT the NAT address alone, else one a client" },
		{ "limit", "no more was forwarded than the limits' rates allow in the window, with what their bursts still held" },
		{ "accounting", "what entered the device is what the generator sent, to within 1 %, and all of it left or was dropped and counted" },
		{ "saturated", "where the scenario requires it: the device was what limited the trial" },
	};

	fputs("<h2>What the columns mean</h2>\n<dl>\n", p->out);
	for (int m = 0; m < MEASURE_COUNT; m++) {
		const char *const term[1][2] = { { measures[m].heading, measures[m].definition } };

		html_terms(p, term, 1);
	}
	html_terms(p, more, ARRAY_LEN(more));
	fputs("</dl>\n<h2>What the checks mean</h2>\n<dl>\n", p->out);
	html_terms(p, checks, ARRAY_LEN(checks));
	fputs("</dl>\n", p->out);
}

void html_scenario(const struct page *p)
{
	fputs("<h2>Scenario</h2>\n", p->out);
	if (!p->summary->result.scenario) {
		fputs("<p>Not recorded.</p>\n", p->out);
		return;
	}
	fputs("<details><summary>scenario.yaml, with every default; it runs again as it stands</summary>\n", p->out);
	html_element(p->out, "pre", p->summary->result.scenario);
	fputs("</details>\n", p->out);
}
