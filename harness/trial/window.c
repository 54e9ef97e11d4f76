/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/trial/window.h"

#include <math.h>

#include "common/clock.h"
#include "harness/trial/accounting.h"

static double window_known(uint64_t value)
{
	return value == PROBE_UNKNOWN ? NAN : (double)value;
}

static double window_received_bps(const json_t *end)
{
	const json_t *value = json_object_get(json_object_get(end, "window"), "received_bps");

	return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Payload that arrived, by each receiver's own window: what a sender has handed
 * to its kernel may still lie in a buffer. */
static void window_goodput(struct window *w, const struct trial *t)
{
	w->goodput_up_bps = window_received_bps(t->load.end[LOAD_SERVER]);
	w->goodput_down_bps = window_received_bps(t->load.end[LOAD_CLIENT]);
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

/* Of the device's own receive queue. Known for the whole trial only: asking in the
 * middle would cost what is measured. */
static double window_ring_drops(const struct trial *t)
{
	const char *reason = t->device.kind ? t->device.kind->queue_reason : NULL;
	json_t *before = json_object_get(t->stats_base, "drops"), *after = json_object_get(t->stats_final, "drops");

	if (!reason)
		return 0;
	return (double)(json_integer_value(json_object_get(after, reason)) -
			json_integer_value(json_object_get(before, reason)));
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
	w->queue_drops += window_ring_drops(t);
	w->per_gigabit_ms = a->device && gigabits > 0 ? 1000 * w->device_s / gigabits : NAN;
}

/* Filters in use: one a client address, and no more of those than connections. */
static double window_filters(const struct trial *t)
{
	uint32_t used = load_clients(t->settings);

	if (used > t->settings->load.connections)
		used = t->settings->load.connections;
	return t->policy.filter_count < used ? t->policy.filter_count : used;
}

static void window_limit(struct window *w, const struct trial *t)
{
	double filters = window_filters(t), full = filters * (double)t->device.bucket_bytes;
	double forwarded = window_ip_bytes(&t->base, &t->window[0], PLACE_IN) +
			   window_ip_bytes(&t->base, &t->window[0], PLACE_OUT);

	w->limit_bps = (double)t->policy.limit_bps * filters;
	w->unspent_bytes = full + w->limit_bps / 8 * w->start_s - forwarded;
	w->unspent_bytes = w->limit_bps > 0 ? fmax(0, fmin(full, w->unspent_bytes)) : 0;
}

static enum limited window_limited(const struct window *w, const struct trial *t)
{
	const struct limited_input input = {
		.busiest_core_share = t->window[0].device ? w->shares.busiest_core : NAN,
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
	window_limit(w, t);
	w->limited = window_limited(w, t);
}
