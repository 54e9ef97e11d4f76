/* SPDX-License-Identifier: BSD-2-Clause */
/* Puts the entries of a family into tuples. Tuples are merged (Daly et al.,
 * TupleMerge, 2019): an entry goes by shortened prefix lengths first, so that few
 * tables hold many lengths. Where more than COMPILED_CHAIN entries then share a
 * key, they move on to a table of their exact lengths, and from there to one with
 * the exact ports in the key. What still shares a key stays a chain. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "firewall-ref/datapath/hash.h"
#include "firewall-ref/policy_compile.h"

enum level { LEVEL_MERGED, LEVEL_LENGTHS, LEVEL_PORTS };

/* Where one draft stands. */
struct place {
	uint32_t source[4], destination[4], ports; /* masked: the key */
	uint32_t ports_mask;
	uint32_t draft;         /* index; ascending filter */
	uint32_t slot;
	uint8_t source_length, destination_length, level;
};

/* One bit of presence for each pair of lengths and kind of ports mask. */
struct tuple_set {
	uint8_t *there;
	uint32_t count;
};

static uint8_t *tuple_set_at(struct tuple_set *set, uint8_t source, uint8_t destination,
			     uint32_t ports_mask)
{
	unsigned kind = (ports_mask >> 31) * 2 + (ports_mask & 1);

	return &set->there[(source * 129u + destination) * 4 + kind];
}

void policy_mask(uint8_t length, uint32_t mask[4])
{
	uint8_t bytes[16] = { 0 };

	for (unsigned bit = 0; bit < length; bit++)
		bytes[bit / 8] |= (uint8_t)(0x80u >> bit % 8);
	memcpy(mask, bytes, sizeof(bytes));
}

/* The longest length of a coarse scale that is not longer. */
static uint8_t tuple_shorten(uint8_t length, int family)
{
	static const uint8_t ipv4[] = { 32, 24, 16, 8, 0 };
	static const uint8_t ipv6[] = { 128, 64, 48, 32, 16, 0 };
	const uint8_t *scale = family == RULES_IPV4 ? ipv4 : ipv6;

	while (*scale > length)
		scale++;
	return *scale;
}

static uint32_t draft_ports(const struct draft *draft)
{
	return (uint32_t)draft->entry.source_first << 16 | draft->entry.destination_first;
}

static uint32_t draft_ports_mask(const struct draft *draft)
{
	const struct rules_entry *e = &draft->entry;

	return (e->source_first == e->source_last ? 0xffff0000u : 0) |
	       (e->destination_first == e->destination_last ? 0xffffu : 0);
}

/* Sets the tuple of a place by its level, and the key from that. */
static void place_set(struct place *place, const struct draft *draft, int family)
{
	uint32_t mask[4];

	place->source_length = draft->source_length;
	place->destination_length = draft->destination_length;
	if (place->level == LEVEL_MERGED) {
		place->source_length = tuple_shorten(draft->source_length, family);
		place->destination_length = tuple_shorten(draft->destination_length, family);
	}
	place->ports_mask = place->level == LEVEL_PORTS ? draft_ports_mask(draft) : 0;
	place->ports = draft_ports(draft) & place->ports_mask;
	policy_mask(place->source_length, mask);
	place->source[0] = draft->entry.source & mask[0];
	for (int i = 0; i < 3; i++)
		place->source[1 + i] = draft->rest.source[i] & mask[1 + i];
	policy_mask(place->destination_length, mask);
	place->destination[0] = draft->entry.destination & mask[0];
	for (int i = 0; i < 3; i++)
		place->destination[1 + i] = draft->rest.destination[i] & mask[1 + i];
}

static int place_tuple_order(const struct place *a, const struct place *b)
{
	if (a->source_length != b->source_length)
		return a->source_length - b->source_length;
	if (a->destination_length != b->destination_length)
		return a->destination_length - b->destination_length;
	return a->ports_mask < b->ports_mask ? -1 : a->ports_mask > b->ports_mask;
}

static int place_key_order(const void *x, const void *y)
{
	const struct place *a = x, *b = y;
	int order = place_tuple_order(a, b);

	if (!order)
		order = memcmp(a->source, b->source, sizeof(a->source));
	if (!order)
		order = memcmp(a->destination, b->destination, sizeof(a->destination));
	if (!order)
		order = a->ports < b->ports ? -1 : a->ports > b->ports;
	if (!order)
		order = a->draft < b->draft ? -1 : a->draft > b->draft;
	return order;
}

static bool place_same_key(const struct place *a, const struct place *b)
{
	return !place_tuple_order(a, b) && !memcmp(a->source, b->source, sizeof(a->source)) &&
	       !memcmp(a->destination, b->destination, sizeof(a->destination)) &&
	       a->ports == b->ports;
}

/* The drafts of one family and the tuples they may still open. */
struct family {
	int family;
	const struct draft *drafts;
	struct tuple_set set;
};

static void family_free(struct family *f)
{
	free(f->set.there);
}

/* Moves a group that shares a key one level on, as far as tuples are left. */
static void group_refine(struct family *f, struct place *places, uint32_t count, int level)
{
	for (uint32_t i = 0; i < count; i++) {
		struct place finer = places[i];
		uint8_t *there;

		if (finer.level++ != level)
			continue;
		place_set(&finer, &f->drafts[finer.draft], f->family);
		there = tuple_set_at(&f->set, finer.source_length, finer.destination_length,
				     finer.ports_mask);
		if (!*there && f->set.count == COMPILED_TUPLES_MAX)
			continue;
		f->set.count += !*there;
		*there = 1;
		places[i] = finer;
	}
}

