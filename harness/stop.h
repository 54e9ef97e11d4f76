/* SPDX-License-Identifier: BSD-2-Clause */
/* The stop flag: SIGINT, SIGTERM or SIGHUP asks a run to end with what it has; a
 * second one ends the program at once (the kernel takes the lab away with it). A
 * reader of the progress that goes away ends nothing. */
#ifndef HARNESS_STOP_H
#define HARNESS_STOP_H

#include <stdbool.h>

/* Takes the signals over, but a SIGHUP that is ignored (nohup); 0 or -errno, logged. */
int stop_begin(void);
/* Gives them back. */
void stop_over(void);
bool stop_asked(void);
/* Readable once asked; for poll. */
int stop_fd(void);
/* Sleeps; false when asked to stop before the time was over. */
bool stop_sleep(int ms);

#endif
