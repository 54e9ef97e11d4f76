/* SPDX-License-Identifier: BSD-2-Clause */
/* One test: all connections whose hello carries its number. The client has one,
 * the server any number one after another and up to TESTS_MAX at once.
 *
 * Threads: each worker counts in a tally of its own per test slot; the main
 * thread reads them with relaxed loads (an interval), or asks for a cut: every
 * worker then notes, between two of its own steps, exactly where its counters
 * and its connections stand. Taking and releasing a slot is under tests->lock. */
#ifndef TRAFFICGEN_TEST_H
#define TRAFFICGEN_TEST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/address.h"
#include "trafficgen/hello.h"
#include "trafficgen/records.h"

#define TESTS_MAX 64
#define TEST_ERRNO_MAX 134
#define TEST_PEERS_SHOWN 8

struct flow;

/* What a cut is for. */
enum cut {
	CUT_NONE,
	CUT_MOVED,   /* find the connections that have moved data */
	CUT_BEGIN,   /* the window begins: mark every connection */
	CUT_END,     /* the window ends: gather each connection's bytes since the mark */
	CUT_RESET,   /* close the test's connections at once */
};

/* Written by one worker only. */
struct tally {
	_Atomic uint64_t sent_bytes, received_bytes;
	_Atomic uint32_t open, closed, aborted; /* running, ended, ended in disorder */
	_Atomic uint32_t moved, unmoved;  /* have moved data; running and have not */
	_Atomic uint32_t cut_done;        /* the last cut answered; what is below is then stable */
	struct totals at_cut;
	struct spread spread;             /* CUT_END, and connections that closed within the window */
	uint64_t socket_bytes;            /* CUT_END: memory of its open sockets */
	bool socket_known, in_window;
	struct tcp_record tcp;            /* connections closed so far */
	uint64_t verified_bytes;
	uint32_t mismatches;
	char first_mismatch[160];
	char congestion[HELLO_CONGESTION_BYTES];
	struct flow *first;               /* its open connections */
} __attribute__((aligned(128)));

/* Distinct peer addresses: a hash set, open addressing. */
struct peers {
	struct address *slot;
	uint32_t slots, count;
	struct address shown[TEST_PEERS_SHOWN];
};

/* Returns 0 or -ENOMEM. */
int peers_add(struct peers *peers, const struct address *address);
void peers_free(struct peers *peers);

struct test {
	bool used;
	bool concluded;                   /* its end is being reported: nobody joins any more */
	struct hello hello;               /* of its first connection here */
	uint64_t began_ns;
	uint32_t joined;                  /* its connections so far; under the lock */
	_Atomic uint32_t cut_wanted;      /* counts up */
	_Atomic uint32_t cut_kind;        /* enum cut of the last one */
	struct peers peers;
};

struct tests {
	pthread_mutex_t lock;
	struct test test[TESTS_MAX];
};

/* The slot of the test the hello belongs to, a new one if need be, or -EBUSY.
 * The peer is noted. Takes the lock. */
int tests_join(struct tests *tests, const struct hello *hello, const struct address *peer,
	       uint64_t now_ns);

/* One writer: no locked instruction. */
static inline void tally_add(_Atomic uint64_t *counter, uint64_t n)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n,
			      memory_order_relaxed);
}

static inline void tally_step(_Atomic uint32_t *counter, int n)
{
	atomic_store_explicit(counter,
			      atomic_load_explicit(counter, memory_order_relaxed) + (uint32_t)n,
			      memory_order_release);
}

#endif
