/* SPDX-License-Identifier: BSD-2-Clause */
/* Where scenarios and results are found. */
#ifndef HARNESS_PLACES_H
#define HARNESS_PLACES_H

/* The folder scenarios/ that belongs to this program: here, in the source tree the
 * executable was built in, or in ../share/fwbench of an installed one. malloc'ed, or
 * NULL. */
char *place_scenarios(void);
/* A scenario by its path, or by its name in any of these folders: "quick",
 * "published/bmf". malloc'ed; NULL, logged, where there is no such file. */
char *place_scenario(const char *name);
/* The youngest results folder below results/, by the time of its trials. malloc'ed;
 * NULL, logged, where there is none. */
char *place_newest_result(void);

#endif
