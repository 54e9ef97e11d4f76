/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/trial/accounting.h"

#include <inttypes.h>
#include <math.h>

#include "common/units.h"

#define UNKNOWN UINT64_MAX
#define ENDS_TOLERANCE 0.01    /* of what both ends expect */
#define DEVICE_TOLERANCE 0.002 /* of what entered the device */
/* Frames that are nobody's payload: ARP, neighbour discovery, connections that
 * end after the end points' last look. */
#define SLACK_BYTES 16384
#define SLACK_CONNECTION_BYTES 400
#define SLACK_FRAMES 64
/* TCP options hold 40 bytes, timestamps take 12: what SACK blocks may add to an ACK. */
#define SACK_BYTES 28

static double way_ip_bytes(uint64_t bytes, uint64_t frames)
{
	return (double)bytes - (double)frames * ETHERNET_HEADER_BYTES;
}

static double way_slack(const struct accounting *a)
{
	return SLACK_BYTES + SLACK_CONNECTION_BYTES * (double)a->connections;
}

static char *print_bytes(char *out, size_t size, double bytes)
{
	char text[48];

	units_print_bytes(text, sizeof(text), (uint64_t)fabs(bytes));
	snprintf(out, size, "%s%s", bytes < 0 ? "-" : "", text);
	return out;
}

/* What entered the device against what both ends say. */
static bool way_check_ends(const struct accounting *a, int way, FILE *text)
{
	const struct accounting_way *w = &a->way[way], *other = &a->way[!way];
	double frames = (double)w->entered_frames, segments = (double)w->segments;
	double lost = (double)w->lost_before_frames;
	double entered, expected, lost_bytes, difference, tolerance, sack = 0;
	char one[64], two[64], three[64];

	if (w->payload_bytes == UNKNOWN || w->segments == UNKNOWN || w->retransmitted_bytes == UNKNOWN ||
	    w->header_bytes == UNKNOWN) {
		fprintf(text, "%s: an end point's totals are missing. ", w->name);
		return false;
	}
	entered = way_ip_bytes(w->entered_bytes, w->entered_frames);
	/* Frames lost on the way in: how large they were is not known; the mean is. */
	lost_bytes = frames > 0 ? lost * entered / frames : 0;
	if (segments > frames + lost)
		entered += (segments - frames - lost) * (double)w->header_bytes;
	expected = (double)w->payload_bytes + (double)w->retransmitted_bytes +
		   segments * (double)w->header_bytes;
	difference = entered + lost_bytes - expected;
	tolerance = ENDS_TOLERANCE * expected + lost_bytes + way_slack(a);
	if (other->retransmitted_bytes && w->data_segments < w->segments)
		sack = SACK_BYTES * (segments - (double)w->data_segments);
	fprintf(text, "%s: %s entered in %" PRIu64 " frames, %s expected (payload %s, %" PRIu64 " segments",
		w->name,
		print_bytes(one, sizeof(one), entered), w->entered_frames,
		print_bytes(two, sizeof(two), expected),
		print_bytes(three, sizeof(three), (double)w->payload_bytes), w->segments);
	fprintf(text, ", retransmitted %s", print_bytes(one, sizeof(one), (double)w->retransmitted_bytes));
	if (w->lost_before_frames)
		fprintf(text, ", %" PRIu64 " frames lost before the device", w->lost_before_frames);
	fprintf(text, "): %+.2f %%. ", expected > 0 ? 100 * difference / expected : 0);
	if (difference >= -tolerance && difference <= tolerance + sack)
		return true;
	fprintf(text, "%s: NOT within %.0f %%. ", w->name, 100 * ENDS_TOLERANCE);
	return false;
}

/* With segmentation offload off no frame may stand for several segments. */
static bool way_check_frames(const struct accounting *a, const struct accounting_way *w, FILE *text)
{
	double frames = (double)w->entered_frames + (double)w->lost_before_frames;

	if (!a->mtu_size || w->segments == UNKNOWN ||
	    (double)w->segments <= frames * (1 + ENDS_TOLERANCE) + SLACK_FRAMES + (double)a->connections)
		return true;
	fprintf(text, "%s: %.0f frames for %" PRIu64 " segments, though segmentation offload is OFF. ",
		w->name, frames, w->segments);
	return false;
}

/* More out than in, in one direction: some counter lies. */
static bool way_check_negative(const struct accounting *a, const struct accounting_way *w, FILE *text)
{
	double entered = way_ip_bytes(w->entered_bytes, w->entered_frames);
	double left = way_ip_bytes(w->left_bytes, w->left_frames);
	char one[64];

	if (left <= entered * (1 + DEVICE_TOLERANCE) + way_slack(a))
		return true;
	fprintf(text, "%s: %s MORE left the device than entered it. ", w->name,
		print_bytes(one, sizeof(one), left - entered));
	return false;
}

/* Entered - left - lost behind = drops that the device counted, in bytes where it
 * counts bytes, else in packets. */
static bool accounting_check_drops(const struct accounting *a, FILE *text)
{
	double entered = 0, left = 0, frames = 0, behind = 0, lost, dropped, tolerance, headers = 0;
	char one[64], two[64], three[64];

	for (int i = 0; i < 2; i++) {
		entered += way_ip_bytes(a->way[i].entered_bytes, a->way[i].entered_frames);
		left += way_ip_bytes(a->way[i].left_bytes, a->way[i].left_frames);
		frames += (double)a->way[i].entered_frames - (double)a->way[i].left_frames;
		behind += (double)a->way[i].lost_after_frames;
	}
	if (a->dropped_bytes == UNKNOWN) {
		fprintf(text, "device: %.0f frames not forwarded, %" PRIu64 " dropped and counted, %.0f lost behind it. ",
			frames, a->dropped_packets, behind);
		lost = frames - behind;
		dropped = (double)a->dropped_packets;
		tolerance = DEVICE_TOLERANCE * (double)(a->way[0].entered_frames + a->way[1].entered_frames) +
			    SLACK_FRAMES + (double)a->connections;
	} else {
		fprintf(text, "device: %s entered, %s left, %s dropped and counted",
			print_bytes(one, sizeof(one), entered), print_bytes(two, sizeof(two), left),
			print_bytes(three, sizeof(three), (double)a->dropped_bytes));
		if (behind > 0)
			fprintf(text, ", %.0f frames lost behind it", behind);
		fprintf(text, ". ");
		lost = entered - left;
		dropped = (double)a->dropped_bytes;
		if (!a->mtu_size && a->mtu_bytes)
			headers = dropped * (double)a->way[0].header_bytes / a->mtu_bytes;
		/* Frames lost behind the device are known by number only. */
		tolerance = DEVICE_TOLERANCE * entered + way_slack(a) + behind * 65535;
	}
	if (lost <= dropped + tolerance && lost >= dropped - headers - tolerance)
		return true;
	fprintf(text, "The device's counters do NOT account for %s. ",
		a->dropped_bytes == UNKNOWN ? "these frames" : print_bytes(one, sizeof(one), lost - dropped));
	return false;
}

bool accounting_check(const struct accounting *a, FILE *text)
{
	bool ok = true;

	for (int i = 0; i < 2; i++) {
		ok &= way_check_ends(a, i, text);
		ok &= way_check_frames(a, &a->way[i], text);
		if (a->device)
			ok &= way_check_negative(a, &a->way[i], text);
	}
	if (a->device)
		ok &= accounting_check_drops(a, text);
	return ok;
}
