/* SPDX-License-Identifier: BSD-2-Clause */
/* A trial judges itself. Each check is an object in trial->checks with the
 * numbers it used; the first that fails is the trial's reason. */
#include "harness/trial/trial.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/own.h"
#include "common/units.h"
#include "harness/trial/accounting.h"
#include "harness/trial/limited.h"
#include "harness/trial/window.h"

#define UNKNOWN UINT64_MAX
#define LIMIT_TOLERANCE 0.01
#define WINDOW_TOLERANCE 0.03
#define WINDOW_SLACK_S 0.05
#define WINDOW_LONGEST 1.05
#define WINDOW_LONGEST_SLACK_S 0.3

static bool check_add(struct trial *t, const char *name, bool ok, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static bool check_add(struct trial *t, const char *name, bool ok, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	json_array_append_new(t->checks, json_pack("{s:s, s:b, s:s}", "name", name, "ok", ok, "text", text));
	if (!ok)
		trial_fail(t, "%s: %s", name, text);
	return ok;
}

static uint64_t check_figure(const json_t *object, const char *group, const char *name)
{
	const json_t *value = json_object_get(group ? json_object_get(object, group) : object, name);

	return json_is_integer(value) ? (uint64_t)json_integer_value(value) :
	       json_is_real(value)    ? (uint64_t)json_real_value(value) : UNKNOWN;
}

/* The counters' window must be the client's, else there was no traffic in a part
 * of it; and not much longer than asked for, else the machine stood still. Either
 * happens where this program or fwgen has to wait for a core. */
static void check_window(struct trial *t)
{
	const json_t *window = json_object_get(t->load.end[LOAD_CLIENT], "window");
	double asked = (double)t->settings->load.duration_ns / NS_PER_S;
	double took = (double)(t->window[1].time_ns - t->window[0].time_ns) / NS_PER_S;
	double sent = json_number_value(json_object_get(window, "seconds"));
	bool ok = took <= sent * (1 + WINDOW_TOLERANCE) + WINDOW_SLACK_S &&
		  took <= asked * WINDOW_LONGEST + WINDOW_LONGEST_SLACK_S;

	check_add(t, "window", ok, "%.3f s measured, %.3f s of traffic, %.3f s asked for%s", took, sent,
		  asked, ok ? "" : ": the machine was held up by other work");
}

/* Every connection asked for is open and has moved data. */
static void check_permitted(struct trial *t)
{
	const json_t *end = t->load.end[LOAD_CLIENT];
	uint64_t asked = check_figure(end, "connections", "asked");
	uint64_t open = check_figure(end, "connections", "open");
	uint64_t moved = check_figure(end, "connections", "moved_data");
	OWN_MEM char *failed = json_dumps(json_object_get(json_object_get(end, "connections"), "failed"),
					  JSON_COMPACT);
	bool ok = asked == t->settings->load.connections && open == asked && moved == asked;

	if (asked == UNKNOWN) {
		check_add(t, "permitted", false, "the client did not say how many connections it had");
		return;
	}
	check_add(t, "permitted", ok, "%" PRIu64 " connections asked for, %" PRIu64 " open, %" PRIu64
		  " moved data%s%s", asked, open, moved, ok || !failed ? "" : ", failed ",
		  ok || !failed ? "" : failed);
}

static void check_stranger(struct trial *t)
{
	char address[ADDRESS_TEXT_BYTES];
	struct address stranger = lab_stranger(t->settings->ip);

	if (t->stranger_tried)
		check_add(t, "stranger", !t->stranger_passed, "%s, which no filter names, %s",
			  address_print(address, sizeof(address), &stranger),
			  t->stranger_passed ? "got a connection through" : "got nothing through");
}

/* Under NAT the server saw the NAT address alone; else it saw the clients. */
static void check_peers(struct trial *t)
{
	const json_t *peers = json_object_get(t->load.end[LOAD_SERVER], "peers");
	uint64_t count = check_figure(peers, NULL, "count");
	const char *first = json_string_value(json_array_get(json_object_get(peers, "addresses"), 0));
	uint32_t clients = load_clients(t->settings);
	char address[ADDRESS_TEXT_BYTES];

	if (count == UNKNOWN || !first) {
		check_add(t, "peers", false, "the server did not say whom it saw");
		return;
	}
	if (t->policy.nat) {
		address_print(address, sizeof(address), &t->policy.nat_address);
		check_add(t, "peers", count == 1 && !strcmp(first, address),
			  "behind NAT the server saw %" PRIu64 " address%s, the first %s; the NAT address is %s",
			  count, count == 1 ? "" : "es", first, address);
		return;
	}
	if (clients > t->settings->load.connections)
		clients = t->settings->load.connections;
	check_add(t, "peers", count == clients, "the server saw %" PRIu64 " client addresses of %u", count,
		  clients);
}

/* One filter's bytes in the window, at most; UNKNOWN where the device does not
 * count by filter. */
static uint64_t check_most_of_filters(const struct trial *t)
{
	const json_t *from = json_object_get(t->stats_window[0], "filters");
	const json_t *to = json_object_get(t->stats_window[1], "filters");
	uint64_t most = UNKNOWN;

	for (size_t i = 0; i < json_array_size(to); i++) {
		uint64_t a = check_figure(json_array_get(from, i), NULL, "bytes");
		uint64_t b = check_figure(json_array_get(to, i), NULL, "bytes");

		if (a == UNKNOWN || b == UNKNOWN || b < a)
			continue;
		if (most == UNKNOWN || b - a > most)
			most = b - a;
	}
	return most;
}

/* The law of the token bucket: rate x window, plus what of the bursts was not
 * spent before. For one filter its whole burst may have come back. */
static void check_limit(struct trial *t)
{
	struct window w;
	uint64_t most = check_most_of_filters(t);
	double got, may, one;
	char text[4][64], filter[160] = "";

	if (!t->policy.limit_bps || !t->measured)
		return;
	window_measure(&w, t);
	got = w.forwarded_ip_bps * w.seconds / 8;
	may = w.limit_bps * w.seconds / 8;
	one = (double)t->policy.limit_bps * w.seconds / 8 + (double)t->device.bucket_bytes;
	if (most != UNKNOWN)
		snprintf(filter, sizeof(filter), "; the filter with most: %s of %s",
			 units_print_bytes(text[0], sizeof(text[0]), most),
			 units_print_bytes(text[1], sizeof(text[1]), (uint64_t)one));
	check_add(t, "limit",
		  got <= (may + w.unspent_bytes) * (1 + LIMIT_TOLERANCE) &&
			  (most == UNKNOWN || (double)most <= one * (1 + LIMIT_TOLERANCE)),
		  "%s forwarded in the window, %s allowed, of bursts unspent before it %s%s",
		  units_print_bps(text[0], sizeof(text[0]), w.forwarded_ip_bps),
		  units_print_bps(text[1], sizeof(text[1]), w.limit_bps),
		  units_print_bytes(text[2], sizeof(text[2]), (uint64_t)w.unspent_bytes), filter);
}

/* What one figure of the device's grew by; UNKNOWN if it is null. */
static uint64_t check_growth(const struct trial *t, const char *group, const char *name)
{
	uint64_t before = check_figure(t->stats_base, group, name);
	uint64_t after = check_figure(t->stats_final, group, name);

	return after == UNKNOWN ? UNKNOWN : after - (before == UNKNOWN ? 0 : before);
}

/* Packets and bytes dropped and counted. Bytes are UNKNOWN as a whole where one
 * reason that dropped something counts none (a full receive ring). */
static void check_drops(const struct trial *t, struct accounting *a)
{
	json_t *drops = json_object_get(t->stats_final, "drops"), *value;
	const char *name;

	a->dropped_packets = 0;
	a->dropped_bytes = json_is_object(json_object_get(t->stats_final, "drop_bytes")) ? 0 : UNKNOWN;
	json_object_foreach(drops, name, value) {
		uint64_t packets = check_growth(t, "drops", name), bytes;

		if (!packets || packets == UNKNOWN)
			continue;
		bytes = check_growth(t, "drop_bytes", name);
		a->dropped_packets += packets;
		a->dropped_bytes = bytes == UNKNOWN || a->dropped_bytes == UNKNOWN ? UNKNOWN :
										      a->dropped_bytes + bytes;
	}
}

static void check_way(struct accounting_way *way, const struct trial *t, enum load_side sender,
		      const enum sample_place place[4])
{
	const struct interface_sample *a = t->base.at, *b = t->final.at;
	const json_t *sent = t->load.end[sender], *received = t->load.end[!sender];

	*way = (struct accounting_way){
		.name = sender == LOAD_CLIENT ? "up" : "down",
		.entered_bytes = b[place[1]].rx_bytes - a[place[1]].rx_bytes,
		.entered_frames = b[place[1]].rx_packets - a[place[1]].rx_packets,
		.left_bytes = b[place[2]].tx_bytes - a[place[2]].tx_bytes,
		.left_frames = b[place[2]].tx_packets - a[place[2]].tx_packets,
		.lost_before_frames = b[place[0]].tx_drops - a[place[0]].tx_drops,
		.lost_after_frames = b[place[2]].tx_drops - a[place[2]].tx_drops,
		.payload_bytes = check_figure(received, "total", "received_bytes"),
		.retransmitted_bytes = check_figure(sent, "tcp", "retransmitted_bytes"),
		.segments = check_figure(sent, "tcp", "segments_out"),
		.header_bytes = check_figure(sent, "tcp", "header_bytes_per_segment"),
		.data_segments = check_figure(sent, "tcp", "data_segments_out"),
	};
}

static void check_accounting(struct trial *t)
{
	static const enum sample_place up[] = { PLACE_CLIENT, PLACE_IN, PLACE_OUT, PLACE_SERVER };
	static const enum sample_place down[] = { PLACE_SERVER, PLACE_OUT, PLACE_IN, PLACE_CLIENT };
	/* With nothing in the middle each end's interface stands for the device's. */
	static const enum sample_place up_direct[] = { PLACE_CLIENT, PLACE_SERVER, PLACE_CLIENT, PLACE_SERVER };
	static const enum sample_place down_direct[] = { PLACE_SERVER, PLACE_CLIENT, PLACE_SERVER, PLACE_CLIENT };
	struct accounting a = { .device = t->final.device, .connections = t->settings->load.connections,
				.mtu_size = !t->settings->lab.segmentation_offload,
				.mtu_bytes = t->settings->lab.mtu_bytes };
	OWN_MEM char *text = NULL;
	size_t size;
	FILE *out;
	bool ok;

	if (!t->settled) {
		check_add(t, "accounting", false, "the counters could not be read after the traffic");
		return;
	}
	check_way(&a.way[0], t, LOAD_CLIENT, t->final.device ? up : up_direct);
	check_way(&a.way[1], t, LOAD_SERVER, t->final.device ? down : down_direct);
	check_drops(t, &a);
	out = open_memstream(&text, &size);
	if (!out)
		return;
	ok = accounting_check(&a, out);
	fclose(out);
	if (t->state == TRIAL_OK && !ok)
		t->invalid = true;
	check_add(t, "accounting", ok, "%s", text);
}

static void check_saturated(struct trial *t)
{
	struct window window;
	bool ok;

	if (t->settings->require != REQUIRE_SATURATED || !t->measured)
		return;
	window_measure(&window, t);
	ok = window.limited == LIMITED_DEVICE;
	if (t->state == TRIAL_OK && !ok)
		t->invalid = true;
	check_add(t, "saturated", ok, "limited by: %s; the scenario requires the device",
		  limited_names[window.limited]);
}

void trial_check(struct trial *t)
{
	if (t->state == TRIAL_OK && !t->measured)
		trial_fail(t, "fwgen client: ended without a measured window");
	if (t->state != TRIAL_OK)
		return;
	check_window(t);
	check_permitted(t);
	check_stranger(t);
	if (t->final.device)
		check_peers(t);
	check_limit(t);
	check_accounting(t);
	check_saturated(t);
}
