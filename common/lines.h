/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of a non-blocking descriptor, whole ones only. */
#ifndef COMMON_LINES_H
#define COMMON_LINES_H

#include <stdbool.h>
#include <stddef.h>

#define LINES_MAX_BYTES (16u << 20) /* a longer line is cut here: the writer is broken */

struct lines {
	char *text;
	size_t used, size;
	size_t taken; /* bytes of text that were handed out already */
	bool ended;
};

/* Hands out the next line without its newline; it stays valid until the next
 * call. Returns 1 with *line, 0 when there is none yet, -EPIPE at the end of
 * the file (a last line without newline is handed out before), or -errno. */
int lines_next(struct lines *lines, int fd, const char **line);
void lines_free(struct lines *lines);

#endif
