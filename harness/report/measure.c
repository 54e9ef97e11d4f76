/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of figures: what each is called, what it means, how it is had from
 * a trial. A new figure is a new row here and in enum measure. */
#include <math.h>
#include <string.h>

#include "harness/report/summary.h"

/* Below this share of its busiest core a device's capacity is not projected:
 * the estimate would rest on too little of what is measured. */
#define PROJECTED_SHARE_LEAST 0.30

const char *const limit_names[LIMIT_COUNT] = {
	"device", "generator", "link", "limit", "undetermined",
};

const char *const bound_marks[] = { "", ">= ", "<= ", "~ " };
const char *const bound_names[] = { "exact", "at-least", "at-most", "either" };

/* The trial of the other row in the same repetition round, or NULL. */
static const struct trial *measure_partner(const struct row *row, const struct trial *trial)
{
	for (size_t i = 0; row && i < row->trial_count; i++)
		if (row->trials[i]->repetition == trial->repetition && row->trials[i]->state == TRIAL_OK)
			return row->trials[i];
	return NULL;
}

static double measure_over(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

#define MEASURE_OF(name, expression)                                                        \
	static double name(const struct summary *summary, const struct row *row,            \
			   const struct trial *trial)                                       \
	{                                                                                   \
		(void)summary;                                                              \
		(void)row;                                                                  \
		return expression;                                                          \
	}

MEASURE_OF(measure_rate, trial_number(trial, "rate.interface_bytes_per_s"))
MEASURE_OF(measure_bps, trial_number(trial, "rate.interface_bytes_per_s") * 8)
MEASURE_OF(measure_pps, trial_number(trial, "rate.interface_pps"))
MEASURE_OF(measure_goodput, trial_number(trial, "rate.goodput_bps"))
MEASURE_OF(measure_device_cpu, trial_number(trial, "cpu.device_share"))
MEASURE_OF(measure_busiest_core, trial_number(trial, "cpu.busiest_core_share"))
MEASURE_OF(measure_per_gigabit, trial_number(trial, "cpu.per_gigabit_ms"))
MEASURE_OF(measure_generator_cpu, trial_number(trial, "cpu.generator_share"))
MEASURE_OF(measure_steal, trial_number(trial, "cpu.steal_share"))
MEASURE_OF(measure_to_published, measure_over(measure_bps(summary, row, trial), row->published_bps))

/* May come out below zero by noise; that is shown, not clipped. */
static double measure_own_cost(const struct summary *summary, const struct row *row,
			       const struct trial *trial)
{
	const struct trial *empty = measure_partner(row->empty, trial);

	(void)summary;
	return empty ? trial_number(trial, "cpu.per_gigabit_ms") - trial_number(empty, "cpu.per_gigabit_ms") :
		       NAN;
}

/* A rate that a filter's limit set says nothing about the device's capacity. */
static double measure_projected(const struct summary *summary, const struct row *row,
				const struct trial *trial)
{
	double share = trial_number(trial, "cpu.busiest_core_share");
	const char *limit = trial_text(trial, "limited_by");

	(void)summary;
	(void)row;
	if (!(share >= PROJECTED_SHARE_LEAST) || (limit && !strcmp(limit, "limit")))
		return NAN;
	return trial_number(trial, "rate.interface_bytes_per_s") / share;
}

static double measure_against(const struct row *baseline, const struct trial *trial, const char *path)
{
	const struct trial *partner = measure_partner(baseline, trial);

	return partner ? measure_over(trial_number(trial, path), trial_number(partner, path)) : NAN;
}

MEASURE_OF(measure_ratio, measure_against(row->baseline, trial, "rate.interface_bytes_per_s"))
MEASURE_OF(measure_cpu_ratio, measure_against(row->baseline, trial, "cpu.per_gigabit_ms"))

/* Only the own cost, a difference, may be less than nothing. A mean that is itself
 * outside, by noise, is not cut away. */
void measure_interval(const struct measure_kind *kind, const struct statistics *s, double *low, double *high)
{
	*low = s->mean - s->half_width;
	*high = s->mean + s->half_width;
	if (kind != &measures[MEASURE_OWN_COST] && *low < 0)
		*low = fmin(0, s->mean);
	if (kind->quantity == QUANTITY_SHARE && *high > 1)
		*high = fmax(1, s->mean);
}

const struct measure_kind measures[MEASURE_COUNT] = {
	[MEASURE_RATE] = { "interface_bytes_per_s", "Bytes/sec", QUANTITY_BYTES_PER_S,
		"what a system monitor shows on the device's inside interface, received plus sent: Ethernet frames with all headers, without FCS, over the measured window",
		measure_rate },
	[MEASURE_BPS] = { "interface_bps", "bit/s", QUANTITY_BPS,
		"the same Bytes/sec times 8, headers included", measure_bps },
	[MEASURE_PPS] = { "interface_pps", "packets/s", QUANTITY_PPS,
		"packets on the device's inside interface, received plus sent, as the kernel counts them",
		measure_pps },
	[MEASURE_GOODPUT] = { "goodput_bps", "goodput", QUANTITY_BPS,
		"payload that the receivers got, both directions together, no headers, no retransmissions",
		measure_goodput },
	[MEASURE_DEVICE_CPU] = { "device_cpu_share", "device CPU", QUANTITY_SHARE,
		"share of the device's cores that the device used", measure_device_cpu },
	[MEASURE_BUSIEST_CORE] = { "busiest_core_share", "busiest core", QUANTITY_SHARE,
		"the same of the device's busiest core alone", measure_busiest_core },
	[MEASURE_PER_GIGABIT] = { "cpu_per_gigabit_ms", "CPU per Gbit", QUANTITY_MS,
		"device CPU time for each gigabit forwarded; compares devices also where the generator was the limit",
		measure_per_gigabit },
	[MEASURE_OWN_COST] = { "own_cost_per_gigabit_ms", "own cost", QUANTITY_MS,
		"CPU per gigabit minus that of the device's empty form (forwards, no policy) in the same repetition",
		measure_own_cost },
	[MEASURE_PROJECTED] = { "projected_bytes_per_s", "projected", QUANTITY_BYTES_PER_S,
		"an estimate: Bytes/sec divided by the share in use of the device's busiest core; given only where that share is at least 30 % and no filter's limit set the rate",
		measure_projected },
	[MEASURE_RATIO] = { "rate_vs_no_firewall_ratio", "vs none", QUANTITY_RATIO,
		"Bytes/sec over that of the same row without firewall, repetition by repetition", measure_ratio },
	[MEASURE_CPU_RATIO] = { "cpu_vs_no_firewall_ratio", "CPU vs none", QUANTITY_RATIO,
		"CPU per gigabit over that of the same row without firewall, repetition by repetition",
		measure_cpu_ratio },
	[MEASURE_TO_PUBLISHED] = { "measured_to_published_ratio", "vs published", QUANTITY_RATIO,
		"measured bit/s over the published figure", measure_to_published },
	[MEASURE_GENERATOR_CPU] = { "generator_cpu_share", "generator CPU", QUANTITY_SHARE,
		"share of the generator's cores that were not idle", measure_generator_cpu },
	[MEASURE_STEAL] = { "steal_share", "steal", QUANTITY_SHARE,
		"share of time that the hypervisor took from the cores", measure_steal },
};
