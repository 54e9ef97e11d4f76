/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns a results folder into tables, figures and report. Reads results only. */
#ifndef HARNESS_REPORT_REPORT_H
#define HARNESS_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

/* Writes summary.csv, summary.json, report.md, report.html and plots/ into the
 * folder, each whole or not at all. A figure that cannot be drawn is replaced by
 * a note. Returns 0 or -errno, logged. */
int report_write(const char *folder);
/* The table for a terminal, width in columns (0: unlimited). */
int report_print(const char *folder, FILE *out, unsigned width);
/* summary.json on out. */
int report_print_json(const char *folder, FILE *out);

#endif
