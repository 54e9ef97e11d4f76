/* SPDX-License-Identifier: BSD-2-Clause */
/* gnuplot's SVG put into the page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "harness/report/html.h"

static char *html_read(const struct page *page, const struct figure *figure)
{
	OWN_MEM char *path = NULL;
	OWN_FILE FILE *file = NULL;
	char *text;
	long size;

	if (asprintf(&path, "%s/plots/%s.svg", page->summary->result.folder, figure->name) < 0)
		return path = NULL, NULL;
	file = fopen(path, "re");
	if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) <= 0 || fseek(file, 0, SEEK_SET))
		return NULL;
	text = calloc(1, (size_t)size + 1);
	if (text && fread(text, 1, (size_t)size, file) != (size_t)size) {
		free(text);
		return NULL;
	}
	return text;
}

/* What follows if text starts with word, else NULL. */
static const char *html_after(const char *text, const char *word)
{
	size_t n = strlen(word);

	return strncmp(text, word, n) ? NULL : text + n;
}

/* Two figures in a page must not share identifiers: each gets the figure's name
 * in front, where it is made and where it is used. */
static void html_identified(FILE *out, const char *svg, const char *name)
{
	static const char *const marks[] = { " id=\"", " id='", "href='#", "href=\"#", "url(#" };

	while (*svg) {
		bool found = false;

		for (size_t i = 0; i < ARRAY_LEN(marks) && !found; i++) {
			const char *after = html_after(svg, marks[i]);

			if (after) {
				fprintf(out, "%s%s-", marks[i], name);
				svg = after;
				found = true;
			}
		}
		if (!found)
			putc(*svg++, out);
	}
}

/* Everything from <svg on, without the XML head, and with a title that says what
 * it shows in place of gnuplot's own. */
static bool html_inline(const struct page *page, const struct figure *figure, const char *caption)
{
	OWN_MEM char *svg = html_read(page, figure);
	char *start = svg ? strstr(svg, "<svg") : NULL;
	char *title = start ? strstr(start, "<title>") : NULL;
	char *body = title ? strstr(title, "</desc>") : NULL;

	if (!body)
		return false;
	*title = '\0';
	fputs("<svg class=\"plot\" role=\"img\"", page->out);
	fputs(start + 4, page->out);
	html_element(page->out, "title", caption);
	html_identified(page->out, body + 7, figure->name);
	return true;
}

void html_figure(const struct page *page, const struct figure *figure, const char *caption)
{
	fprintf(page->out, "<figure%s>\n", figure->trial ? "" : " class=\"wide\"");
	html_element(page->out, "figcaption", caption);
	if (!figure->drawn || !html_inline(page, figure, caption))
		html_element(page->out, "p", *figure->note ? figure->note : "no figure");
	fputs("</figure>\n", page->out);
}
