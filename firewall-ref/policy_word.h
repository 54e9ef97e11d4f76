/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of one line with their columns, and the messages about them. */
#ifndef FIREWALL_REF_POLICY_WORD_H
#define FIREWALL_REF_POLICY_WORD_H

#include <stdbool.h>
#include <stddef.h>

#include "firewall-ref/policy.h"

struct words {
	struct policy *policy;
	const char *line;
	size_t bytes;           /* without the comment */
	size_t at;              /* behind the current word */
	uint32_t column;        /* of the current word, from 1 */
	char word[POLICY_LINE_MAX + 1]; /* "" behind the last one */
};

/* Cuts the comment off. Returns 0, or -EINVAL with a note (too long, a control
 * character). No word is current yet. */
int words_start(struct words *w, struct policy *policy, const char *line, size_t bytes);
/* Makes the next word current; false, and word "", behind the last one. */
bool words_next(struct words *w);
bool words_is(const struct words *w, const char *keyword);
/* The word's place in a NULL-terminated list, or -1. */
int words_in(const struct words *w, const char *const *list);

/* Notes `expected WHAT, got "word"` at the current word, with the nearest
 * keyword of the NULL-terminated list (NULL: none) or, for a word kept for
 * later, that it is not supported yet. Returns -EINVAL. */
int words_expected(const struct words *w, const char *what, const char *const *keywords);
/* Notes a message of its own at a column. Returns -EINVAL. */
int words_refuse(const struct words *w, uint32_t column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Refuses what is left of the line. */
int words_end(struct words *w, const char *const *keywords);

/* Adds a note to the policy (also without words). */
void policy_note(struct policy *policy, enum policy_severity severity, uint32_t line,
		 uint32_t column, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* Makes room for one more element; false: no memory, noted in the policy. */
bool policy_grow(struct policy *policy, void *array, uint32_t *room, uint32_t used, size_t size);

/* One rule; the action is the current word. */
int policy_rule_read(struct words *w);
/* One setting; its first word is the current one. Returns 1 if it is none. */
int policy_setting_read(struct words *w);
extern const char *const policy_first_words[]; /* actions and settings */

#endif
