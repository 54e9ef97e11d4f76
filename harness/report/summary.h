/* SPDX-License-Identifier: BSD-2-Clause */
/* What a results folder says: one row a combination of the matrix, each figure
 * with its statistics over the repetitions that passed their checks. */
#ifndef HARNESS_REPORT_SUMMARY_H
#define HARNESS_REPORT_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/report/format.h"
#include "harness/report/result.h"
#include "harness/report/statistics.h"

enum measure {
	MEASURE_RATE,          /* Bytes/sec of the interface */
	MEASURE_BPS,           /* the same in bit/s */
	MEASURE_PPS,
	MEASURE_GOODPUT,
	MEASURE_DEVICE_CPU,
	MEASURE_BUSIEST_CORE,
	MEASURE_PER_GIGABIT,
	MEASURE_OWN_COST,
	MEASURE_PROJECTED,
	MEASURE_RATIO,         /* rate against the same row without firewall */
	MEASURE_CPU_RATIO,     /* CPU per gigabit against the same row without firewall */
	MEASURE_TO_PUBLISHED,
	MEASURE_GENERATOR_CPU,
	MEASURE_STEAL,
	MEASURE_COUNT,
};

struct summary;
struct row;

#define MEASURE_INTERVAL_TEXT \
	"95 % interval of the mean over the runs (Student's t), cut at 0 where nothing can be less, and at 100 % for shares; none for one run, = where all are equal"

/* The table of figures: all outputs, and their definitions, walk it. */
struct measure_kind {
	const char *name;      /* in csv and json, ends in its unit */
	const char *heading;
	enum quantity quantity;
	const char *definition;
	double (*of)(const struct summary *summary, const struct row *row, const struct trial *trial);
};
extern const struct measure_kind measures[MEASURE_COUNT];

/* The 95 % interval of the mean, within what the quantity can be; NAN if none. */
void measure_interval(const struct measure_kind *kind, const struct statistics *s, double *low, double *high);

enum limit { LIMIT_DEVICE, LIMIT_GENERATOR, LIMIT_LINK, LIMIT_LIMIT, LIMIT_UNDETERMINED, LIMIT_COUNT };
extern const char *const limit_names[LIMIT_COUNT];

/* What a printed rate is worth where the generator set it. */
enum bound { BOUND_EXACT, BOUND_AT_LEAST, BOUND_AT_MOST, BOUND_EITHER };
extern const char *const bound_marks[]; /* "", ">= ", "<= ", "~ " */
extern const char *const bound_names[]; /* "exact", "at-least", "at-most", "either" */

struct row {
	unsigned index;
	bool hidden;
	const struct trial **trials;   /* in the order they ran; the array is owned */
	size_t trial_count, state_count[4];
	const struct trial *first;     /* any trial: key, policy text */
	const struct row *baseline, *empty; /* NULL: none, or no trial of it */
	struct statistics figure[MEASURE_COUNT];
	unsigned limited[LIMIT_COUNT]; /* ok trials by what limited them */
	enum bound rate_bound, ratio_bound;
	bool has_limit;                /* its policy has one: see row_has_limit */
	double asked, open;            /* connections; the least open; NAN unknown */
	double published_bps;          /* NAN: none */
};

struct summary {
	struct result result;
	char title[256];
	struct row *rows;              /* by index, hidden ones included; owned */
	size_t row_count;
	const char **columns;          /* matrix columns in key order; the array is owned */
	size_t column_count;
	const char *offload;           /* name of the matrix column of segmentation-offload, or NULL */
	unsigned trials_planned;       /* 0: not known */
	size_t state_count[4];
};

/* Reads and sums up the folder. Returns 0 or -errno, logged. */
int summary_read(const char *folder, struct summary *out);
void summary_free(struct summary *summary);

/* The policy as the device loaded it in the first trial that tells; NULL: none. */
const char *row_policy(const struct row *row);
/* Has its policy a limit: by what limited a trial, by the policy as loaded, or by
 * the check that a limit held? */
bool row_has_limit(const struct row *row);
/* "device", "mixed" or "-": what limited most of the row's trials. */
const char *row_limited_by(const struct row *row);
/* The row's key in words, without the columns skip names (a NULL-terminated
 * list): "200 connections", "IPv6", "fwref", "NAT + filters". Text is in out. */
char *row_label(const struct summary *summary, const struct row *row, const char *const *skip,
		char *out, size_t size);
/* "4/5": repetitions that count, of those that ran; "5" if all do. */
char *row_runs(const struct row *row, char *out, size_t size);
/* Are there several visible rows, all with the same value in this column? */
bool summary_constant(const struct summary *summary, const char *column);

/* finding.c: one sentence, from the figures alone. */
void finding_write(const struct summary *summary, char *out, size_t size);

/* notes.c: what a reader of the table has to know; each note is passed to say.
 * absent: columns that this table does not show, whose notes are left out. */
enum { NOTES_NO_RATIO = 1, NOTES_NO_PROJECTED = 2, NOTES_NO_INTERVAL = 4 };
typedef void note_fn(void *to, const char *text);
void notes_table(const struct summary *summary, unsigned absent, note_fn *say, void *to);
/* The trials that stay out of the means, one text each. */
void notes_failures(const struct summary *summary, note_fn *say, void *to);
/* "MTU-size packets (segmentation-offload off)": how the packets were. */
char *notes_packets(const struct summary *summary, char *out, size_t size);
/* The same, and what all rows have in common: "…; every row: IPv4". */
char *notes_common(const struct summary *summary, char *out, size_t size);

#endif
