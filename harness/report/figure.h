/* SPDX-License-Identifier: BSD-2-Clause */
/* Figures, drawn by gnuplot from the scripts in plots/ into the results folder's
 * plots/, as SVG and PNG, with their data beside them. A figure that cannot be
 * drawn costs itself, never the report: it carries a note instead. */
#ifndef HARNESS_REPORT_FIGURE_H
#define HARNESS_REPORT_FIGURE_H

#include "harness/report/summary.h"

struct figure {
	char name[32];          /* "rate", "cost", "trial-012": plots/<name>.svg, .png, .dat */
	char script[32];        /* "rate.gp" */
	const struct trial *trial; /* of a trial's graph, else NULL */
	unsigned height_px;
	char settings[768];     /* variables of the script, as gnuplot text */
	bool ready;             /* the data and the script are there, so gnuplot can try */
	bool drawn;             /* the SVG is there, whole */
	char note[256];         /* why not, or why the PNG is missing; "" if all went well */
};

struct figures {
	struct figure *figure;  /* rate, cost, then one a trial; owned */
	size_t count, failed;
};

enum { FIGURE_RATE, FIGURE_COST, FIGURE_TRIALS };

/* Draws all; returns 0, or -errno, logged, if even the folder cannot be made. */
int figures_draw(const struct summary *summary, struct figures *out);
void figures_free(struct figures *figures);
/* The trial's figure, or NULL. */
const struct figure *figures_of_trial(const struct figures *figures, const struct trial *trial);

/* figure_bars.c, figure_trial.c: write <folder>/plots/<name>.dat and fill
 * settings and height_px. Return the number of lines that can be drawn (0:
 * nothing, with the reason in figure->note) or -errno. */
int figure_bars(const struct summary *summary, struct figure *figure, enum measure measure);
int figure_trial(const struct summary *summary, struct figure *figure);
/* The device's line type in style.gp, from 1. */
unsigned figure_colour(const struct summary *summary, const char *device);
/* The figure's data file, open for writing; NULL, logged. */
FILE *figure_open(const struct summary *summary, const struct figure *figure);

#endif
