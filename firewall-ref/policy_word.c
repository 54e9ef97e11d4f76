/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/policy_word.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"

/* Words that have a meaning in fwref's plans and none in this version. */
static const char *const later[] = {
	"reject", "log", "max-connections", "protect", "bypass", "application", "redirect",
	"nat66", "nptv6", "port-forward", "mapping", "helper", "lock", "flow-cache", "fast-path",
	"ips", "antivirus", "tls", "ftp", "depth", NULL,
};

void policy_note(struct policy *policy, enum policy_severity severity, uint32_t line,
		 uint32_t column, const char *fmt, ...)
{
	struct policy_note *note;
	va_list args;

	if (severity == POLICY_ERROR)
		policy->errors++;
	else
		policy->warnings++;
	/* An error takes the place of the last warning. */
	if (policy->note_count == POLICY_NOTES_MAX &&
	    (severity == POLICY_WARNING ||
	     policy->notes[POLICY_NOTES_MAX - 1].severity == POLICY_ERROR))
		return;
	if (policy->note_count < POLICY_NOTES_MAX)
		policy->note_count++;
	note = &policy->notes[policy->note_count - 1];
	note->severity = severity;
	note->line = line;
	note->column = column;
	va_start(args, fmt);
	vsnprintf(note->text, sizeof(note->text), fmt, args);
	va_end(args);
	for (char *c = note->text; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
}

bool policy_grow(struct policy *policy, void *array, uint32_t *room, uint32_t used, size_t size)
{
	void **at = array, *more;
	uint32_t wanted = *room ? *room * 2 : 64;

	if (used < *room)
		return true;
	while (wanted <= used)
		wanted *= 2;
	more = reallocarray(*at, wanted, size);
	if (!more) {
		policy->out_of_memory = true;
		return false;
	}
	*at = more;
	*room = wanted;
	return true;
}

int words_start(struct words *w, struct policy *policy, const char *line, size_t bytes)
{
	const char *comment = memchr(line, '#', bytes);

	*w = (struct words){ .policy = policy, .line = line, .column = 1 };
	w->bytes = comment ? (size_t)(comment - line) : bytes;
	while (w->bytes && strchr(" \t\r", line[w->bytes - 1]) && line[w->bytes - 1])
		w->bytes--;
	if (w->bytes > POLICY_LINE_MAX)
		return words_refuse(w, POLICY_LINE_MAX + 1, "the line is longer than %d bytes",
				    POLICY_LINE_MAX);
	for (size_t i = 0; i < w->bytes; i++) {
		unsigned char c = (unsigned char)line[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return words_refuse(w, (uint32_t)i + 1,
					    "a control character (0x%02x) is not text", c);
	}
	return 0;
}

static bool words_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool words_next(struct words *w)
{
	size_t n = 0;

	while (w->at < w->bytes && words_blank(w->line[w->at]))
		w->at++;
	w->column = (uint32_t)w->at + 1;
	while (w->at < w->bytes && !words_blank(w->line[w->at]))
		w->word[n++] = w->line[w->at++];
	w->word[n] = '\0';
	return n > 0;
}

bool words_is(const struct words *w, const char *keyword)
{
	return !strcmp(w->word, keyword);
}

int words_in(const struct words *w, const char *const *list)
{
	for (int i = 0; list[i]; i++)
		if (words_is(w, list[i]))
			return i;
	return -1;
}

/* Levenshtein's distance, with the swap of two neighbours counted once. */
static unsigned words_distance(const char *a, const char *b)
{
	unsigned row[3][32] = { { 0 } };
	size_t n = strlen(a), m = strlen(b);

	if (n > 31 || m > 31)
		return 99;
	for (size_t j = 0; j <= m; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *now = row[i % 3], *up = row[(i + 2) % 3], *two = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			unsigned best = up[j - 1] + (a[i - 1] != b[j - 1]);

			best = best < up[j] + 1 ? best : up[j] + 1;
			best = best < now[j - 1] + 1 ? best : now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    two[j - 2] + 1 < best)
				best = two[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[n % 3][m];
}

static const char *words_nearest(const char *word, const char *const *keywords)
{
	const char *nearest = NULL;
	unsigned best = strlen(word) < 4 ? 2 : 3;

	for (; keywords && *keywords; keywords++) {
		unsigned d = words_distance(word, *keywords);

		if (d && d < best && d < strlen(*keywords)) {
			best = d;
			nearest = *keywords;
		}
	}
	return nearest;
}

int words_refuse(const struct words *w, uint32_t column, const char *fmt, ...)
{
	char text[sizeof(((struct policy_note *)0)->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	policy_note(w->policy, POLICY_ERROR, w->policy->line, column, "%s", text);
	return -EINVAL;
}

int words_expected(const struct words *w, const char *what, const char *const *keywords)
{
	const char *nearest;

	if (!*w->word)
		return words_refuse(w, w->column, "expected %s, got the end of the line", what);
	if (words_in(w, later) >= 0)
		return words_refuse(w, w->column, "\"%s\" is not supported yet", w->word);
	nearest = words_nearest(w->word, keywords);
	if (nearest)
		return words_refuse(w, w->column, "expected %s, got \"%.40s\" (did you mean \"%s\"?)",
				    what, w->word, nearest);
	return words_refuse(w, w->column, "expected %s, got \"%.40s\"", what, w->word);
}

int words_end(struct words *w, const char *const *keywords)
{
	if (!words_next(w))
		return 0;
	return words_expected(w, "the end of the line", keywords);
}
