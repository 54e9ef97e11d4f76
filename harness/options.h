/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of every command, as one table. */
#ifndef HARNESS_OPTIONS_H
#define HARNESS_OPTIONS_H

#include <stdbool.h>

#define SETTINGS_MAX 48 /* --set, --repeat and --device, each */

struct options {
	bool json, quiet, dry_run, schema;
	const char *output;
	unsigned set_count, device_count;
	const char *set[SETTINGS_MAX + 1];     /* NULL at the end, as struct overrides wants it */
	const char *devices[SETTINGS_MAX + 1];
	const char *operand;                   /* FILE, FOLDER, …, or NULL */
};

/* What a command takes. */
enum option_mask {
	TAKES_JSON = 1, TAKES_QUIET = 2, TAKES_DRY_RUN = 4, TAKES_SCHEMA = 8, TAKES_OUTPUT = 16,
	TAKES_SET = 32, /* --set, --repeat and --device */
};

struct command {
	const char *name;
	const char *operand;           /* "FILE", "[FOLDER]", or "" */
	unsigned takes;
	const char *help;              /* one line */
	int (*run)(const struct options *options); /* exit code */
};

/* Reads what stands behind the command's name. 0, or EXIT_USAGE with one line. */
int options_read(const struct command *command, int argc, char **argv, struct options *out);
/* The command's own help on stdout. */
void options_help(const struct command *command);
void options_free(struct options *options);

#endif
