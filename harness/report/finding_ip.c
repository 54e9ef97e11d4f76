/* SPDX-License-Identifier: BSD-2-Clause */
/* What IPv6 costs against IPv4, where the matrix asks that: each row with ip 6
 * over the same row with ip 4, device by device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "harness/report/finding.h"

static bool ip_is(const struct row *row, const char *version)
{
	char value[64];

	return !strcmp(trial_key(row->first, "ip", value, sizeof(value)), version);
}

/* A rate that the generator set, in either row, compares generators. */
static double ip_ratio(const struct row *six, const struct row *four, enum measure measure)
{
	double under = four->figure[measure].median;

	if (measure == MEASURE_RATE && (six->rate_bound != BOUND_EXACT || four->rate_bound != BOUND_EXACT))
		return NAN;
	return under > 0 ? six->figure[measure].median / under : NAN;
}

static struct statistics ip_ratios(const struct finding *f, const char *device, enum measure measure)
{
	const struct summary *s = f->summary;
	OWN_MEM double *ratio = calloc(s->row_count + 1, sizeof(*ratio));
	size_t n = 0;

	for (size_t i = 0; ratio && i < s->row_count; i++) {
		const struct row *six = &s->rows[i];

		if (!finding_takes(f, six) || !ip_is(six, "6") || strcmp(trial_device(six->first), device))
			continue;
		for (size_t k = 0; k < s->row_count && n < s->row_count; k++) {
			const struct row *four = &s->rows[k];

			if (finding_takes(f, four) && ip_is(four, "4") && finding_same(s, six, four, "ip"))
				ratio[n++] = ip_ratio(six, four, measure);
		}
	}
	return statistics_of(ratio, n);
}

/* One device's clause of one measure. */
static bool ip_clause(const struct finding *f, FILE *out, const char *device, enum measure measure, bool more)
{
	struct statistics s = ip_ratios(f, device, measure);
	bool none = !strcmp(device, "none");
	char text[FORMAT_BYTES];

	if (!s.n)
		return false;
	format_text(text, sizeof(text), QUANTITY_RATIO, s.median);
	fprintf(out, "%s%s ", more ? "; " : measure == MEASURE_PER_GIGABIT ? "IPv6 over IPv4 in device CPU per gigabit: " :
				     "IPv6 over IPv4 in Bytes/sec: ", none ? "no firewall" : device);
	fprintf(out, "%s%s", finding_unclear(&s) ? "no clear difference, " : "", text);
	finding_spread(f, out, &s);
	return true;
}

static bool ip_measure(const struct finding *f, FILE *out, enum measure measure, bool before)
{
	const struct summary *s = f->summary;
	OWN_MEM char *text = NULL;
	size_t size;
	FILE *part = open_memstream(&text, &size);
	bool any = false;

	if (!part)
		return before;
	for (size_t i = 0; i < s->row_count; i++) {
		const char *device = trial_device(s->rows[i].first);
		size_t k = 0;

		while (k < i && (s->rows[k].hidden || strcmp(trial_device(s->rows[k].first), device)))
			k++;
		if (k == i && !s->rows[i].hidden)
			any |= ip_clause(f, part, device, measure, any);
	}
	fclose(part);
	if (any)
		fprintf(out, "%s%s", before ? ". " : "", text);
	return before || any;
}

bool finding_ip(const struct finding *f, FILE *out)
{
	bool any = ip_measure(f, out, MEASURE_PER_GIGABIT, false);

	return ip_measure(f, out, MEASURE_RATE, any);
}
