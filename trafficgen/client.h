/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TRAFFICGEN_CLIENT_H
#define TRAFFICGEN_CLIENT_H

#include "common/exit.h"
#include "trafficgen/options.h"

/* One run of the client: connect, warm up, measure, drain, report. signal_fd
 * delivers SIGINT and SIGTERM (signalfd), which are blocked. */
enum exit_code client_run(const struct options *options, int signal_fd);

#endif
