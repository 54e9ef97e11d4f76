/* SPDX-License-Identifier: BSD-2-Clause */
/* fwbench: what does a firewall cost? */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/exit.h"
#include "common/log.h"
#include "common/own.h"
#include "harness/commands.h"
#include "harness/options.h"
#include "harness/scenario/keys.h"

static const struct command commands[] = {
	{ "run", "FILE", TAKES_SET | TAKES_OUTPUT | TAKES_JSON | TAKES_QUIET | TAKES_DRY_RUN,
	  "Run a scenario; the table on stdout, the path of report.html last.", command_run },
	{ "check", "FILE", TAKES_SET | TAKES_JSON | TAKES_SCHEMA,
	  "Say what is wrong with a scenario, or what it will run and for how long.", command_check },
	{ "report", "[FOLDER]", TAKES_JSON,
	  "Make tables, figures and report of results again (default: the newest).", command_report },
	{ "clean", "", TAKES_DRY_RUN, "Put right what a killed run left behind.", command_clean },
	{ "doctor", "", TAKES_JSON, "Say what this machine can do, and what not, and why.", command_doctor },
	{ "list", "[scenarios|devices|workloads|keys]", TAKES_JSON, "Say what there is to choose from.",
	  command_list },
};

static const struct command *find(const char *name)
{
	for (unsigned i = 0; i < ARRAY_LEN(commands); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static int help(const char *name)
{
	const struct command *command = name ? find(name) : NULL;

	if (command) {
		options_help(command);
		return EXIT_PASS;
	}
	if (name)
		return log_err(EXIT_USAGE, "help: no command %s", name);
	printf("fwbench: what does a firewall cost?\n\nusage: fwbench COMMAND [options]\n\n");
	for (unsigned i = 0; i < ARRAY_LEN(commands); i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].help);
	printf("  %-8s Say more about a command: fwbench help COMMAND.\n\n"
	       "First: fwbench run quick\nMore: man fwbench, man fwbench-scenario\n", "help");
	return EXIT_PASS;
}

static int unknown(const char *name)
{
	const char *names[ARRAY_LEN(commands)], *near;

	for (unsigned i = 0; i < ARRAY_LEN(commands); i++)
		names[i] = commands[i].name;
	near = nearest(name, names, ARRAY_LEN(commands));
	return log_err(EXIT_USAGE, "no command %s%s%s%s; `fwbench help` lists them", name,
		       near ? ", did you mean " : "", near ? near : "", near ? "?" : "");
}

static bool asks_for_help(int argc, char **argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
	return false;
}

/* Debian keeps nft and tc where an ordinary user's PATH does not look. */
static void find_system_programs(void)
{
	const char *path = getenv("PATH");
	OWN_MEM char *wider = NULL;

	if (asprintf(&wider, "%s:/usr/sbin:/sbin", path && *path ? path : "/usr/local/bin:/usr/bin:/bin") < 0)
		wider = NULL;
	else
		setenv("PATH", wider, 1);
}

/* What was printed must have gone out, or the exit code says that it did not. */
static int printed(int code)
{
	bool failed = ferror(stdout);

	failed |= fflush(stdout) != 0;
	return failed && !code ? log_err(EXIT_RUN_FAILED, "cannot write to stdout") : code;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	const struct command *command = name ? find(name) : NULL;
	struct options options = { 0 };
	int code;

	log_start("fwbench", LOG_LEVEL_INFO);
	find_system_programs();
	signal(SIGXFSZ, SIG_IGN); /* ulimit -f: an error of the write, as a full disk is */
	if (!name)
		return log_err(EXIT_USAGE, "a command is missing; `fwbench help` lists them");
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		printf("fwbench %s\n", VERSION);
		return printed(EXIT_PASS);
	}
	if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"))
		return printed(help(argc > 2 ? argv[2] : NULL));
	if (!command)
		return unknown(name);
	if (asks_for_help(argc - 2, argv + 2))
		return printed(help(command->name));
	code = options_read(command, argc - 2, argv + 2, &options);
	if (!code)
		code = command->run(&options);
	options_free(&options);
	return printed(code);
}
