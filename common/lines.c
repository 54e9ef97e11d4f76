/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Drops what was handed out and reads once. Returns bytes read, 0 at the end of
 * the file, -EAGAIN or another -errno. */
static ssize_t lines_fill(struct lines *l, int fd)
{
	ssize_t n;

	if (l->taken) {
		memmove(l->text, l->text + l->taken, l->used - l->taken);
		l->used -= l->taken;
		l->taken = 0;
	}
	if (l->size - l->used < 4096) {
		size_t size = l->size ? 2 * l->size : 16384;
		char *grown = realloc(l->text, size);

		if (!grown)
			return -ENOMEM;
		l->text = grown;
		l->size = size;
	}
	do
		n = read(fd, l->text + l->used, l->size - l->used - 1);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	l->used += (size_t)n;
	return n;
}

static int lines_take(struct lines *l, size_t length, size_t skip, const char **line)
{
	*line = l->text + l->taken;
	l->text[l->taken + length] = '\0';
	l->taken += length + skip;
	return 1;
}

int lines_next(struct lines *l, int fd, const char **line)
{
	for (;;) {
		size_t left = l->used - l->taken;
		char *end = left ? memchr(l->text + l->taken, '\n', left) : NULL;
		ssize_t n;

		if (end)
			return lines_take(l, (size_t)(end - (l->text + l->taken)), 1, line);
		if (left >= LINES_MAX_BYTES)
			return lines_take(l, left, 0, line);
		if (l->ended)
			return left ? lines_take(l, left, 0, line) : -EPIPE;
		n = lines_fill(l, fd);
		if (n == -EAGAIN || n == -EWOULDBLOCK)
			return 0;
		if (n < 0)
			return (int)n;
		l->ended = n == 0;
	}
}

void lines_free(struct lines *l)
{
	free(l->text);
	*l = (struct lines){ 0 };
}
