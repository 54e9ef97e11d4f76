/* SPDX-License-Identifier: BSD-2-Clause */
/* Statistics over the repetitions of a row. The unit is the repetition, never
 * the seconds inside one: those are correlated. */
#ifndef HARNESS_REPORT_STATISTICS_H
#define HARNESS_REPORT_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

struct statistics {
	size_t n;              /* 0: no data, everything below is NAN */
	double median, least, most, mean;
	double deviation;      /* sample standard deviation, two passes; NAN if n < 2 */
	double half_width;     /* of the 95 % interval of the mean, Student t; NAN if n < 2 */
	bool equal;            /* n >= 2 and all values the same: the interval says nothing */
};

/* Values that are not finite were not measured and are left out. */
struct statistics statistics_of(const double *values, size_t count);
/* Two-sided 95 % quantile of Student's t; NAN for 0 degrees of freedom. */
double statistics_t95(size_t degrees);

#endif
