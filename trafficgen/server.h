/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TRAFFICGEN_SERVER_H
#define TRAFFICGEN_SERVER_H

#include "common/exit.h"
#include "trafficgen/options.h"

/* Serves tests until SIGINT or SIGTERM comes through signal_fd, or one test
 * with --one-off. */
enum exit_code server_run(const struct options *options, int signal_fd);

#endif
