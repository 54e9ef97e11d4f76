/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/cores.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void cores_from_set(const cpu_set_t *set, struct cores *out)
{
	struct cores cores = { 0 };

	for (unsigned i = 0; i < CORES_MAX; i++)
		if (CPU_ISSET(i, set))
			cores.core[cores.count++] = (uint16_t)i;
	*out = cores;
}

int cores_read(const char *text, struct cores *out)
{
	cpu_set_t set;
	const char *p = text;

	CPU_ZERO(&set);
	for (;;) {
		char *end;
		unsigned long first, last;

		if (*p < '0' || *p > '9')
			return -EINVAL;
		first = last = strtoul(p, &end, 10);
		if (*end == '-') {
			p = end + 1;
			if (*p < '0' || *p > '9')
				return -EINVAL;
			last = strtoul(p, &end, 10);
		}
		if (last < first || last >= CORES_MAX)
			return -EINVAL;
		for (unsigned long i = first; i <= last; i++)
			CPU_SET(i, &set);
		if (!*end)
			break;
		if (*end != ',')
			return -EINVAL;
		p = end + 1;
	}
	cores_from_set(&set, out);
	return 0;
}

char *cores_print(char *out, size_t size, const struct cores *cores)
{
	size_t n = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < cores->count && n < size; i++) {
		unsigned j = i;

		while (j + 1 < cores->count && cores->core[j + 1] == cores->core[j] + 1)
			j++;
		n += (size_t)snprintf(out + n, size - n, j > i ? "%s%u-%u" : "%s%u", i ? "," : "",
				      cores->core[i], cores->core[j]);
		i = j;
	}
	return out;
}

char *cores_mask(char *out, size_t size, const struct cores *cores)
{
	uint32_t words[CORES_MAX / 32] = { 0 };
	unsigned top = 0;
	size_t n = 0;

	for (unsigned i = 0; i < cores->count; i++) {
		words[cores->core[i] / 32] |= 1u << cores->core[i] % 32;
		if (cores->core[i] / 32 > top)
			top = cores->core[i] / 32;
	}
	for (unsigned w = top + 1; w-- > 0 && n < size;)
		n += (size_t)snprintf(out + n, size - n, w == top ? "%x" : ",%08x", words[w]);
	return out;
}

int cores_allowed(struct cores *out)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return -errno;
	cores_from_set(&set, out);
	return 0;
}

int cores_bind(const struct cores *cores)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (unsigned i = 0; i < cores->count; i++)
		CPU_SET(cores->core[i], &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}
