/* SPDX-License-Identifier: BSD-2-Clause */
/* Readings of every counter of a trial at one moment, and the one-second samples
 * made of two neighbouring ones. */
#ifndef HARNESS_SAMPLE_H
#define HARNESS_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/lab/lab.h"
#include "harness/probe/probe.h"

/* The interfaces of a lab in the order a packet upwards meets them. */
enum sample_place { PLACE_CLIENT, PLACE_IN, PLACE_OUT, PLACE_SERVER, PLACE_COUNT };

struct reading {
	uint64_t time_ns;
	bool device;    /* false with topology direct: no PLACE_IN, no PLACE_OUT */
	struct interface_sample at[PLACE_COUNT];
	struct cpu_sample cpu;
};

/* Reads all. probe NULL: CPU stays PROBE_UNKNOWN. Returns 0 or -errno, logged. */
int reading_take(struct reading *reading, const struct lab *lab, struct cpu_probe *probe);

/* What a system monitor shows: the device's inside interface, without a device
 * the client's. */
enum sample_place reading_shown(const struct reading *reading);

/* b - a, or PROBE_UNKNOWN if either is. */
static inline uint64_t sample_difference(uint64_t a, uint64_t b)
{
	return a == PROBE_UNKNOWN || b == PROBE_UNKNOWN ? PROBE_UNKNOWN : b - a;
}

/* Shares of the time between two readings, 0-1; NAN where not measured. */
struct shares {
	double device, busiest_core, generator, generator_mean, steal;
};
void sample_shares(struct shares *shares, const struct reading *a, const struct reading *b,
		   const struct lab *lab);

/* Writes one line of samples.csv for the time from a to b. generator_bps: NAN
 * where not known. first_ns: time of the trial's first reading. */
struct sample {
	unsigned trial;
	bool omitted;
	uint64_t first_ns;
	double generator_bps;
};
extern const char sample_head[];
void sample_print(FILE *out, const struct sample *sample, const struct reading *a,
		  const struct reading *b, const struct lab *lab);

#endif
