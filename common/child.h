/* SPDX-License-Identifier: BSD-2-Clause */
/* Child processes that never outlive their parent (PR_SET_PDEATHSIG) and are
 * ended by handle, never by name. The parent must stay the thread that started
 * the child: PDEATHSIG follows the thread. */
#ifndef COMMON_CHILD_H
#define COMMON_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/cores.h"

struct child {
	pid_t pid;     /* 0: none */
	int pidfd;     /* readable when the child has ended */
	int out;       /* read end of its stdout, or -1 */
	int err;       /* read end of its stderr, or -1 */
	int status;    /* as waitpid gives it, once reaped */
	bool reaped;
};

#define CHILD_NONE { .pidfd = -1, .out = -1, .err = -1 }

struct child_options {
	const char *const *argv;    /* NULL-terminated; argv[0] searched in PATH */
	const char *input;          /* text for stdin, or NULL for /dev/null */
	int netns_fd;               /* network namespace to enter, or -1 */
	const struct cores *cores;  /* where it may run, or NULL for anywhere */
	bool take_out, take_err;    /* pipe stdout / stderr to the parent (else inherited) */
	bool quiet;                 /* /dev/null for what is not taken */
};

/* Starts the child; pipes are non-blocking and close-on-exec. Input is handed
 * over in an unlinked memfd, so it never blocks. A program that is not there is
 * reported here (-ENOENT), not by a later exit. Returns 0 or -errno, logged. */
int child_start(struct child *child, const struct child_options *options);
/* Signals through the pidfd; no effect on a reaped child. */
void child_signal(const struct child *child, int signal);
/* Waits at most timeout_ms (-1: for ever). Returns 0 when reaped, -ETIMEDOUT. */
int child_wait(struct child *child, int timeout_ms);
/* TERM, grace_ms, then KILL; reaps and closes everything. */
void child_end(struct child *child, int grace_ms);
/* Exit code, or 128 + signal; -1 while it runs. */
int child_exit_code(const struct child *child);

/* Runs a command to its end. *out, if not NULL, gets its stdout (malloc'ed, NUL
 * at the end, owned by the caller); *err likewise. Returns the exit code, or
 * -errno if it could not be started, or -ETIMEDOUT after timeout_ms. */
int child_run(const struct child_options *options, int timeout_ms, char **out, char **err);

#endif
