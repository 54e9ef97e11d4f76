/* SPDX-License-Identifier: BSD-2-Clause */
/* What a lab changes on the host and no namespace can hold: one sysctl, the
 * length of the per-core receive queue. Before it is changed, its value is
 * written to a file in the state folder, named after the run, with the owner's
 * pid and start time. The last living owner puts the value back; after a kill -9
 * the next owner's close or `fwbench clean` does.
 *
 * All owners work under a lock on the folder, which exists only while there is a
 * state file in it. The folder is an argument so that tests have their own. */
#ifndef HARNESS_LAB_STATE_H
#define HARNESS_LAB_STATE_H

#include <stdbool.h>

/* Where lab_enter keeps the host's /run if it had to cover it. */
#define STATE_COVERED_RUN "/run/.host"

struct state {
	const char *folder;
	const char *sysctl; /* a file below /proc/sys, or any file in tests */
	const char *raised; /* its value while there is an owner */
};

/* The real one. */
extern const struct state state_host;

/* Records the value and raises it. Returns 0 or -errno, logged. */
int state_acquire(const struct state *state, const char *run_id);
void state_release(const struct state *state, const char *run_id);
/* Removes the files of dead owners and puts the value back if none lives.
 * *removed: how many files there were; with dry_run they are only counted. */
int state_clean(const struct state *state, bool dry_run, unsigned *removed);

#endif
