/* SPDX-License-Identifier: BSD-2-Clause */
/* What limited a trial (DESIGN: "What limited a trial is named"). */
#ifndef HARNESS_LIMITED_H
#define HARNESS_LIMITED_H

#include <stdint.h>

enum limited { LIMITED_UNDETERMINED, LIMITED_DEVICE, LIMITED_GENERATOR, LIMITED_LINK, LIMITED_LIMIT };
extern const char *const limited_names[];

/* Figures of the measured window; NAN where not measured. */
struct limited_input {
	double busiest_core_share;     /* device time on the device's busiest core */
	double queue_drops;            /* of the device's receive queues */
	double generator_share;        /* the busiest generator core, not idle */
	double ip_bps;                 /* forwarded, both directions */
	double limit_bps;              /* sum of the filters' limits in use; 0: none */
	double link_lost;              /* frames lost between the nodes, no queue of the device's */
};

enum limited limited_by(const struct limited_input *input);

#endif
