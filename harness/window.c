/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/window.h"

#include <math.h>

#include "common/clock.h"
#include "harness/accounting.h"

static double window_known(uint64_t value)
{
	return value == PROBE_UNKNOWN ? NAN : (double)value;
}

/* Payload by the client's own clock and counters: what it sent and what it got
 * between the first and the last moment of its window. */
static void window_goodput(struct window *w, const struct trial *t)
{
	const json_t *own = json_object_get(t->load.end[LOAD_CLIENT], "window");
	const json_t *up = json_object_get(own, "sent_bps"), *down = json_object_get(own, "received_bps");

	w->goodput_up_bps = json_is_number(up) ? json_number_value(up) : NAN;
	w->goodput_down_bps = json_is_number(down) ? json_number_value(down) : NAN;
	w->goodput_bps = w->goodput_up_bps + w->goodput_down_bps;
}

static double window_ip_bytes(const struct reading *a, const struct reading *b, enum sample_place place)
{
	return (double)(b->at[place].tx_bytes - a->at[place].tx_bytes) -
	       (double)ETHERNET_HEADER_BYTES *
		       (double)(b->at[place].tx_packets - a->at[place].tx_packets);
}

static void window_interface(struct window *w, const struct reading *a, const struct reading *b)
{
	enum sample_place shown = reading_shown(a);
	const struct interface_sample *from = &a->at[shown], *to = &b->at[shown];
	bool device = a->device;

	w->interface_bytes_per_s = (double)(to->rx_bytes - from->rx_bytes + to->tx_bytes - from->tx_bytes) /
				   w->seconds;
	w->interface_pps = (double)(to->rx_packets - from->rx_packets + to->tx_packets - from->tx_packets) /
			   w->seconds;
	w->forwarded_ip_bps = 8 *
			      (window_ip_bytes(a, b, device ? PLACE_IN : PLACE_CLIENT) +
			       window_ip_bytes(a, b, device ? PLACE_OUT : PLACE_SERVER)) /
			      w->seconds;
}

static void window_cpu(struct window *w, const struct trial *t)
{
	const struct reading *a = &t->window[0], *b = &t->window[1];
	double gigabits = w->forwarded_ip_bps * w->seconds / 1e9;

	sample_shares(&w->shares, a, b, t->lab);
	w->device_s = b->cpu.method == CPU_NONE ?
			      NAN : window_known(sample_difference(a->cpu.device_ns, b->cpu.device_ns)) / 1e9;
	w->not_idle_s = window_known(sample_difference(a->cpu.device_not_idle_ns, b->cpu.device_not_idle_ns)) / 1e9;
	w->queue_drops = window_known(sample_difference(a->cpu.queue_drops, b->cpu.queue_drops));
	w->per_gigabit_ms = a->device && gigabits > 0 ? 1000 * w->device_s / gigabits : NAN;
}

/* Filters in use: one a client address, and no more of those than connections. */
static double window_limit_bps(const struct trial *t)
{
	uint32_t used = load_clients(t->settings);

	if (used > t->settings->load.connections)
		used = t->settings->load.connections;
	if (t->policy.filter_count < used)
		used = t->policy.filter_count;
	return (double)t->policy.limit_bps * used;
}

static enum limited window_limited(const struct window *w, const struct trial *t)
{
	const struct limited_input input = {
		.busiest_core_share = t->window[0].device ? w->shares.busiest_core : NAN,
		.device_not_idle_share = t->window[0].device && t->lab->cpu_shares ? w->shares.device_not_idle : NAN,
		.device_cores = t->lab->device_cores.count,
		.queue_drops = t->window[0].device ? w->queue_drops : NAN,
		.generator_share = w->shares.generator,
		.ip_bps = w->forwarded_ip_bps,
		.limit_bps = w->limit_bps,
		.link_lost = (double)(t->window[1].at[PLACE_CLIENT].tx_drops - t->window[0].at[PLACE_CLIENT].tx_drops +
				      t->window[1].at[PLACE_SERVER].tx_drops - t->window[0].at[PLACE_SERVER].tx_drops),
	};

	return limited_by(&input);
}

void window_measure(struct window *w, const struct trial *t)
{
	const struct reading *a = &t->window[0], *b = &t->window[1];

	w->seconds = (double)(b->time_ns - a->time_ns) / NS_PER_S;
	w->start_s = (double)(a->time_ns - t->base.time_ns) / NS_PER_S;
	w->end_s = (double)(b->time_ns - t->base.time_ns) / NS_PER_S;
	window_interface(w, a, b);
	window_goodput(w, t);
	window_cpu(w, t);
	w->limit_bps = window_limit_bps(t);
	w->limited = window_limited(w, t);
}
