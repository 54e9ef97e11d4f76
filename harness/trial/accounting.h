/* SPDX-License-Identifier: BSD-2-Clause */
/* Accounting of a trial: do the device's counters, its drops and what both ends
 * sent and received add up? Pure arithmetic on figures read before the first
 * connection and after a quiet second.
 *
 * Interfaces count Ethernet frames, and a super-packet once, with one header.
 * The end points count payload, and segments. Per direction:
 *   IP bytes entered = frame bytes - 14 a frame + a header for every segment
 *                      beyond the frames that carried them
 *   expected         = payload received + payload retransmitted + a header a segment
 *   entered = expected, within 1 % (and the blocks of selective
 *   acknowledgements, which no end counts, where segments were lost); left <= entered; both directions together:
 *   entered - left = drops counted, where a device may count a dropped super-packet
 *   as its segments, with a header each, or as the one packet it handles. */
#ifndef HARNESS_ACCOUNTING_H
#define HARNESS_ACCOUNTING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ETHERNET_HEADER_BYTES 14u

/* One direction. Unknown figures are UINT64_MAX: what needs them is not judged. */
struct accounting_way {
	const char *name;                /* "up", "down" */
	uint64_t entered_bytes, entered_frames; /* received by the device, frame bytes */
	uint64_t left_bytes, left_frames;       /* sent by it on the other side */
	uint64_t lost_before_frames;     /* dropped between the sender and the device */
	uint64_t lost_after_frames;      /* dropped behind the device's interface */
	uint64_t payload_bytes;          /* received by the receivers, whole life */
	uint64_t retransmitted_bytes;    /* payload sent again by the senders */
	uint64_t segments;               /* sent by the senders, pure ACKs included */
	uint64_t data_segments;          /* those of them with payload */
	uint64_t header_bytes;           /* IP and TCP, a data segment */
};

struct accounting {
	struct accounting_way way[2];
	uint64_t dropped_bytes;          /* counted by the device, both directions; UNKNOWN: */
	uint64_t dropped_packets;        /* packets only */
	uint64_t connections;
	uint32_t mtu_bytes;
	bool device;                     /* false: nothing in the middle */
	bool mtu_size;                   /* segmentation offload is off: a frame a segment */
};

/* Returns true when it adds up; writes one paragraph with the numbers. */
bool accounting_check(const struct accounting *accounting, FILE *text);

#endif
