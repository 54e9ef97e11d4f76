/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/own.h"
#include "firewall-ref/policy_word.h"

void policy_init(struct policy *policy, const char *name)
{
	*policy = (struct policy){
		.classifier = POLICY_TUPLE,
		.inspect_tcp = true,
		.flow_table = POLICY_FLOWS_DEFAULT,
	};
	snprintf(policy->name, sizeof(policy->name), "%s", name);
}

void policy_line(struct policy *policy, const char *text, size_t bytes)
{
	struct words w;

	policy->line++;
	if (words_start(&w, policy, text, bytes) || !words_next(&w))
		return;
	if (words_is(&w, "permit") || words_is(&w, "deny"))
		policy_rule_read(&w);
	else if (policy_setting_read(&w) == 1)
		words_expected(&w, "permit, deny or a setting", policy_first_words);
}

int policy_finish(struct policy *policy)
{
	bool permits = false;

	if (policy->out_of_memory)
		return -ENOMEM;
	for (uint32_t i = 0; i < policy->rule_count && !permits; i++)
		permits = policy->rules[i].permit;
	if (!permits && !policy->errors)
		policy_note(policy, POLICY_WARNING, policy->line ? policy->line : 1, 1,
			    "no rule permits anything: every packet is dropped");
	return policy->errors ? -EINVAL : 0;
}

int policy_read_text(struct policy *policy, const char *name, const char *text, size_t bytes)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, which some editors write */

	policy_init(policy, name);
	if (bytes >= sizeof(mark) - 1 && !memcmp(text, mark, sizeof(mark) - 1)) {
		text += sizeof(mark) - 1;
		bytes -= sizeof(mark) - 1;
	}
	if (bytes > POLICY_BYTES_MAX) {
		policy_note(policy, POLICY_ERROR, 1, 1, "more than %u MiB of policy",
			    POLICY_BYTES_MAX >> 20);
		return -EINVAL;
	}
	while (bytes) {
		const char *end = memchr(text, '\n', bytes);
		size_t n = end ? (size_t)(end - text) : bytes;

		policy_line(policy, text, n);
		text += n + (end != NULL);
		bytes -= n + (end != NULL);
	}
	return policy_finish(policy);
}

static int policy_read_failed(struct policy *policy, int error)
{
	policy_note(policy, POLICY_ERROR, 0, 0, "cannot read: %s", strerror(-error));
	return error;
}

/* Reads all of fd, at most POLICY_BYTES_MAX + 1 bytes, into *out. */
static int policy_slurp(int fd, char **out, size_t *bytes)
{
	OWN_MEM char *text = NULL;
	size_t used = 0, room = 0;

	for (;;) {
		ssize_t n;

		if (used == room) {
			char *more = realloc(text, room = room ? room * 2 : 65536);

			if (!more)
				return -ENOMEM;
			text = more;
		}
		n = read(fd, text + used, room - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		used += (size_t)n;
		if (!n || used > POLICY_BYTES_MAX)
			break;
	}
	*out = TAKE_PTR(text);
	*bytes = used;
	return 0;
}

int policy_read_file(struct policy *policy, const char *path)
{
	OWN_FD int fd = -1;
	OWN_MEM char *text = NULL;
	size_t bytes = 0;
	int error;

	policy_init(policy, path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return policy_read_failed(policy, -errno);
	error = policy_slurp(fd, &text, &bytes);
	if (error)
		return policy_read_failed(policy, error);
	return policy_read_text(policy, path, text, bytes);
}

void policy_free(struct policy *policy)
{
	free(policy->rules);
	free(policy->ranges);
	free(policy->texts);
	policy->rules = NULL;
	policy->ranges = NULL;
	policy->texts = NULL;
	policy->rule_count = policy->range_count = policy->texts_bytes = 0;
	policy->rules_room = policy->ranges_room = policy->texts_room = 0;
}

static char *policy_note_text(char *out, size_t size, const struct policy *policy,
			      const struct policy_note *note)
{
	const char *mark = note->severity == POLICY_WARNING ? "warning: " : "";

	if (note->line)
		snprintf(out, size, "%s:%u:%u: %s%s", policy->name, note->line, note->column, mark,
			 note->text);
	else
		snprintf(out, size, "%s: %s%s", policy->name, mark, note->text);
	return out;
}

void policy_note_print(FILE *to, const struct policy *policy, const struct policy_note *note)
{
	char line[512];

	fprintf(to, "%s\n", policy_note_text(line, sizeof(line), policy, note));
}

char *policy_first_error(char *out, size_t size, const struct policy *policy)
{
	if (size)
		*out = '\0';
	for (uint32_t i = 0; i < policy->note_count; i++)
		if (policy->notes[i].severity == POLICY_ERROR)
			return policy_note_text(out, size, policy, &policy->notes[i]);
	if (policy->out_of_memory)
		snprintf(out, size, "%s: no memory for the policy", policy->name);
	return out;
}
