/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the finding share: which rows it takes, how it speaks. */
#ifndef HARNESS_REPORT_FINDING_H
#define HARNESS_REPORT_FINDING_H

#include "harness/report/summary.h"

#define FINDING_DEVICES 8

/* Rows whose policy has a limit forward what that allows, at another cost for
 * each gigabit: they are compared among themselves, or not at all. */
enum finding_limit { FINDING_FREE, FINDING_LIMITED };

struct finding {
	const struct summary *summary;
	const char *offload;                  /* only rows with this value; NULL: all */
	enum finding_limit limit;             /* rows without, or with, a limit */
	bool mixed;                           /* the summary has both kinds: say which */
	const char *device[FINDING_DEVICES];  /* with a firewall and a CPU figure */
	size_t device_count;
};

/* Is the row one that the finding is about? */
bool finding_takes(const struct finding *f, const struct row *row);
/* Are the rows the same in all columns but this one? */
bool finding_same(const struct summary *s, const struct row *a, const struct row *b, const char *column);
/* " (median of 3 rows without a limit, 0.33-0.39)", " (one row)". */
void finding_spread(const struct finding *f, FILE *out, const struct statistics *s);
/* Do the values lie on both sides of 1? */
bool finding_unclear(const struct statistics *s);
/* finding_ip.c: IPv6 over IPv4, device by device; false if the matrix does not ask. */
bool finding_ip(const struct finding *f, FILE *out);

#endif
