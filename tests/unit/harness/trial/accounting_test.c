/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/trial/accounting.h"

#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "tests/unit/skip.h"

/* 1,000,000 data segments of 1448 bytes up, 100,000 pure ACKs down; IPv4 with
 * timestamps: 52 bytes of header, 66 with Ethernet's. */
static struct accounting mtu_size(void)
{
	return (struct accounting){
		.way = {
			{
				.name = "up",
				.entered_bytes = 1000000ull * 1514, .entered_frames = 1000000,
				.left_bytes = 1000000ull * 1514, .left_frames = 1000000,
				.payload_bytes = 1448000000, .segments = 1000000, .data_segments = 1000000, .header_bytes = 52,
			},
			{
				.name = "down",
				.entered_bytes = 100000ull * 66, .entered_frames = 100000,
				.left_bytes = 100000ull * 66, .left_frames = 100000,
				.payload_bytes = 0, .segments = 100000, .header_bytes = 52,
			},
		},
		.dropped_bytes = 0,
		.connections = 10,
		.device = true,
	};
}

/* The same traffic in frames of 40 segments each: one header a frame. */
static struct accounting super_packets(void)
{
	struct accounting a = mtu_size();

	a.way[0].entered_frames = a.way[0].left_frames = 25000;
	a.way[0].entered_bytes = a.way[0].left_bytes = 25000ull * 66 + 1448000000;
	return a;
}

static bool check(const struct accounting *a, char **text)
{
	size_t size;
	FILE *out = open_memstream(text, &size);
	bool ok = accounting_check(a, out);

	fclose(out);
	return ok;
}

#define ADDS_UP(a)                               \
	do {                                     \
		OWN_MEM char *text = NULL;       \
		if (!check(&(a), &text))         \
			fail_msg("%s", text);    \
	} while (0)

#define FAILS(a, words)                                            \
	do {                                                       \
		OWN_MEM char *text = NULL;                         \
		assert_false(check(&(a), &text));                  \
		if (!strstr(text, words))                          \
			fail_msg("no \"%s\" in: %s", words, text); \
	} while (0)

static void all_that_entered_left(void **state)
{
	struct accounting a = mtu_size(), b = super_packets();

	(void)state;
	ADDS_UP(a);
	ADDS_UP(b);
}

static void segments_that_no_end_knows_of(void **state)
{
	struct accounting a = mtu_size(), b = super_packets();

	(void)state;
	a.way[0].payload_bytes -= a.way[0].payload_bytes / 50;
	FAILS(a, "up: NOT within 1 %");
	b.way[0].payload_bytes -= b.way[0].payload_bytes / 50;
	FAILS(b, "up: NOT within 1 %");
}

static void a_super_packet_is_not_charged_once(void **state)
{
	struct accounting a = super_packets();

	/* As if each frame had been a segment: 3.5 % of headers are missing. */
	(void)state;
	a.way[0].segments = a.way[0].entered_frames;
	a.way[0].payload_bytes += 975000ull * 52;
	FAILS(a, "up: NOT within 1 %");
}

static void super_packets_with_offload_off(void **state)
{
	struct accounting a = mtu_size(), b = super_packets();

	(void)state;
	a.mtu_size = b.mtu_size = true;
	ADDS_UP(a);
	FAILS(b, "segmentation offload is OFF");
}

static void drops_are_counted_or_missed(void **state)
{
	struct accounting a = mtu_size();
	uint64_t frames = 50000;

	/* 5 % dropped by a limit, each sent again. */
	(void)state;
	a.way[0].entered_frames += frames;
	a.way[0].entered_bytes += frames * 1514;
	a.way[0].segments += frames;
	a.way[0].retransmitted_bytes = frames * 1448;
	a.dropped_bytes = frames * 1500;
	ADDS_UP(a);
	a.dropped_bytes = 0;
	FAILS(a, "do NOT account for");
	a.dropped_bytes = UINT64_MAX; /* counted in packets only */
	a.dropped_packets = frames;
	ADDS_UP(a);
	a.dropped_packets = 0;
	FAILS(a, "do NOT account for");
	/* Lost in the queue behind the device. */
	a.way[0].lost_after_frames = frames;
	ADDS_UP(a);
}

static void a_dropped_super_packet_as_its_segments(void **state)
{
	struct accounting a = super_packets();
	uint64_t frames = 2000, bytes = frames * (52 + 40 * 1448), wire = frames * 40 * 1500;

	(void)state;
	a.mtu_bytes = 1500;
	a.way[0].entered_frames += frames;
	a.way[0].entered_bytes += bytes + 14 * frames;
	a.way[0].segments += frames * 40;
	a.way[0].retransmitted_bytes = frames * 40 * 1448;
	a.dropped_bytes = bytes;
	ADDS_UP(a);
	a.dropped_bytes = wire;
	ADDS_UP(a);
	a.dropped_bytes = wire + wire / 30;
	FAILS(a, "do NOT account for");
	a.dropped_bytes = bytes - bytes / 15;
	FAILS(a, "do NOT account for");
}

static void frames_lost_before_the_device(void **state)
{
	struct accounting a = mtu_size();
	uint64_t frames = 30000;

	(void)state;
	a.way[0].lost_before_frames = frames;
	a.way[0].segments += frames;
	a.way[0].retransmitted_bytes = frames * 1448;
	ADDS_UP(a);
}

static void blocks_of_selective_acknowledgements(void **state)
{
	struct accounting a = mtu_size();

	/* Every ACK down carries two blocks; only where segments up were lost. */
	(void)state;
	a.way[1].entered_bytes += 100000 * 20;
	a.way[1].left_bytes += 100000 * 20;
	FAILS(a, "down: NOT within 1 %");
	a.way[0].retransmitted_bytes = 1448;
	ADDS_UP(a);
}

static void a_negative_loss_is_an_error(void **state)
{
	struct accounting a = mtu_size();

	(void)state;
	a.way[0].left_bytes += a.way[0].left_bytes / 100;
	FAILS(a, "MORE left the device");
}

static void without_a_device_only_the_ends_count(void **state)
{
	struct accounting a = mtu_size();

	(void)state;
	a.device = false;
	a.way[0].left_bytes = a.way[0].left_frames = 0;
	ADDS_UP(a);
}

static void an_end_that_said_nothing(void **state)
{
	struct accounting a = mtu_size();

	(void)state;
	a.way[1].segments = UINT64_MAX;
	FAILS(a, "down: an end point's totals are missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_entered_left),
		cmocka_unit_test(segments_that_no_end_knows_of),
		cmocka_unit_test(a_super_packet_is_not_charged_once),
		cmocka_unit_test(super_packets_with_offload_off),
		cmocka_unit_test(drops_are_counted_or_missed),
		cmocka_unit_test(a_dropped_super_packet_as_its_segments),
		cmocka_unit_test(frames_lost_before_the_device),
		cmocka_unit_test(blocks_of_selective_acknowledgements),
		cmocka_unit_test(a_negative_loss_is_an_error),
		cmocka_unit_test(without_a_device_only_the_ends_count),
		cmocka_unit_test(an_end_that_said_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
