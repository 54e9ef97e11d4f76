/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that end anywhere, whose headers lie against forbidden memory. */
#include "tests/unit/skip.h"

#include <sys/mman.h>

#include "common/own.h"
#include "tests/unit/firewall-ref/native.h"
#include "tests/unit/firewall-ref/story.h"

#define ALL_NAT INSPECT NAT ALL

static struct tables tables;
static struct routes routes;

static int setup(void **state)
{
	(void)state;
	native_routes(&routes);
	if (tables_open(&tables, 64, 64))
		return -1;
	native_publish(&tables, ALL_NAT);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tables_close(&tables);
	return 0;
}

/* bytes of the frame at head, which may not be read beyond; whole: what the frame
 * claims to have. The data path must come back, and drop what is not whole. */
static void feed(uint8_t *head, uint32_t bytes, uint32_t whole, const struct packet *p)
{
	struct layer layer = { .tables = &tables, .routes = &routes, .frame = head,
			       .head_bytes = bytes, .frame_bytes = whole, .now_ns = 1,
			       .side = p->outside ? SIDE_OUTSIDE : SIDE_INSIDE };
	struct descriptor d = { 0 };
	enum verdict verdict = pipeline_run(&layer, &d);

	if (bytes < FRAME_ETHERNET)
		assert_int_equal(verdict, VERDICT_DROP);
	else if (whole < FRAME_ETHERNET + 28)
		assert_int_not_equal(verdict, VERDICT_FORWARD);
	if (verdict == VERDICT_DROP)
		assert_in_range(d.reason, DROP_NONE + 1, DROP_COUNT - 1);
}

/* Once as a frame that ends there, once as a long frame of which no more is at hand. */
static void feed_both(uint8_t *head, uint32_t bytes, const struct frame *f, const struct packet *p)
{
	memcpy(head, f->at, bytes);
	feed(head, bytes, bytes, p);
	memcpy(head, f->at, bytes);
	feed(head, bytes, f->bytes, p);
}

/* Every prefix of every frame of the stories. malloc's redzone ends each; the IP
 * header is aligned to 4, as the layer promises. */
static void every_length(void **state)
{
	(void)state;
	for (size_t n = 0; n < ARRAY_LEN(stories); n++)
		for (size_t i = 0; i < ARRAY_LEN(stories[n].step); i++) {
			const struct packet *p = &stories[n].step[i].packet;
			struct frame f;

			if (p->from == p->to)
				break;
			frame_build(&f, p);
			for (uint32_t bytes = 0; bytes <= f.bytes && bytes < 128; bytes++) {
				uint8_t *room = malloc(bytes + 2);

				assert_non_null(room);
				feed_both(room + 2, bytes, &f, p);
				free(room);
			}
		}
}

/* The same against a page without access, for builds without a sanitizer. */
static void against_a_page(void **state)
{
	uint8_t *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_ptr_not_equal(page, MAP_FAILED);
	assert_int_equal(mprotect(page + 4096, 4096, PROT_NONE), 0);
	for (size_t n = 0; n < ARRAY_LEN(stories); n++) {
		const struct packet *p = &stories[n].step[0].packet;
		struct frame f;

		frame_build(&f, p);
		for (uint32_t bytes = 2; bytes <= f.bytes && bytes < 128; bytes += 4)
			feed_both(page + 4096 - bytes, bytes, &f, p);
	}
	munmap(page, 8192);
}

/* Single bytes of the headers changed to anything. */
static void every_byte(void **state)
{
	static const struct packet packets[] = {
		C(SYN, 1000, 0, 8), ANY(17, CLIENT, SERVER, 1, 2, 8), ANY(1, CLIENT, SERVER, 1, 0, 8),
		ANY(6, CLIENT_6, SERVER_6, 1, 2, 8), ANY(58, CLIENT_6, SERVER_6, 1, 0, 8),
	};

	(void)state;
	for (size_t n = 0; n < ARRAY_LEN(packets); n++)
		for (uint32_t at = 12; at < 74; at++)
			for (int value = 0; value < 256; value++) {
				struct frame f;

				frame_build(&f, &packets[n]);
				if (at >= f.bytes)
					break;
				f.at[at] = (uint8_t)value;
				feed(f.at, f.bytes, f.bytes, &packets[n]);
			}
}

/* Options of a SYN of any length and kind. */
static void options(void **state)
{
	struct packet p = C(SYN, 1000, 0, 40);

	(void)state;
	for (int words = 0; words < 16; words++)
		for (int kind = 0; kind < 6; kind++)
			for (int length = 0; length < 256; length += length < 44 ? 1 : 31) {
				struct frame f;

				frame_build(&f, &p);
				f.at[46] = (uint8_t)(words << 4);
				for (int i = 0; i < 40; i++)
					f.at[54 + i] = (uint8_t)(i % 2 ? length : kind);
				feed(f.at, f.bytes, f.bytes, &p);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length),
		cmocka_unit_test(against_a_page),
		cmocka_unit_test(every_byte),
		cmocka_unit_test(options),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
