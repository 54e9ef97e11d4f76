/* SPDX-License-Identifier: BSD-2-Clause */
/* The results folder while a run writes it. A file appears whole, or grows by
 * whole lines that are on the disk before the next trial starts; a line that the
 * disk had no room for is taken back. */
#ifndef HARNESS_RESULTS_H
#define HARNESS_RESULTS_H

#include <jansson.h>

struct results {
	char *folder;       /* owned */
	int folder_fd, trials_fd, samples_fd;
};

/* Makes the folder: path, or where NULL results/<date>-<slug of title>-<id>.
 * An existing folder must be empty. 0 or -errno, logged; *results is closed with
 * results_close also after a failure. */
int results_open(struct results *results, const char *path, const char *title, const char *id);
/* A whole file, under a temporary name until it is complete. 0 or -errno, logged. */
int results_file(const struct results *results, const char *name, const char *text);
/* Appends a trial: its samples (whole lines), then its line. On failure neither
 * is there. 0 or -errno, logged; -ENOSPC says that the disk is full. */
int results_trial(const struct results *results, const json_t *trial, const char *samples);
void results_close(struct results *results);

/* "What 200 filters cost" as "what-200-filters-cost", at most size - 1 bytes. */
char *results_slug(char *out, size_t size, const char *title);

#endif
