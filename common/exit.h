/* SPDX-License-Identifier: BSD-2-Clause */
/* Exit codes, the same in all programs (man fwbench, EXIT STATUS). */
#ifndef COMMON_EXIT_H
#define COMMON_EXIT_H

enum exit_code {
	EXIT_PASS = 0,        /* all as asked */
	EXIT_RUN_FAILED = 1,  /* a run failed */
	EXIT_USAGE = 2,       /* usage, scenario or policy error */
	EXIT_CRITERION = 3,   /* a regression or an unmet criterion */
	EXIT_INVALID = 4,     /* invalid result: counters do not account for the traffic */
	EXIT_MISSING = 5,     /* a privilege or a kernel feature is missing */
	EXIT_INTERRUPTED = 130, /* interrupted; partial results kept and marked */
};

#endif
