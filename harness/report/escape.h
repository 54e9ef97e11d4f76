/* SPDX-License-Identifier: BSD-2-Clause */
/* Text of others (titles, names, policies) in each of the outputs' languages.
 * Control characters and broken UTF-8 come out as a replacement everywhere. */
#ifndef HARNESS_REPORT_ESCAPE_H
#define HARNESS_REPORT_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Text and attribute values of HTML that is also well-formed XML; line breaks
 * and tabs stay. */
void escape_html(FILE *out, const char *text);
/* One line of running text or a table cell in Markdown: nothing in it is markup. */
void escape_markdown(FILE *out, const char *text);
/* One field, quoted where it has to be (RFC 4180). A text that a spreadsheet
 * would take for a formula gets an apostrophe in front. */
void escape_csv(FILE *out, const char *text);
/* One line for a terminal or a data file of gnuplot: no tabs, no quotes of
 * gnuplot (", \), nothing that moves a cursor. */
void escape_plain(FILE *out, const char *text);
void escape_gnuplot(FILE *out, const char *text);
/* Columns that the text takes on a terminal as escape_plain writes it. */
size_t escape_width(const char *text);

#endif
