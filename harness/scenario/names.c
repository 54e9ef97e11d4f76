/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tables call a device and a policy that have no name of their own. */
#include "harness/scenario/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/scenario/keys.h"

static void add(char *out, size_t size, const char *fmt, ...)
{
	size_t at = strlen(out);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(out + at, size - at, fmt, ap);
	va_end(ap);
}

/* The kind, and each of its own settings that is not the default: "fwref user". */
void name_device(const struct values *values, char *out, size_t size)
{
	snprintf(out, size, "%s", values->device_name);
	if (*out)
		return;
	snprintf(out, size, "%s", values->settings.device.kind);
	for (unsigned i = 0; i < key_count; i++) {
		const struct key *key = &key_table[i];
		char text[64];

		if (!key->device || strcmp(key->device, values->settings.device.kind))
			continue;
		if (strcmp(key_print(key, values, text, sizeof(text)), key->fallback))
			add(out, size, " %s", text);
	}
}

/* "200 filters + inspection + NAT + limit 4Mbit". */
void name_policy(const struct values *values, char *out, size_t size)
{
	const struct policy_settings *p = &values->settings.policy;
	char text[64];

	snprintf(out, size, "%s", values->policy_name);
	if (*out)
		return;
	if (p->filters)
		snprintf(out, size, "%u filter%s", p->filters, p->filters == 1 ? "" : "s");
	else
		snprintf(out, size, "no filters");
	if (p->inspect == INSPECT_TCP)
		add(out, size, " + inspection");
	if (p->nat)
		add(out, size, " + NAT");
	if (p->limit_bps)
		add(out, size, " + limit %s", key_print(key_find("policy.limit"), values, text, sizeof(text)));
	if (p->burst_bytes)
		add(out, size, " + burst %s", key_print(key_find("policy.burst"), values, text, sizeof(text)));
}
