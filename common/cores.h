/* SPDX-License-Identifier: BSD-2-Clause */
/* A set of CPU cores as people write it: "0", "0-3", "1,4-5". */
#ifndef COMMON_CORES_H
#define COMMON_CORES_H

#include <stddef.h>
#include <stdint.h>

#define CORES_MAX 256

struct cores {
	unsigned count;
	uint16_t core[CORES_MAX]; /* ascending */
};

/* Returns 0, or -EINVAL and leaves *out untouched. */
int cores_read(const char *text, struct cores *out);
char *cores_print(char *out, size_t size, const struct cores *cores);
/* Hexadecimal mask with a comma every 32 bits, as rps_cpus wants it. */
char *cores_mask(char *out, size_t size, const struct cores *cores);
/* The cores this process may run on. Returns 0 or -errno. */
int cores_allowed(struct cores *out);
/* Binds the calling thread. Returns 0 or -errno. */
int cores_bind(const struct cores *cores);

#endif
