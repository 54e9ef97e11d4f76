/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the other programs of this project are. */
#ifndef COMMON_PROGRAM_H
#define COMMON_PROGRAM_H

#include <stddef.h>

/* Writes the path of a program: the one beside this executable, else the name
 * alone, so that PATH decides. Returns out. */
const char *program_find(const char *name, char *out, size_t size);

#endif
