/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* What the tc programs and their loader tell each other besides the tables. */
#ifndef KERNEL_SHARED_H
#define KERNEL_SHARED_H

/* The program `sweep` is run by BPF_PROG_TEST_RUN. In its cb[]: the first flow
 * record to look at, how many, and which to end (enum sweep). It returns how many it
 * ended and adds those that live to sweep_states. */
enum { SWEEP_FIRST, SWEEP_COUNT, SWEEP_WHICH };
enum sweep { SWEEP_NONE, SWEEP_OVER, SWEEP_ALL }; /* OVER: those whose time is over */
#define SWEEP_RECORDS 8192u

#endif
