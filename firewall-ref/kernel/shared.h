/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* What the tc programs and their loader tell each other besides the tables. */
#ifndef KERNEL_SHARED_H
#define KERNEL_SHARED_H

/* The program `sweep` is run by BPF_PROG_TEST_RUN: cb[0] is the first flow record
 * to look at, cb[1] how many; it returns the number of flows it removed. */
#define SWEEP_RECORDS 8192

#endif
