/* SPDX-License-Identifier: BSD-2-Clause */
/* A row of the summary in words. */
#include <stdio.h>
#include <string.h>

#include "harness/report/summary.h"

const char *row_limited_by(const struct row *row)
{
	unsigned all = 0;

	for (int i = 0; i < LIMIT_COUNT; i++)
		all += row->limited[i];
	for (int i = 0; i < LIMIT_COUNT; i++)
		if (2 * row->limited[i] > all)
			return limit_names[i];
	return all ? "mixed" : "-";
}

/* The word in a line that is no comment; names like drop_limit do not count. */
static bool row_limits(const char *policy)
{
	static const char *const blanks = " \t\n;{}";

	for (size_t n; *policy; policy += n) {
		policy += strspn(policy, blanks);
		n = *policy == '#' ? strcspn(policy, "\n") : strcspn(policy, blanks);
		if (n == 5 && !strncmp(policy, "limit", 5))
			return true;
	}
	return false;
}

bool row_has_limit(const struct row *row)
{
	const char *policy = row_policy(row);
	json_t *check;
	size_t k;

	if (row->limited[LIMIT_LIMIT] || (policy && row_limits(policy)))
		return true;
	for (size_t i = 0; i < row->trial_count; i++)
		json_array_foreach(json_object_get(row->trials[i]->record, "checks"), k, check)
			if (json_is_string(json_object_get(check, "name")) &&
			    !strcmp(json_string_value(json_object_get(check, "name")), "limit") &&
			    json_is_boolean(json_object_get(check, "ok")))
				return true;
	return false;
}

static bool row_skips(const char *const *skip, const char *column)
{
	for (; skip && *skip; skip++)
		if (!strcmp(*skip, column))
			return true;
	return false;
}

/* One column in words: a name speaks for itself, a number or a switch wants its
 * column's name. */
static void row_word(const char *column, const char *value, char *out, size_t size)
{
	size_t digits = strspn(value, "0123456789.");

	if (!strcmp(column, "ip"))
		snprintf(out, size, "IPv%s", value);
	else if (!value[digits])
		snprintf(out, size, "%s %s", value, column);
	else if (!strcmp(value, "on") || !strcmp(value, "off"))
		snprintf(out, size, "%s %s", column, value);
	else
		snprintf(out, size, "%s", value);
}

char *row_label(const struct summary *summary, const struct row *row, const char *const *skip,
		char *out, size_t size)
{
	char value[256], word[320];
	size_t used = 0;

	*out = '\0';
	for (size_t i = 0; i < summary->column_count && used < size; i++) {
		const char *column = summary->columns[i];

		if (row_skips(skip, column))
			continue;
		trial_key(row->first, column, value, sizeof(value));
		if (!strcmp(value, "-"))
			continue;
		row_word(column, value, word, sizeof(word));
		used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", word);
	}
	return out;
}

char *row_runs(const struct row *row, char *out, size_t size)
{
	if (row->state_count[TRIAL_OK] == row->trial_count)
		snprintf(out, size, "%zu", row->trial_count);
	else
		snprintf(out, size, "%zu/%zu", row->state_count[TRIAL_OK], row->trial_count);
	return out;
}

const char *row_policy(const struct row *row)
{
	for (size_t i = 0; i < row->trial_count; i++) {
		const char *text = trial_text(row->trials[i], "policy_text");

		if (text && *text)
			return text;
	}
	return NULL;
}
