/* SPDX-License-Identifier: BSD-2-Clause */
/* What each command does, one function each; main.c has them in a table. Each
 * returns an exit code of common/exit.h. */
#ifndef HARNESS_COMMANDS_H
#define HARNESS_COMMANDS_H

#include "harness/options.h"

int command_run(const struct options *options);
int command_check(const struct options *options);
int command_report(const struct options *options);
int command_clean(const struct options *options);
int command_doctor(const struct options *options);
int command_list(const struct options *options);

#endif
