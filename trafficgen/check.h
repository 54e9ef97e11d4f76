/* SPDX-License-Identifier: BSD-2-Clause */
/* What options mean together, after each has been read by itself. */
#ifndef TRAFFICGEN_CHECK_H
#define TRAFFICGEN_CHECK_H

#include "trafficgen/options.h"

/* Resolves what one option says about another (addresses, cores, the default
 * time) and refuses what contradicts. Returns 0 or -errno, logged. */
int options_check(struct options *options);

#endif
