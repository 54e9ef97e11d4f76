/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <stdlib.h>
#include <string.h>

#include "harness/report/escape.h"

#define BAD "\xef\xbf\xbd"

static const struct {
	void (*escape)(FILE *, const char *);
	const char *text, *wanted;
} rows[] = {
	{ escape_html, "<b a=\"x\">&'", "&#60;b a=&#34;x&#34;&#62;&#38;&#39;" },
	{ escape_html, "a\tb\nc", "a\tb\nc" },
	{ escape_html, "\x1b[31m\x7f", BAD "[31m" BAD },
	{ escape_html, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ escape_html, "cut\xe2\x82", "cut" BAD BAD },                /* in the middle of a character */
	{ escape_html, "\xc0\xaf\xff", BAD BAD },                     /* overlong, never a first byte */
	{ escape_html, "\xed\xa0\x80|\xef\xbf\xbe", BAD "|" BAD },    /* surrogate, noncharacter */
	{ escape_html, "\xf5\x80\x80\x80", BAD BAD BAD BAD },         /* above U+10FFFF */
	{ escape_html, "\xe2\x80\xae" "abc", BAD "abc" },             /* right-to-left override */
	{ escape_markdown, "a|b*c_d`e[f](g)<h>&#!", "a\\|b\\*c\\_d\\`e\\[f\\](g)&#60;h\\>&#38;\\#\\!" },
	{ escape_markdown, "x\n# y", "x \\# y" },
	{ escape_csv, "plain", "plain" },
	{ escape_csv, "a,b", "\"a,b\"" },
	{ escape_csv, "say \"x\"", "\"say \"\"x\"\"\"" },
	{ escape_csv, "=1+1", "'=1+1" },
	{ escape_csv, "two\nlines", "\"two lines\"" },
	{ escape_plain, "a\tb\033[2J", "a b" BAD "[2J" },
	{ escape_gnuplot, "\"x\"\\n", "'x'/n" },
	{ escape_gnuplot, "", "" },
};

static void escape_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		rows[i].escape(out, rows[i].text);
		fclose(out);
		assert_string_equal(text, rows[i].wanted);
		free(text);
	}
}

static void escape_widths(void **state)
{
	(void)state;
	assert_int_equal(escape_width(""), 0);
	assert_int_equal(escape_width("abc"), 3);
	assert_int_equal(escape_width("\xc3\xa9\xe2\x82\xac"), 2);
	assert_int_equal(escape_width("\xff\xfe"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escape_table),
		cmocka_unit_test(escape_widths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
