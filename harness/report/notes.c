/* SPDX-License-Identifier: BSD-2-Clause */
/* What a reader has to know beside the table, the same in all outputs. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/own.h"
#include "harness/report/summary.h"

struct notes {
	const struct summary *summary;
	unsigned absent;         /* what the table was too narrow for */
	note_fn *say;
	void *to;
};

static void notes_say(const struct notes *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void notes_say(const struct notes *n, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n->say(n->to, text);
}

static bool notes_any_bound(const struct summary *s, bool ratio, enum bound bound)
{
	for (size_t i = 0; i < s->row_count; i++) {
		const struct row *row = &s->rows[i];

		if (!row->hidden && (ratio ? row->ratio_bound : row->rate_bound) == bound &&
		    row->figure[ratio ? MEASURE_RATIO : MEASURE_RATE].n)
			return true;
	}
	return false;
}

static bool notes_any(const struct summary *s, enum measure measure)
{
	for (size_t i = 0; i < s->row_count; i++)
		if (!s->rows[i].hidden && s->rows[i].figure[measure].n)
			return true;
	return false;
}

static bool notes_any_equal(const struct summary *s)
{
	for (size_t i = 0; i < s->row_count; i++)
		if (!s->rows[i].hidden && s->rows[i].figure[MEASURE_RATE].equal)
			return true;
	return false;
}

static void notes_bounds(const struct notes *n)
{
	const struct summary *s = n->summary;
	bool ratio = !(n->absent & NOTES_NO_RATIO);

	if (notes_any_bound(s, false, BOUND_AT_LEAST) || (ratio && notes_any_bound(s, true, BOUND_AT_LEAST)))
		notes_say(n, ">=: the generator was the limit; the device may do more.");
	if (ratio && notes_any_bound(s, true, BOUND_AT_MOST))
		notes_say(n, "<=: the row without firewall was limited by the generator; the ratio may be less.");
	if (ratio && notes_any_bound(s, true, BOUND_EITHER))
		notes_say(n, "~: both rows were limited by the generator; their ratio does not compare devices.");
	if (!(n->absent & NOTES_NO_PROJECTED) && notes_any(s, MEASURE_PROJECTED))
		notes_say(n, "projected: an estimate, Bytes/sec over the share in use of the device's busiest core; only from 30 %% on.");
}

/* How device CPU was had, if not by softirq time in every trial. */
static void notes_method(const struct notes *n)
{
	size_t process = 0, none = 0, all = 0;
	const char *count;

	for (size_t i = 0; i < n->summary->result.trial_count; i++) {
		const struct trial *t = &n->summary->result.trials[i];
		const char *method = trial_text(t, "cpu.method");

		if (t->state != TRIAL_OK)
			continue;
		all++;
		process += method && !strcmp(method, "process");
		none += !method || !strcmp(method, "none");
	}
	count = all < n->summary->result.trial_count ? "trials that count" : "trials";
	if (process)
		notes_say(n, "device CPU is that of the device's own process only in %zu of %zu %s; the kernel's share was not measured.",
			  process, all, count);
	if (none)
		notes_say(n, "device CPU was not measured in %zu of %zu %s.", none, all, count);
}

/* What the lab could not do here, and what that takes from the figures. */
static void notes_machine(const struct notes *n)
{
	const json_t *e = n->summary->result.environment;

	if (json_is_false(json_object_get(e, "root")))
		notes_say(n, "ordinary user: no cores of its own for the device; its CPU is known for fwref's own process only; kernel path ruled out.");
	else if (json_is_false(json_object_get(json_object_get(e, "lab"), "cpu_shares")))
		notes_say(n, "no CPU shares here: no cores of its own for the device; its CPU is known for fwref's own process only.");
}

static void notes_trials(const struct notes *n)
{
	const struct summary *s = n->summary;
	size_t all = s->result.trial_count, ok = s->state_count[TRIAL_OK];

	if (s->trials_planned > all)
		notes_say(n, "INTERRUPTED: %zu of %u trials ran; the table holds what was measured.", all,
			  s->trials_planned);
	else if (s->state_count[TRIAL_INTERRUPTED])
		notes_say(n, "INTERRUPTED: the run was ended before its time; the table holds what was measured.");
	if (ok < all)
		notes_say(n, "%zu of %zu trials count; %zu failed, %zu interrupted, %zu unsupported; these stay out of every figure.",
			  ok, all, s->state_count[TRIAL_FAILED], s->state_count[TRIAL_INTERRUPTED],
			  s->state_count[TRIAL_UNSUPPORTED]);
	if (s->result.damaged)
		notes_say(n, "%u lines of trials.jsonl could not be read.", s->result.damaged);
}

void notes_table(const struct summary *summary, unsigned absent, note_fn *say, void *to)
{
	const struct notes n = { summary, absent, say, to };

	notes_trials(&n);
	notes_bounds(&n);
	if (!(absent & NOTES_NO_INTERVAL) && notes_any_equal(summary))
		notes_say(&n, "=: all repetitions gave the same figure; there is no interval.");
	if (summary->offload)
		notes_say(&n, "rows with other segmentation offload have other packets and are not compared with each other.");
	notes_machine(&n);
	notes_method(&n);
}

void notes_failures(const struct summary *summary, note_fn *say, void *to)
{
	const struct notes n = { summary, 0, say, to };

	for (size_t i = 0; i < summary->row_count; i++) {
		const struct row *row = &summary->rows[i];
		char label[512];

		row_label(summary, row, NULL, label, sizeof(label));
		for (size_t k = 0; k < row->trial_count; k++) {
			const struct trial *t = row->trials[k];
			const char *reason = trial_text(t, "reason");

			const char *state = trial_state_names[t->state];
			bool more = !reason || strcmp(reason, state);

			if (t->state != TRIAL_OK)
				notes_say(&n, "trial %u (%s%srepetition %u) %s%s%s", t->trial, label,
					  *label ? ", " : "", t->repetition, state, more ? ": " : "",
					  !more ? "" : reason ? reason : "no reason given");
		}
	}
}

char *notes_packets(const struct summary *summary, char *out, size_t size)
{
	char value[32];

	if (summary->offload)
		snprintf(out, size, "packets: see column %s", summary->offload);
	else if (!result_setting(&summary->result, "lab.segmentation-offload", value, sizeof(value)))
		snprintf(out, size, "packets: segmentation-offload not recorded");
	else if (!strcmp(value, "on") || !strcmp(value, "true"))
		snprintf(out, size, "super-packets (segmentation-offload on)");
	else
		snprintf(out, size, "MTU-size packets (segmentation-offload off)");
	return out;
}

char *notes_common(const struct summary *summary, char *out, size_t size)
{
	const char *skip[32] = { NULL };
	const struct row *row = NULL;
	size_t n = 0;

	for (size_t i = 0; i < summary->column_count && n < ARRAY_LEN(skip) - 1; i++)
		if (!summary_constant(summary, summary->columns[i]))
			skip[n++] = summary->columns[i];
	for (size_t i = 0; i < summary->row_count && !row; i++)
		row = summary->rows[i].hidden ? NULL : &summary->rows[i];
	notes_packets(summary, out, size);
	if (row && n < summary->column_count) {
		char label[512];

		row_label(summary, row, skip, label, sizeof(label));
		if (*label)
			snprintf(out + strlen(out), size - strlen(out), "; every row: %s", label);
	}
	/* Without a column of devices nothing else would say which one it was. */
	if (row && !trial_text(row->first, "key.device") && trial_text(row->first, "device.name"))
		snprintf(out + strlen(out), size - strlen(out), "; device: %s", trial_device(row->first));
	return out;
}
