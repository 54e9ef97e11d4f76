/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures of a trial's measured window, from the readings at its two ends.
 * What was not measured is NAN. */
#ifndef HARNESS_WINDOW_H
#define HARNESS_WINDOW_H

#include "harness/trial/limited.h"
#include "harness/trial/sample.h"
#include "harness/trial/trial.h"

struct window {
	double seconds, start_s, end_s;   /* start and end since the trial's first reading */
	double interface_bytes_per_s;     /* on the device's inside interface, received + sent */
	double interface_pps;
	double goodput_up_bps, goodput_down_bps, goodput_bps; /* payload received */
	/* IP bytes that the device sent on both of its interfaces; a super-packet's
	 * headers are in it once, as the interface counts them. */
	double forwarded_ip_bps;
	double limit_bps;                 /* sum of the limits of the filters in use; 0: none */
	/* Bytes of their bursts that may still have been there when the window began:
	 * all buckets full at first, plus what flowed in, minus what was forwarded. */
	double unspent_bytes;
	double device_s;                  /* device CPU */
	double not_idle_s;                /* of the device's cores, for comparison */
	/* Device CPU in ms per gigabit (1e9 bit) of forwarded IP bytes. */
	double per_gigabit_ms;
	double queue_drops;               /* of the device's receive queues */
	struct shares shares;
	enum limited limited;
};

/* trial->measured must be true. */
void window_measure(struct window *window, const struct trial *trial);

#endif
