/* SPDX-License-Identifier: BSD-2-Clause */
/* What is counted, and the arithmetic on it: sums, intervals, fairness. Plain
 * data, no I/O, no clock. */
#ifndef TRAFFICGEN_RECORDS_H
#define TRAFFICGEN_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

/* Payload bytes of all connections until a point in time. */
struct totals {
	uint64_t time_ns;
	uint64_t sent_bytes, received_bytes;
};

/* From one reading to the next. */
struct interval {
	uint64_t start_ns, end_ns;
	uint64_t sent_bytes, received_bytes;
	uint32_t connections;          /* open at its end */
	bool omitted;                  /* not part of the measured window */
};

/* A chain of intervals without gap or overlap: window and total are sums of it,
 * so all three agree to the byte. */
struct meter {
	struct totals start, last;
	struct interval window;        /* sum of those not omitted; start_ns of the first */
	bool measured;                 /* there is a window */
};

void meter_start(struct meter *meter, const struct totals *now);
/* Ends the interval under way at now, which is not before the last reading, and
 * begins the next. */
struct interval meter_cut(struct meter *meter, const struct totals *now, bool omitted);
/* The whole life until the last cut. */
struct interval meter_total(const struct meter *meter);
/* Bits a second, or NAN for an interval without length. */
double meter_bps(const struct interval *interval, uint64_t bytes);

/* What single connections got. */
struct spread {
	uint64_t count, least_bytes, most_bytes;
	double sum, sum_of_squares;
};

void spread_add(struct spread *spread, uint64_t bytes);
void spread_merge(struct spread *into, const struct spread *from);
/* Jain's index (Jain, Chiu, Hawe 1984): 1 for equal shares, 1/n where one has
 * all; NAN without connections or bytes. */
double spread_fairness(const struct spread *spread);

/* Sums of TCP_INFO over closed connections, and what they had in common. */
struct tcp_record {
	uint64_t connections;
	uint64_t segments_out, segments_in, data_segments_out, data_segments_in;
	uint64_t retransmits, retransmitted_bytes;
	uint32_t mss_least_bytes, mss_most_bytes;
	uint32_t header_least_bytes, header_most_bytes; /* IP and TCP, options included */
};

void tcp_record_merge(struct tcp_record *into, const struct tcp_record *from);

#endif
