/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t peers_slot(const struct peers *peers, const struct address *address)
{
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (size_t i = 0; i < sizeof(address->bytes); i++)
		hash = (hash ^ address->bytes[i]) * 16777619u;
	while (peers->slot[hash % peers->slots].family &&
	       memcmp(&peers->slot[hash % peers->slots], address, sizeof(*address)))
		hash++;
	return hash % peers->slots;
}

static int peers_grow(struct peers *peers)
{
	struct peers bigger = { .slots = peers->slots ? peers->slots * 2 : 64 };

	bigger.slot = calloc(bigger.slots, sizeof(*bigger.slot));
	if (!bigger.slot)
		return -ENOMEM;
	for (uint32_t i = 0; i < peers->slots; i++)
		if (peers->slot[i].family)
			bigger.slot[peers_slot(&bigger, &peers->slot[i])] = peers->slot[i];
	free(peers->slot);
	peers->slot = bigger.slot;
	peers->slots = bigger.slots;
	return 0;
}

int peers_add(struct peers *peers, const struct address *address)
{
	uint32_t at;

	if (peers->count * 2 >= peers->slots && peers_grow(peers))
		return -ENOMEM;
	at = peers_slot(peers, address);
	if (peers->slot[at].family)
		return 0;
	peers->slot[at] = *address;
	if (peers->count < TEST_PEERS_SHOWN)
		peers->shown[peers->count] = *address;
	peers->count++;
	return 0;
}

void peers_free(struct peers *peers)
{
	free(peers->slot);
	*peers = (struct peers){ 0 };
}

static int tests_slot(struct tests *tests, const struct hello *hello)
{
	int unused = -EBUSY;

	for (int i = TESTS_MAX; i-- > 0;) {
		if (!tests->test[i].used)
			unused = i;
		else if (tests->test[i].hello.test == hello->test && !tests->test[i].concluded)
			return i;
	}
	return unused;
}

int tests_join(struct tests *tests, const struct hello *hello, const struct address *peer,
	       uint64_t now_ns)
{
	int slot;

	pthread_mutex_lock(&tests->lock);
	slot = tests_slot(tests, hello);
	if (slot >= 0) {
		struct test *test = &tests->test[slot];

		if (!test->used) {
			test->hello = *hello;
			test->began_ns = now_ns;
			test->used = true;
		}
		test->joined++;
		if (peer->family)
			peers_add(&test->peers, peer);
	}
	pthread_mutex_unlock(&tests->lock);
	return slot;
}
