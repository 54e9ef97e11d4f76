/* SPDX-License-Identifier: BSD-2-Clause */
/* Single features of the machine, tried out where they can do no harm: in a
 * network namespace made for it, with programs that are loaded and let go. */
#ifndef HARNESS_PROBE_FEATURES_H
#define HARNESS_PROBE_FEATURES_H

#include <stddef.h>

#include "harness/lab/lab.h"

struct trial_ground {
	const struct lab_host *host;
	int netns_fd;          /* a scratch namespace, or -1 where there can be none */
	char why[256];         /* filled by a feature that is missing */
};

struct feature {
	const char *name;
	const char *needed_for;
	const char *way_out;
	/* true: it is there. Fills ground->why otherwise, and perhaps when it is. */
	bool (*there)(struct trial_ground *ground);
};

/* In an order in which later ones may build on what earlier ones made. */
extern const struct feature feature_table[];
extern const size_t feature_count;

#endif
