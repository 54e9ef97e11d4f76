/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <stdlib.h>
#include <string.h>

#include "firewall-ref/user/pending.h"

/* A router that knows nothing but what a test puts into its memory. */
struct bench {
	struct pending pending;
	struct router router;
	uint32_t sent, lost;
	uint8_t last_destination; /* last byte of the link address it went to */
	uint16_t last_gso;
};

static void sent(void *context, const struct port_frame *frame, const struct next_hop *hop,
		 struct packets_bytes what)
{
	struct bench *b = context;

	b->sent += (uint32_t)what.packets;
	b->last_destination = frame->frame[5];
	b->last_gso = frame->vnet->gso_size;
	assert_ptr_equal((uint8_t *)frame->vnet + sizeof(*frame->vnet), frame->frame);
	assert_int_equal(hop->interface, 7);
}

static void lost(void *context, struct packets_bytes what)
{
	((struct bench *)context)->lost += (uint32_t)what.packets;
}

static void bench_open(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	b->pending.packets = calloc(PENDING_MAX, sizeof(*b->pending.packets));
	b->router.kept = calloc(ROUTER_KEPT, sizeof(*b->router.kept));
	b->router.neighbours = calloc(ROUTER_NEIGHBOURS, sizeof(*b->router.neighbours));
	b->router.ask.fd = -1;
	b->router.generation = 1;
}

static void bench_close(struct bench *b)
{
	free(b->pending.packets);
	free(b->router.kept);
	free(b->router.neighbours);
}

static bool keep(struct bench *b, uint32_t bytes, uint64_t now_ns)
{
	static struct {
		struct virtio_net_hdr vnet;
		uint8_t frame[4096];
	} packet = { .vnet.gso_size = 99 };
	struct descriptor d = { .key.family = 4 };
	struct port_frame frame = { &packet.vnet, packet.frame, bytes, bytes, false };

	packet.frame[30] = 198;
	packet.frame[33] = 2;
	return pending_keep(&b->pending, &frame, &d, (struct packets_bytes){ 1, bytes - 14 }, now_ns);
}

/* Every place of the memory says the same: so no hash is needed here. */
static void neighbour_appears(struct bench *b)
{
	const uint8_t destination[4] = { 198, 0, 0, 2 };

	b->router.generation++;
	for (uint32_t i = 0; i < ROUTER_KEPT; i++) {
		struct router_kept *k = &b->router.kept[i];

		k->generation = b->router.generation;
		k->family = 4;
		k->result = ROUTE_FORWARD;
		k->until_ns = ~0ull;
		k->hop = (struct next_hop){ .interface = 7, .destination = { 2, 0, 0, 0, 0, 5 } };
		memcpy(k->destination, destination, 4);
	}
}

static void retry(struct bench *b, uint64_t now_ns)
{
	pending_retry(&b->pending, &b->router, now_ns, sent, lost, b);
}

static void packets_wait_and_go(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b);
	assert_true(keep(&b, 34, 1)); /* the smallest IPv4 packet */
	assert_true(keep(&b, 60, 1));
	b.pending.generation = b.router.generation;
	retry(&b, 2);
	assert_int_equal(b.sent + b.lost, 0);
	neighbour_appears(&b);
	retry(&b, 3);
	assert_int_equal(b.sent, 2);
	assert_int_equal(b.last_destination, 5);
	assert_int_equal(b.last_gso, 99);
	assert_int_equal(b.pending.count, 0);
	bench_close(&b);
}

static void packets_wait_for_a_second(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b);
	b.pending.generation = b.router.generation;
	assert_true(keep(&b, 60, 1));
	assert_true(keep(&b, 60, PENDING_NS));
	retry(&b, PENDING_NS + 2);
	assert_int_equal(b.lost, 1);
	assert_int_equal(b.pending.count, 1);
	bench_close(&b);
}

static void only_so_many_wait(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b);
	assert_false(keep(&b, 33, 1));
	assert_false(keep(&b, PENDING_FRAME_BYTES + 1, 1));
	for (int i = 0; i < PENDING_MAX; i++)
		assert_true(keep(&b, PENDING_FRAME_BYTES, 1));
	assert_false(keep(&b, 60, 1));
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_wait_and_go),
		cmocka_unit_test(packets_wait_for_a_second),
		cmocka_unit_test(only_so_many_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
