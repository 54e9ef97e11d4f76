/* SPDX-License-Identifier: BSD-2-Clause */
/* Checksums after translation, complete and partial, against plain sums. */
#include "tests/unit/skip.h"

#include "tests/unit/firewall-ref/native.h"

static uint32_t seed = 12345;

static uint32_t chance(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

/* A flow whose first packet *f is, translated to random addresses and ports. */
static void flow_random(struct flow *flow, const struct descriptor *d)
{
	memset(flow, 0, sizeof(*flow));
	flow->flags = FLOW_NAT;
	flow->key[0] = d->key;
	flow_key_reverse(&flow->key[1], &d->key);
	flow->key[1].source[0] = chance() << 8 | chance();
	flow->key[1].destination[0] = chance() % 4 ? chance() << 8 | chance() : 0xffffffff;
	flow->key[1].destination_port = (uint16_t)(chance() % 4 ? chance() : 0xffff);
	if (d->key.protocol == 1)
		flow->key[1].source_port = flow->key[1].destination_port;
}

/* The field that a sender leaves to be completed: the pseudo-header's sum. */
static void partial_set(struct frame *f, uint8_t protocol)
{
	frame_put(frame_sum_field(f, protocol), frame_pseudo(f), 2);
}

static void frame_random(struct frame *f, struct packet *p)
{
	static const uint8_t protocols[] = { 6, 17, 1 };

	*p = (struct packet){ .from = CLIENT, .to = SERVER, .protocol = protocols[chance() % 3],
			      .from_port = (uint16_t)chance(), .to_port = (uint16_t)chance(),
			      .flags = 0, .sequence = chance(), .payload = (uint16_t)(chance() % 200),
			      .ttl = (uint8_t)(2 + chance() % 250) };
	if (p->protocol == 6)
		p->flags = 16;
	frame_build(f, p);
}

static void translate(struct frame *f, bool partial)
{
	struct layer layer = { .frame = f->at, .head_bytes = f->bytes, .frame_bytes = f->bytes,
			       .partial = partial };
	struct descriptor d = { .hop = { .interface = 1 } };
	struct flow flow;

	assert_int_equal(parse_network(&layer, &d), VERDICT_FORWARD);
	assert_int_equal(parse_transport(&layer, &d), VERDICT_FORWARD);
	flow_random(&flow, &d);
	assert_int_equal(rewrite(&layer, &d, &flow), 0);
	assert_memory_equal(f->at + 26, &flow.key[1].destination[0], 4);
	assert_memory_equal(f->at + 30, &flow.key[1].source[0], 4);
}

static void complete_sums(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct frame f;
		struct packet p;

		frame_random(&f, &p);
		translate(&f, false);
		assert_int_equal(frame_sum(f.at + FRAME_ETHERNET, 20, 0), 0xffff);
		assert_int_equal(frame_transport_sum(&f), 0xffff);
		if (p.protocol == 17) /* 0 would say: no checksum */
			assert_memory_not_equal(frame_sum_field(&f, 17), "\0\0", 2);
	}
}

/* A partial sum follows the addresses, never the ports: completing it as a sender
 * does must give a right checksum. */
static void partial_sums(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct frame f;
		struct packet p;
		uint32_t field;

		do
			frame_random(&f, &p);
		while (p.protocol == 1);
		partial_set(&f, p.protocol);
		translate(&f, true);
		field = (uint32_t)(frame_sum_field(&f, p.protocol)[0] << 8 |
				   frame_sum_field(&f, p.protocol)[1]);
		/* 0 and 0xffff are the same number. */
		assert_int_equal(field % 0xffff, frame_pseudo(&f) % 0xffff);
		frame_put(frame_sum_field(&f, p.protocol),
			  ~frame_sum(frame_transport(&f), frame_transport_bytes(&f), 0) & 0xffff, 2);
		assert_int_equal(frame_transport_sum(&f), 0xffff);
	}
}

/* A sum that is wrong when it comes stays wrong: it is not made good. */
static void wrong_stays_wrong(void **state)
{
	struct frame f;
	struct packet p;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		frame_random(&f, &p);
		frame_sum_field(&f, p.protocol)[1] ^= 1;
		if (p.protocol == 17 && !memcmp(frame_sum_field(&f, 17), "\0\0", 2))
			continue;
		translate(&f, false);
		assert_int_not_equal(frame_transport_sum(&f), 0xffff);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(complete_sums),
		cmocka_unit_test(partial_sums),
		cmocka_unit_test(wrong_stays_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
