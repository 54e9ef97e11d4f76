/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of a trial's graph: one line a sample. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "common/own.h"
#include "harness/report/figure.h"

/* One trial's samples, and what there is to be drawn of them. */
struct curve {
	size_t count;
	double last_s, most;           /* most: Bytes/sec over all trials of the row */
	bool has_rate, has_device, has_generator;
	struct scale scale;
};

static double curve_rate(const struct sample *s)
{
	return s->interface_rx_bytes_per_s + s->interface_tx_bytes_per_s;
}

static bool curve_same_row(const struct summary *s, const struct trial *trial, unsigned number)
{
	for (size_t i = 0; i < s->result.trial_count; i++)
		if (s->result.trials[i].trial == number)
			return s->result.trials[i].row == trial->row;
	return false;
}

/* Trials of one row share the axis, so that they compare at a glance. */
static struct curve curve_of(const struct summary *s, const struct trial *trial)
{
	struct curve c = { .last_s = 0, .most = NAN };
	double least = NAN;

	for (size_t i = 0; i < s->result.sample_count; i++) {
		const struct sample *sample = &s->result.samples[i];
		double rate = curve_rate(sample);

		if (curve_same_row(s, trial, sample->trial)) {
			c.most = fmax(c.most, rate);
			least = fmin(least, rate > 0 ? rate : NAN);
		}
		if (sample->trial != trial->trial)
			continue;
		c.count++;
		c.last_s = fmax(c.last_s, sample->time_s);
		c.has_rate |= isfinite(rate);
		c.has_device |= isfinite(sample->device_cpu_share);
		c.has_generator |= isfinite(sample->generator_cpu_share);
	}
	c.scale = format_scale(QUANTITY_BYTES_PER_S, c.most, c.most);
	return c;
}

/* The end of the axis: a round number at or above the greatest value; also the
 * step of the seconds, so that about five stand below it. */
static double curve_round(double most)
{
	static const double round[] = { 1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10 };
	double power = most > 0 ? pow(10, floor(log10(most))) : 1;

	for (size_t i = 0; i < ARRAY_LEN(round); i++)
		if (most <= round[i] * power * 1.000001)
			return round[i] * power;
	return 10 * power;
}

static void curve_number(FILE *out, double value, char end)
{
	if (isfinite(value))
		fprintf(out, "%.6g%c", value, end);
	else
		fprintf(out, "NaN%c", end);
}

static void curve_write(const struct summary *s, const struct trial *trial, const struct curve *c, FILE *out)
{
	for (size_t i = 0; i < s->result.sample_count; i++) {
		const struct sample *sample = &s->result.samples[i];

		if (sample->trial != trial->trial)
			continue;
		curve_number(out, sample->time_s, '\t');
		curve_number(out, curve_rate(sample) / c->scale.factor, '\t');
		curve_number(out, sample->device_cpu_share * 100, '\t');
		curve_number(out, sample->generator_cpu_share * 100, '\n');
	}
}

/* The average under the graph is the trial's own figure, the one in the means,
 * not an average over the samples drawn. */
static void curve_settings(const struct summary *s, const struct curve *c, struct figure *figure)
{
	const struct trial *trial = figure->trial;
	char rate[FORMAT_BYTES], device[FORMAT_BYTES], generator[FORMAT_BYTES];
	double start = trial_number(trial, "window.start_s"), end = trial_number(trial, "window.end_s");

	start = start >= 0 && start <= c->last_s ? start : 0;
	end = end >= start && end <= c->last_s ? end : c->last_s;
	format_text(rate, sizeof(rate), QUANTITY_BYTES_PER_S, trial_number(trial, "rate.interface_bytes_per_s"));
	format_text(device, sizeof(device), QUANTITY_SHARE, trial_number(trial, "cpu.device_share"));
	format_text(generator, sizeof(generator), QUANTITY_SHARE, trial_number(trial, "cpu.generator_share"));
	snprintf(figure->settings, sizeof(figure->settings),
		 "last = %g\nstep = %g\nmost = %g\nunit = '%s'\nwindow_start = %g\nwindow_end = %g\n"
		 "colour = %u\nhas_rate = %d\nhas_device = %d\nhas_generator = %d\n"
		 "rate_text = 'average %s'\ncpu_text = 'average: device %s, generator %s'\n",
		 c->last_s, curve_round(c->last_s / 6), curve_round(c->most / c->scale.factor), c->scale.unit, start, end,
		 figure_colour(s, trial_device(trial)), c->has_rate, c->has_device, c->has_generator, rate, device, generator);
	figure->height_px = 290;
}

int figure_trial(const struct summary *summary, struct figure *figure)
{
	struct curve c = curve_of(summary, figure->trial);
	OWN_FILE FILE *out = NULL;

	if (c.count < 2 || !(c.last_s > 0) || !(c.has_rate || c.has_device || c.has_generator)) {
		snprintf(figure->note, sizeof(figure->note), "no graph: %s",
			 !c.count ? "no samples of this trial" :
			 c.count < 2 || !(c.last_s > 0) ? "one sample only" : "nothing was measured");
		return 0;
	}
	out = figure_open(summary, figure);
	if (!out)
		return -EIO;
	curve_write(summary, figure->trial, &c, out);
	curve_settings(summary, &c, figure);
	return ferror(out) ? -EIO : (int)c.count;
}
