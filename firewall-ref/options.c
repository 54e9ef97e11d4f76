/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/options.h"

#include <errno.h>
#include <getopt.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/log.h"
#include "common/own.h"

static int option_inside(struct options *o, const char *value)
{
	o->inside = value;
	return 0;
}

static int option_outside(struct options *o, const char *value)
{
	o->outside = value;
	return 0;
}

static int option_policy(struct options *o, const char *value)
{
	o->policy = value;
	return 0;
}

static int option_path(struct options *o, const char *value)
{
	static const char *const names[] = { [CHOICE_AUTO] = "auto", [CHOICE_KERNEL] = "kernel",
					     [CHOICE_USER] = "user" };

	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		if (!strcmp(value, names[i])) {
			o->path = (enum path_choice)i;
			return 0;
		}
	}
	return log_err(-EINVAL, "--path %s: expected kernel, user or auto", value);
}

static int option_control(struct options *o, const char *value)
{
	if (!*value || strlen(value) >= sizeof(o->control))
		return log_err(-EINVAL, "--control: the path of a socket has 1 to %zu bytes",
			       sizeof(o->control) - 1);
	snprintf(o->control, sizeof(o->control), "%s", value);
	return 0;
}

static int option_cores(struct options *o, const char *value)
{
	if (cores_read(value, &o->cores))
		return log_err(-EINVAL, "--cores %s: expected cores such as 0, 0-3 or 1,4-5", value);
	return 0;
}

static int option_empty(struct options *o, const char *value)
{
	(void)value;
	o->empty = true;
	return 0;
}

static const struct row {
	const char *name, *argument, *help;
	bool run_only;
	int (*read)(struct options *o, const char *value);
} rows[] = {
	{ "inside", "IF", "interface towards the clients", true, option_inside },
	{ "outside", "IF", "interface towards the servers; NAT translates to its address", true,
	  option_outside },
	{ "policy", "FILE", "the policy, see fwref-policy(5)", true, option_policy },
	{ "path", "kernel|user|auto", "where packets are handled; auto: kernel where it can", true,
	  option_path },
	{ "cores", "LIST", "cores of the user path's worker", true, option_cores },
	{ "empty", NULL, "redirect only: no rules, no flows; the floor under fwref's figures", true,
	  option_empty },
	{ "control", "SOCKET", "UNIX socket that `fwref ctl` talks to", false, option_control },
};

void options_help(FILE *to)
{
	fprintf(to, "options of run:\n");
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		char left[40];

		snprintf(left, sizeof(left), "--%s%s%s", rows[i].name, rows[i].argument ? " " : "",
			 rows[i].argument ? rows[i].argument : "");
		fprintf(to, "  %-24s %s%s\n", left, rows[i].help,
			rows[i].run_only ? "" : " (also of ctl)");
	}
}

/* Root: /run; else the user's own runtime folder; else /tmp. */
static void options_default_control(char *out, size_t size)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (!access("/run", W_OK))
		snprintf(out, size, "/run/fwref.sock");
	else if (runtime && *runtime == '/' && strlen(runtime) + sizeof("/fwref.sock") <= size)
		snprintf(out, size, "%s/fwref.sock", runtime);
	else
		snprintf(out, size, "/tmp/fwref-%u.sock", (unsigned)getuid());
}

static int options_check_run(const struct options *o)
{
	if (!o->inside || !o->outside)
		return log_err(-EINVAL, "run: --inside IF and --outside IF are needed");
	if (!strcmp(o->inside, o->outside))
		return log_err(-EINVAL, "run: --inside and --outside are both %s: two interfaces are "
			       "needed", o->inside);
	if (!o->policy && !o->empty)
		return log_err(-EINVAL, "run: --policy FILE is needed (or --empty)");
	if (!if_nametoindex(o->inside))
		return log_err(-EINVAL, "run: no interface %s in this network namespace", o->inside);
	if (!if_nametoindex(o->outside))
		return log_err(-EINVAL, "run: no interface %s in this network namespace", o->outside);
	return 0;
}

int options_read(int argc, char **argv, bool run, struct options *out, int *rest)
{
	struct option table[ARRAY_LEN(rows) + 2] = { { "help", no_argument, NULL, 'h' } };
	struct options options = { .path = CHOICE_AUTO };
	int row_of[ARRAY_LEN(rows)], n = 0, c, at;

	options_default_control(options.control, sizeof(options.control));
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].run_only && !run)
			continue;
		row_of[n] = (int)i;
		table[++n] = (struct option){ rows[i].name,
					      rows[i].argument ? required_argument : no_argument,
					      NULL, 'x' };
	}
	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, run ? "+:h" : ":h", table, &at)) != -1) {
		if (c == 'h') {
			options_help(stdout);
			return 1;
		}
		if (c == ':')
			return log_err(-EINVAL, "%s wants a value (fwref --help)", argv[optind - 1]);
		if (c == '?')
			return log_err(-EINVAL, "unknown option %s (fwref --help)", argv[optind - 1]);
		if (rows[row_of[at - 1]].read(&options, optarg))
			return -EINVAL;
	}
	*rest = optind;
	if (run && optind < argc)
		return log_err(-EINVAL, "run: %s is no option (fwref --help)", argv[optind]);
	if (run && options_check_run(&options))
		return -EINVAL;
	*out = options;
	return 0;
}
