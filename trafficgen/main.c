/* SPDX-License-Identifier: BSD-2-Clause */
/* fwgen: opens many TCP connections from many addresses and sends over them. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>

#include "common/exit.h"
#include "common/log.h"
#include "common/own.h"
#include "trafficgen/client.h"
#include "trafficgen/options.h"
#include "trafficgen/server.h"

/* Signals are read by the main thread between two steps, never handled in the
 * middle of one. SIGPIPE: a peer's reset is an error code like any other. */
static int signals_open(void)
{
	sigset_t set;
	int fd;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? log_err(-errno, "signalfd: %s", strerror(errno)) : fd;
}

int main(int argc, char **argv)
{
	static struct options options;
	OWN_FD int signal_fd = -1;

	log_start("fwgen", LOG_LEVEL_INFO);
	switch (options_parse(argc, argv, &options)) {
	case OPTIONS_SHOWN:
		return EXIT_PASS;
	case OPTIONS_WRONG:
		return EXIT_USAGE;
	case OPTIONS_RUN:
		break;
	}
	signal_fd = signals_open();
	if (signal_fd < 0)
		return EXIT_RUN_FAILED;
	return options.role == ROLE_CLIENT ? client_run(&options, signal_fd) :
					     server_run(&options, signal_fd);
}
