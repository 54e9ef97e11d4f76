/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *program_find(const char *name, char *out, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", out, size - 1);
	char *slash;

	if (n > 0 && (size_t)n < size - 1) {
		out[n] = '\0';
		slash = strrchr(out, '/');
		if (slash && (size_t)(slash + 1 - out) + strlen(name) < size) {
			strcpy(slash + 1, name);
			if (!access(out, X_OK))
				return out;
		}
	}
	snprintf(out, size, "%s", name);
	return out;
}
