/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/exit.h"
#include "common/log.h"
#include "common/own.h"
#include "harness/scenario/keys.h"

struct option_row {
	const char *name;              /* without -- */
	char letter;
	unsigned mask;
	const char *argument;          /* NULL: takes none */
	int (*take)(struct options *options, const char *argument);
	const char *help;
};

static int take_json(struct options *o, const char *argument) { (void)argument; o->json = true; return 0; }
static int take_quiet(struct options *o, const char *argument) { (void)argument; o->quiet = true; return 0; }
static int take_dry_run(struct options *o, const char *argument) { (void)argument; o->dry_run = true; return 0; }
static int take_schema(struct options *o, const char *argument) { (void)argument; o->schema = true; return 0; }
static int take_output(struct options *o, const char *argument) { o->output = argument; return 0; }

static int take_text(const char **list, unsigned *count, const char *text)
{
	if (*count == SETTINGS_MAX)
		return log_err(EXIT_USAGE, "more than %d settings: write a scenario that includes the other", SETTINGS_MAX);
	list[(*count)++] = text;
	return 0;
}

/* Settings are kept as copies, because --repeat N is one that is put together here. */
static int take_set(struct options *o, const char *argument)
{
	char *copy = strdup(argument);
	int code = copy ? take_text(o->set, &o->set_count, copy) : EXIT_RUN_FAILED;

	if (code)
		free(copy);
	return code;
}

static int take_repeat(struct options *o, const char *argument)
{
	OWN_MEM char *set = NULL;

	if (asprintf(&set, "repeat=%s", argument) < 0)
		return EXIT_RUN_FAILED;
	return take_set(o, set);
}

static int take_device(struct options *o, const char *argument)
{
	return take_text(o->devices, &o->device_count, argument);
}

static const struct option_row table[] = {
	{ "set", 's', TAKES_SET, "KEY=VALUE", take_set, "override a key of the scenario, such as load.duration=5s" },
	{ "repeat", 'r', TAKES_SET, "N", take_repeat, "repetitions; the same as --set repeat=N" },
	{ "device", 'd', TAKES_SET, "NAME", take_device, "only rows of this device; may be given again" },
	{ "output", 'o', TAKES_OUTPUT, "FOLDER", take_output, "results folder to make (default: results/<date>-<title>-<id>)" },
	{ "dry-run", 'n', TAKES_DRY_RUN, NULL, take_dry_run, "only say what would be done" },
	{ "json", 'J', TAKES_JSON, NULL, take_json, "JSON on stdout instead of a table" },
	{ "schema", '\0', TAKES_SCHEMA, NULL, take_schema, "print the JSON Schema of a scenario" },
	{ "quiet", 'q', TAKES_QUIET, NULL, take_quiet, "no progress on stderr" },
};

static const struct option_row *find(const struct command *command, const char *name, size_t length,
				     char letter)
{
	for (unsigned i = 0; i < ARRAY_LEN(table); i++)
		if ((command->takes & table[i].mask) &&
		    (name ? strlen(table[i].name) == length && !strncmp(table[i].name, name, length) :
			    letter && table[i].letter == letter))
			return &table[i];
	return NULL;
}

static int unknown(const struct command *command, const char *text)
{
	const char *names[ARRAY_LEN(table)], *near;
	char name[64];
	unsigned n = 0;

	snprintf(name, sizeof(name), "%s", text + strspn(text, "-"));
	name[strcspn(name, "=")] = '\0';
	for (unsigned i = 0; i < ARRAY_LEN(table); i++)
		if (command->takes & table[i].mask)
			names[n++] = table[i].name;
	near = text[1] == '-' ? nearest(name, names, n) : NULL;
	return log_err(EXIT_USAGE, "%s: unknown option %s%s%s; `fwbench help %s` lists them", command->name,
		       text, near ? ", did you mean --" : "", near ? near : "", command->name);
}

/* One option at argv[*i]; its argument is behind = or in the next word. */
static int read_option(const struct command *command, char **argv, int *i, struct options *out)
{
	const char *text = argv[*i], *equals = strchr(text, '='), *argument = NULL;
	const struct option_row *row;

	if (text[1] == '-') {
		row = find(command, text + 2, equals ? (size_t)(equals - text - 2) : strlen(text + 2), 0);
		argument = equals ? equals + 1 : NULL;
	} else {
		/* Letters that take nothing may stand together: -nq. */
		while ((row = find(command, NULL, 0, text[1])) && !row->argument && text[2]) {
			row->take(out, NULL);
			text++;
		}
		argument = text[1] && text[2] ? text + 2 : NULL;
	}
	if (!row)
		return unknown(command, argv[*i]);
	if (!row->argument && argument)
		return log_err(EXIT_USAGE, "%s: --%s takes no argument", command->name, row->name);
	if (row->argument && !argument && !(argument = argv[++*i]))
		return log_err(EXIT_USAGE, "%s: --%s needs its argument %s", command->name, row->name,
			       row->argument);
	return row->take(out, argument);
}

int options_read(const struct command *command, int argc, char **argv, struct options *out)
{
	bool only_operands = false;

	for (int i = 0; i < argc; i++) {
		if (!only_operands && !strcmp(argv[i], "--")) {
			only_operands = true;
		} else if (!only_operands && argv[i][0] == '-' && argv[i][1]) {
			int code = read_option(command, argv, &i, out);

			if (code)
				return code;
		} else if (!*command->operand || out->operand) {
			return log_err(EXIT_USAGE, "%s: one word too many: %s", command->name, argv[i]);
		} else {
			out->operand = argv[i];
		}
	}
	if (*command->operand && *command->operand != '[' && !out->operand && !out->schema)
		return log_err(EXIT_USAGE, "%s: %s is missing; usage: fwbench %s [options] %s", command->name,
			       command->operand, command->name, command->operand);
	return 0;
}

void options_help(const struct command *command)
{
	printf("usage: fwbench %s%s%s%s\n\n%s\n", command->name, command->takes ? " [options]" : "",
	       *command->operand ? " " : "", command->operand, command->help);
	if (command->takes)
		printf("\n");
	for (unsigned i = 0; i < ARRAY_LEN(table); i++) {
		char left[64];

		if (!(command->takes & table[i].mask))
			continue;
		snprintf(left, sizeof(left), "--%s%s%s", table[i].name, table[i].argument ? " " : "",
			 table[i].argument ? table[i].argument : "");
		printf("  %c%c%s %-18s  %s\n", table[i].letter ? '-' : ' ',
		       table[i].letter ? table[i].letter : ' ', table[i].letter ? "," : " ", left,
		       table[i].help);
	}
}

void options_free(struct options *options)
{
	for (unsigned i = 0; i < options->set_count; i++)
		free((char *)options->set[i]);
}
