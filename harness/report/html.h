/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of report.html. All of it is HTML that is well-formed XML too. */
#ifndef HARNESS_REPORT_HTML_H
#define HARNESS_REPORT_HTML_H

#include "harness/report/escape.h"
#include "harness/report/outputs.h"

struct page {
	FILE *out;
	const struct summary *summary;
	const struct grid *grid;
	const struct figures *figures;
};

extern const char html_style[];

/* <name>text</name>, escaped. */
void html_element(FILE *out, const char *name, const char *text);
/* The figure inline, or its note. */
void html_figure(const struct page *page, const struct figure *figure, const char *caption);
/* html_rows.c: for each row its figures, graphs, policy. */
void html_rows(const struct page *page);
/* html_facts.c: checks, machine, definitions, scenario. */
void html_checks(const struct page *page);
void html_machine(const struct page *page);
void html_definitions(const struct page *page);
void html_scenario(const struct page *page);

#endif
