/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ESCAPE_REPLACEMENT 0xfffd

/* The next code point of *text, which moves on. What is no shortest-form UTF-8,
 * a surrogate, a noncharacter that XML forbids or a control character is the
 * replacement character; line breaks and tabs pass. */
static uint32_t escape_next(const char **text)
{
	const unsigned char *p = (const unsigned char *)*text;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
	uint32_t code = length == 1 ? *p : *p & (0x7fu >> length);

	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80 || *p < 0xc0 || *p > 0xf4) {
			*text += 1;
			return ESCAPE_REPLACEMENT;
		}
		code = code << 6 | (p[i] & 0x3f);
	}
	*text += length;
	if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ||
	    (code & 0xfffe) == 0xfffe)
		return ESCAPE_REPLACEMENT;
	if ((code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0))
		return ESCAPE_REPLACEMENT;
	/* Marks that turn the direction of the text around them. */
	if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x2028)
		return ESCAPE_REPLACEMENT;
	return code;
}

static void escape_put(FILE *out, uint32_t code)
{
	if (code < 0x80) {
		putc((int)code, out);
	} else if (code < 0x800) {
		putc((int)(0xc0 | code >> 6), out);
		putc((int)(0x80 | (code & 0x3f)), out);
	} else if (code < 0x10000) {
		putc((int)(0xe0 | code >> 12), out);
		putc((int)(0x80 | (code >> 6 & 0x3f)), out);
		putc((int)(0x80 | (code & 0x3f)), out);
	} else {
		putc((int)(0xf0 | code >> 18), out);
		putc((int)(0x80 | (code >> 12 & 0x3f)), out);
		putc((int)(0x80 | (code >> 6 & 0x3f)), out);
		putc((int)(0x80 | (code & 0x3f)), out);
	}
}

static bool escape_is(uint32_t code, const char *set)
{
	return code && code < 0x80 && strchr(set, (int)code);
}

static uint32_t escape_one_line(uint32_t code)
{
	return code == '\n' || code == '\t' ? ' ' : code;
}

void escape_html(FILE *out, const char *text)
{
	while (*text) {
		uint32_t code = escape_next(&text);

		if (escape_is(code, "<>&\"'"))
			fprintf(out, "&#%u;", code);
		else
			escape_put(out, code);
	}
}

void escape_markdown(FILE *out, const char *text)
{
	while (*text) {
		uint32_t code = escape_one_line(escape_next(&text));

		if (escape_is(code, "<&"))
			fprintf(out, "&#%u;", code);
		else if (escape_is(code, "\\`*_[]|#!~$@>"))
			fprintf(out, "\\%c", (int)code);
		else
			escape_put(out, code);
	}
}

void escape_csv(FILE *out, const char *text)
{
	bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';
	bool formula = *text && strchr("=+-@", *text) && text[1];

	if (quoted)
		putc('"', out);
	if (formula)
		putc('\'', out);
	while (*text) {
		uint32_t code = escape_one_line(escape_next(&text));

		if (code == '"')
			putc('"', out);
		escape_put(out, code);
	}
	if (quoted)
		putc('"', out);
}

void escape_plain(FILE *out, const char *text)
{
	while (*text)
		escape_put(out, escape_one_line(escape_next(&text)));
}

void escape_gnuplot(FILE *out, const char *text)
{
	while (*text) {
		uint32_t code = escape_one_line(escape_next(&text));

		escape_put(out, code == '"' ? '\'' : code == '\\' ? '/' : code);
	}
}

size_t escape_width(const char *text)
{
	size_t n = 0;

	for (; *text; n++)
		escape_next(&text);
	return n;
}
