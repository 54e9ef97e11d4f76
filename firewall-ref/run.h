/* SPDX-License-Identifier: BSD-2-Clause */
/* `fwref run`: from the options to the end of the process. */
#ifndef FIREWALL_REF_RUN_H
#define FIREWALL_REF_RUN_H

#include "firewall-ref/options.h"

/* Returns an exit code. */
int run(const struct options *options);

#endif
