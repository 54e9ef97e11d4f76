/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/records.h"

#include <math.h>

void meter_start(struct meter *meter, const struct totals *now)
{
	*meter = (struct meter){ .start = *now, .last = *now };
}

struct interval meter_cut(struct meter *meter, const struct totals *now, bool omitted)
{
	struct interval interval = {
		.start_ns = meter->last.time_ns, .end_ns = now->time_ns,
		.sent_bytes = now->sent_bytes - meter->last.sent_bytes,
		.received_bytes = now->received_bytes - meter->last.received_bytes,
		.omitted = omitted,
	};

	meter->last = *now;
	if (omitted)
		return interval;
	if (!meter->measured)
		meter->window.start_ns = interval.start_ns;
	meter->measured = true;
	meter->window.end_ns = interval.end_ns;
	meter->window.sent_bytes += interval.sent_bytes;
	meter->window.received_bytes += interval.received_bytes;
	return interval;
}

struct interval meter_total(const struct meter *meter)
{
	return (struct interval){
		.start_ns = meter->start.time_ns, .end_ns = meter->last.time_ns,
		.sent_bytes = meter->last.sent_bytes - meter->start.sent_bytes,
		.received_bytes = meter->last.received_bytes - meter->start.received_bytes,
	};
}

double meter_bps(const struct interval *interval, uint64_t bytes)
{
	if (interval->end_ns <= interval->start_ns)
		return NAN;
	return (double)bytes * 8e9 / (double)(interval->end_ns - interval->start_ns);
}

void spread_add(struct spread *spread, uint64_t bytes)
{
	if (!spread->count || bytes < spread->least_bytes)
		spread->least_bytes = bytes;
	if (bytes > spread->most_bytes)
		spread->most_bytes = bytes;
	spread->count++;
	spread->sum += (double)bytes;
	spread->sum_of_squares += (double)bytes * (double)bytes;
}

void spread_merge(struct spread *into, const struct spread *from)
{
	if (!from->count)
		return;
	if (!into->count || from->least_bytes < into->least_bytes)
		into->least_bytes = from->least_bytes;
	if (from->most_bytes > into->most_bytes)
		into->most_bytes = from->most_bytes;
	into->count += from->count;
	into->sum += from->sum;
	into->sum_of_squares += from->sum_of_squares;
}

double spread_fairness(const struct spread *spread)
{
	if (!spread->count || spread->sum_of_squares <= 0)
		return NAN;
	return spread->sum * spread->sum / ((double)spread->count * spread->sum_of_squares);
}

static void least_most(uint32_t *least, uint32_t *most, uint32_t from_least, uint32_t from_most)
{
	if (from_least && (!*least || from_least < *least))
		*least = from_least;
	if (from_most > *most)
		*most = from_most;
}

void tcp_record_merge(struct tcp_record *into, const struct tcp_record *from)
{
	into->connections += from->connections;
	into->segments_out += from->segments_out;
	into->segments_in += from->segments_in;
	into->data_segments_out += from->data_segments_out;
	into->data_segments_in += from->data_segments_in;
	into->retransmits += from->retransmits;
	into->retransmitted_bytes += from->retransmitted_bytes;
	least_most(&into->mss_least_bytes, &into->mss_most_bytes, from->mss_least_bytes,
		   from->mss_most_bytes);
	least_most(&into->header_least_bytes, &into->header_most_bytes, from->header_least_bytes,
		   from->header_most_bytes);
}
