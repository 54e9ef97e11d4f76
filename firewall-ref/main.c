/* SPDX-License-Identifier: BSD-2-Clause */
/* fwref, the reference firewall: subcommands as a table. */
#include <stdio.h>
#include <string.h>

#include "common/exit.h"
#include "common/log.h"
#include "common/own.h"
#include "firewall-ref/control.h"
#include "firewall-ref/options.h"
#include "firewall-ref/policy.h"
#include "firewall-ref/policy_compile.h"
#include "firewall-ref/run.h"

static int command_run(int argc, char **argv)
{
	struct options options;
	int rest, got = options_read(argc, argv, true, &options, &rest);

	if (got)
		return got > 0 ? EXIT_PASS : EXIT_USAGE;
	return run(&options);
}

static void check_print_notes(const struct policy *policy)
{
	for (uint32_t i = 0; i < policy->note_count; i++)
		policy_note_print(stderr, policy, &policy->notes[i]);
	if (policy->errors + policy->warnings > policy->note_count)
		fprintf(stderr, "%s: and %u more\n", policy->name,
			policy->errors + policy->warnings - policy->note_count);
}

static int command_check(int argc, char **argv)
{
	OWN_POLICY struct policy policy;
	OWN_COMPILED struct compiled rules = { 0 };
	char line[512];
	int error;

	policy_init(&policy, "");
	if (argc != 2 || (argv[1][0] == '-' && argv[1][1]))
		return log_err(EXIT_USAGE, "check wants one policy file");
	error = policy_read_file(&policy, strcmp(argv[1], "-") ? argv[1] : "/dev/stdin");
	if (!error)
		error = policy_compile(&policy, &rules);
	if (!error)
		policy_lint(&policy);
	check_print_notes(&policy);
	if (error && !policy.errors)
		fprintf(stderr, "%s\n", policy_first_error(line, sizeof(line), &policy));
	if (error)
		return EXIT_USAGE;
	printf("%s: ok: %u rules, %u entries for IPv4 and %u for IPv6", policy.name,
	       policy.rule_count, rules.head.entry_count[0], rules.head.entry_count[1]);
	if (policy.classifier == POLICY_TUPLE)
		printf(" in %u and %u tuples", rules.head.tuple_count[0], rules.head.tuple_count[1]);
	printf("\n");
	return EXIT_PASS;
}

static int command_ctl(int argc, char **argv)
{
	static const char *const words[] = { "stats", "flows", "reload" };
	struct options options;
	int rest, got = options_read(argc, argv, false, &options, &rest);

	if (got)
		return got > 0 ? EXIT_PASS : EXIT_USAGE;
	if (argc - rest != 1)
		return log_err(EXIT_USAGE, "ctl wants one of stats, flows, reload");
	for (unsigned i = 0; i < ARRAY_LEN(words); i++)
		if (!strcmp(argv[rest], words[i]))
			return control_ask(options.control, words[i]);
	return log_err(EXIT_USAGE, "ctl %s: expected stats, flows or reload", argv[rest]);
}

static int command_help(int argc, char **argv);

static int command_version(int argc, char **argv)
{
	(void)argc, (void)argv;
	printf("fwref %s\n", VERSION);
	return EXIT_PASS;
}

static const struct command {
	const char *name, *usage, *help;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "run", "run --inside IF --outside IF --policy FILE [options]",
	  "forward packets between two interfaces until TERM or INT", command_run },
	{ "check", "check FILE", "say what is wrong with a policy", command_check },
	{ "ctl", "ctl stats|flows|reload [--control SOCKET]", "ask a running fwref, in JSON",
	  command_ctl },
	{ "--help", "--help", "this", command_help },
	{ "--version", "--version", "the version", command_version },
};

static int command_help(int argc, char **argv)
{
	(void)argc, (void)argv;
	printf("fwref: reference firewall: one stateful data path, in the kernel or in user space\n\n");
	for (unsigned i = 0; i < ARRAY_LEN(commands); i++)
		printf("  fwref %-56s %s\n", commands[i].usage, commands[i].help);
	printf("\n");
	options_help(stdout);
	printf("\nExit status: 0 done, 1 failed, 2 usage or policy error, 5 a privilege or a kernel "
	       "feature is missing.\n");
	return EXIT_PASS;
}

int main(int argc, char **argv)
{
	log_start("fwref", LOG_LEVEL_INFO);
	for (unsigned i = 0; argc > 1 && i < ARRAY_LEN(commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	if (argc > 1)
		return log_err(EXIT_USAGE, "%s is no command of fwref (fwref --help)", argv[1]);
	return log_err(EXIT_USAGE, "what to do? fwref --help");
}
