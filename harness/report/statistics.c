/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"

double statistics_t95(size_t degrees)
{
	static const double table[] = {
		NAN,      12.70620, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624,
		2.306004, 2.262157, 2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450,
		2.119905, 2.109816, 2.100922, 2.093024, 2.085963, 2.079614, 2.073873, 2.068658,
		2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.045230, 2.042272,
	};
	const double z = 1.959963985;
	double v = (double)degrees;

	if (degrees < ARRAY_LEN(table))
		return table[degrees];
	/* Expansion in 1/v about the normal quantile (Abramowitz and Stegun
	 * 26.7.5); above 30 degrees it is right to five digits. */
	return z + (pow(z, 3) + z) / (4 * v) +
	       (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * v * v) +
	       (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / (384 * v * v * v);
}

static int statistics_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void statistics_spread(struct statistics *s, const double *values)
{
	double squares = 0;

	for (size_t i = 0; i < s->n; i++)
		squares += (values[i] - s->mean) * (values[i] - s->mean);
	s->equal = s->least == s->most;
	s->deviation = s->equal ? 0 : sqrt(squares / (double)(s->n - 1));
	s->half_width = statistics_t95(s->n - 1) * s->deviation / sqrt((double)s->n);
}

struct statistics statistics_of(const double *values, size_t count)
{
	struct statistics s = { 0, NAN, NAN, NAN, NAN, NAN, NAN, false };
	OWN_MEM double *known = calloc(count ? count : 1, sizeof(*known));
	double sum = 0;

	for (size_t i = 0; known && i < count; i++) {
		if (!isfinite(values[i]))
			continue;
		known[s.n++] = values[i];
		sum += values[i];
	}
	if (!s.n)
		return s;
	qsort(known, s.n, sizeof(*known), statistics_compare);
	s.least = known[0];
	s.most = known[s.n - 1];
	s.median = s.n % 2 ? known[s.n / 2] : (known[s.n / 2 - 1] + known[s.n / 2]) / 2;
	s.mean = sum / (double)s.n;
	if (s.n > 1)
		statistics_spread(&s, known);
	return s;
}
