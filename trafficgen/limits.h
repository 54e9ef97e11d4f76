/* SPDX-License-Identifier: BSD-2-Clause */
/* What the machine allows, looked at before anything is started. */
#ifndef TRAFFICGEN_LIMITS_H
#define TRAFFICGEN_LIMITS_H

#include <stdint.h>

#include "trafficgen/options.h"
#include "trafficgen/report.h"

/* Raises the descriptor limit as far as need be (client) or can be (server).
 * Returns 0, or -EMFILE, logged with the number needed. */
int limits_descriptors(const struct options *options);
/* Warns where the local ports cannot suffice. */
struct ports_wanted limits_ports(const struct options *options);
/* Whether the kernel takes the socket options asked for. Returns 0 or -errno,
 * logged. */
int limits_sockets(const struct options *options);

#endif
