/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/stop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/exit.h"
#include "common/log.h"

enum { STOP_SIGNALS = 4 };

static struct {
	int fd;
	volatile sig_atomic_t asked;
	struct sigaction before[STOP_SIGNALS];
} stop = { .fd = -1 };

static const int stop_signals[STOP_SIGNALS] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };

static void stop_handle(int signal)
{
	static const char said[] = "\nfwbench: ended at once; `fwbench clean` puts right what is left\n";
	uint64_t one = 1;
	int error = errno;

	(void)signal;
	if (stop.asked) {
		if (write(STDERR_FILENO, said, sizeof(said) - 1) < 0)
			_exit(EXIT_INTERRUPTED);
		_exit(EXIT_INTERRUPTED);
	}
	stop.asked = 1;
	if (write(stop.fd, &one, sizeof(one)) < 0)
		errno = error;
	errno = error;
}

int stop_begin(void)
{
	struct sigaction asks = { .sa_handler = stop_handle }, ignores = { .sa_handler = SIG_IGN };

	stop.asked = 0;
	stop.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stop.fd < 0)
		return log_err(-errno, "signals: %s", strerror(errno));
	for (int i = 0; i < STOP_SIGNALS; i++) {
		bool ignored;

		sigaction(stop_signals[i], NULL, &stop.before[i]);
		ignored = stop_signals[i] == SIGPIPE ||
			  (stop_signals[i] == SIGHUP && stop.before[i].sa_handler == SIG_IGN);
		sigaction(stop_signals[i], ignored ? &ignores : &asks, NULL);
	}
	return 0;
}

void stop_over(void)
{
	for (int i = 0; i < STOP_SIGNALS; i++)
		sigaction(stop_signals[i], &stop.before[i], NULL);
	close(stop.fd);
	stop.fd = -1;
}

bool stop_asked(void)
{
	return stop.asked;
}

int stop_fd(void)
{
	return stop.fd;
}

bool stop_sleep(int ms)
{
	uint64_t end = clock_now_ns() + (uint64_t)ms * NS_PER_MS;

	for (;;) {
		struct pollfd p = { stop.fd, POLLIN, 0 };
		uint64_t now = clock_now_ns();

		if (stop.asked)
			return false;
		if (now >= end)
			return true;
		poll(&p, 1, (int)((end - now) / NS_PER_MS) + 1);
	}
}
