/* SPDX-License-Identifier: BSD-2-Clause */
/* fwref's command line: one typed table fills a const struct and prints the help. */
#ifndef FIREWALL_REF_OPTIONS_H
#define FIREWALL_REF_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "common/cores.h"

enum path_choice { CHOICE_AUTO, CHOICE_KERNEL, CHOICE_USER };

struct options {
	const char *inside, *outside, *policy;
	enum path_choice path;
	char control[108];      /* as long as a UNIX socket's path can be */
	struct cores cores;     /* count 0: anywhere */
	bool empty;
};

/* Fills *out from what stands behind the subcommand; run: with the options of
 * `run`, else only --control. *rest: index of the first argument that is no option.
 * Returns 0, -EINVAL (said), or 1 after --help was printed. */
int options_read(int argc, char **argv, bool run, struct options *out, int *rest);
void options_help(FILE *to);

#endif