static void places_refine(struct family *f, struct place *places, uint32_t count, int level)
{
	for (uint32_t i = 0, n; i < count; i += n) {
		for (n = 1; i + n < count && place_same_key(&places[i], &places[i + n]); n++)
			;
		if (n > COMPILED_CHAIN)
			group_refine(f, &places[i], n, level);
	}
	qsort(places, count, sizeof(*places), place_key_order);
}

static int place_slot_order(const void *x, const void *y)
{
	const struct place *a = x, *b = y;

	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	return a->draft < b->draft ? -1 : a->draft > b->draft;
}

static uint32_t tuple_slots(uint32_t entries)
{
	uint32_t slots = 1;

	while (slots < 2 * entries)
		slots *= 2;
	return slots;
}

/* One tuple while they are put into order. */
struct run {
	uint32_t first, count; /* of places */
	uint32_t best;
};

static int run_order(const void *x, const void *y)
{
	const struct run *a = x, *b = y;

	return a->best < b->best ? -1 : a->best > b->best;
}

/* Finds the runs of places of one tuple, ordered by best. Owned by the caller. */
static struct run *runs_find(const struct place *places, uint32_t count,
			     const struct draft *drafts, uint32_t *run_count)
{
	struct run *runs = calloc(COMPILED_TUPLES_MAX, sizeof(*runs));
	uint32_t n = 0;

	for (uint32_t i = 0; runs && i < count; i++) {
		uint32_t filter = drafts[places[i].draft].entry.filter;

		if (!i || place_tuple_order(&places[i - 1], &places[i]))
			runs[n++] = (struct run){ .first = i, .best = filter };
		runs[n - 1].count++;
		if (filter < runs[n - 1].best)
			runs[n - 1].best = filter;
	}
	if (runs)
		qsort(runs, n, sizeof(*runs), run_order);
	*run_count = n;
	return runs;
}

/* Appends one tuple with its slots; its places become chains from entry base on. */
static void tuple_lay(struct compiled *out, const struct run *run, struct place *places,
		      int family, uint32_t base)
{
	struct rules_tuple *tuple = &out->tuples[out->tuple_count++];
	struct place *place = places + run->first;

	*tuple = (struct rules_tuple){ .ports_mask = place->ports_mask, .best = run->best,
				       .slot = out->head.slots };
	policy_mask(place->source_length, tuple->source_mask);
	policy_mask(place->destination_length, tuple->destination_mask);
	tuple->slot_mask = tuple_slots(run->count) - 1;
	out->head.slots += tuple->slot_mask + 1;
	for (uint32_t i = 0; i < run->count; i++)
		place[i].slot = tuple->slot +
				(classify_hash(place[i].source, place[i].destination, place[i].ports,
					       family == RULES_IPV6) & tuple->slot_mask);
	qsort(place, run->count, sizeof(*place), place_slot_order);
	for (uint32_t i = run->count; i-- > 0;)
		out->slots[place[i].slot] = base + i + 1;
}

/* Appends all tuples of the family and reorders the drafts to match. */
static int tuples_lay(struct compiled *out, int family, struct place *places,
		      struct draft *drafts, uint32_t count, uint32_t base)
{
	OWN_MEM struct run *runs = NULL;
	OWN_MEM struct draft *old = NULL;
	uint32_t run_count, done = 0, slots = out->head.slots;
	uint32_t *more_slots;
	struct rules_tuple *more_tuples;

	runs = runs_find(places, count, drafts, &run_count);
	old = malloc(count * sizeof(*old));
	if (!runs || !old)
		return -ENOMEM;
	memcpy(old, drafts, count * sizeof(*old));
	for (uint32_t i = 0; i < run_count; i++)
		slots += tuple_slots(runs[i].count);
	more_slots = reallocarray(out->slots, slots, sizeof(*out->slots));
	if (!more_slots)
		return -ENOMEM;
	out->slots = more_slots;
	memset(out->slots + out->head.slots, 0, (slots - out->head.slots) * sizeof(*out->slots));
	more_tuples = reallocarray(out->tuples, out->tuple_count + run_count, sizeof(*out->tuples));
	if (!more_tuples)
		return -ENOMEM;
	out->tuples = more_tuples;
	out->head.tuple_first[family] = out->tuple_count;
	out->head.tuple_count[family] = run_count;
	for (uint32_t i = 0; i < run_count; i++) {
		struct place *place = places + runs[i].first;

		tuple_lay(out, &runs[i], places, family, base + done);
		for (uint32_t j = 0; j < runs[i].count; j++) {
			bool last = j + 1 == runs[i].count || place[j].slot != place[j + 1].slot;

			drafts[done] = old[place[j].draft];
			drafts[done++].entry.flags |= last ? RULES_LAST : 0;
		}
	}
	return 0;
}

int policy_tuples(struct compiled *out, int family, struct draft *drafts, uint32_t count,
		  uint32_t base)
{
	OWN_MEM struct place *places = NULL;
	__attribute__((cleanup(family_free))) struct family f = { family, drafts, { 0 } };

	out->head.tuple_first[family] = out->tuple_count;
	if (!count)
		return 0;
	places = calloc(count, sizeof(*places));
	f.set.there = calloc(129 * 129 * 4, 1);
	if (!places || !f.set.there)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *there;

		places[i].draft = i;
		place_set(&places[i], &drafts[i], family);
		there = tuple_set_at(&f.set, places[i].source_length, places[i].destination_length,
				     0);
		f.set.count += !*there;
		*there = 1;
	}
	qsort(places, count, sizeof(*places), place_key_order);
	for (int level = LEVEL_MERGED; level < LEVEL_PORTS; level++)
		places_refine(&f, places, count, level);
	return tuples_lay(out, family, places, drafts, count, base);
}
