/* SPDX-License-Identifier: BSD-2-Clause */
/* One colour a device, the same in all figures of all reports: a line type of
 * plots/style.gp. */
#include <string.h>

#include "common/own.h"
#include "harness/report/figure.h"

#define COLOUR_OTHERS 6

static const char *const colours[] = { "none", "nftables", "fwref", "fwref user" };

static unsigned colour_known(const char *device)
{
	for (size_t i = 0; i < ARRAY_LEN(colours); i++)
		if (!strcmp(colours[i], device))
			return (unsigned)i + 1;
	return 0;
}

/* Where an unknown device's search for a colour begins: by its name alone (FNV-1a). */
static unsigned colour_hash(const char *device)
{
	unsigned hash = 2166136261u;

	for (const char *p = device; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 16777619u;
	return hash % COLOUR_OTHERS;
}

/* The unknown device that comes after the name in the alphabet, NULL at the end. */
static const char *colour_next(const struct summary *s, const char *name)
{
	const char *next = NULL;

	for (size_t i = 0; i < s->row_count; i++) {
		const char *device = trial_device(s->rows[i].first);

		if (!s->rows[i].hidden && !colour_known(device) && strcmp(device, name) > 0 &&
		    (!next || strcmp(device, next) < 0))
			next = device;
	}
	return next;
}

/* Two devices of one report share a colour only where there are more than colours. */
unsigned figure_colour(const struct summary *summary, const char *device)
{
	unsigned known = colour_known(device), taken = 0, at = colour_hash(device);

	if (known)
		return known;
	for (const char *name = colour_next(summary, ""); name; name = colour_next(summary, name)) {
		at = colour_hash(name);
		while (taken & 1u << at && taken != (1u << COLOUR_OTHERS) - 1)
			at = (at + 1) % COLOUR_OTHERS;
		taken |= 1u << at;
		if (!strcmp(name, device))
			break;
	}
	return (unsigned)ARRAY_LEN(colours) + 1 + at;
}
