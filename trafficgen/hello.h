/* SPDX-License-Identifier: BSD-2-Clause */
/* The first bytes of every connection, client to server: what the server is to
 * do. There is no control connection that a firewall could cut. The bytes count
 * neither as sent nor as received. Integers are big-endian:
 *
 *   0 "fwg1"          4 workload   5 flags        6 reserved (0)
 *   8 test id        16 amount for the server to send (with HELLO_AMOUNT)
 *  24 connections of the test     28 index of this one
 *  32 bytes a write (0: the sender chooses)
 *  36 socket buffer (0: the kernel's)
 *  40 warm-up in ms               44 duration in ms (0: by amount)
 *  48 congestion control, 16 bytes with zeros behind the name, or empty
 */
#ifndef TRAFFICGEN_HELLO_H
#define TRAFFICGEN_HELLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HELLO_BYTES 64
#define HELLO_CONGESTION_BYTES 16
#define HELLO_WRITE_MOST_BYTES (16u << 20)

enum hello_flag {
	HELLO_CLIENT_SENDS = 1,
	HELLO_SERVER_SENDS = 2,
	HELLO_AMOUNT = 4,       /* amount_bytes ends the sending, not the client's half-close */
	HELLO_COPY = 8,
	HELLO_VERIFY = 16,
};

struct hello {
	uint8_t workload;
	uint8_t flags;
	uint64_t test;
	uint64_t amount_bytes;
	uint32_t connections, index;
	uint32_t write_bytes;
	uint32_t window_bytes;
	uint32_t warm_up_ms, duration_ms;
	char congestion[HELLO_CONGESTION_BYTES];
};

void hello_write(const struct hello *hello, uint8_t out[HELLO_BYTES]);
/* Whether size bytes may be the first of a hello. */
bool hello_begins(const uint8_t *in, size_t size);
/* Returns 0, or -EPROTO (not fwgen, another version, or values that cannot be)
 * and leaves *out untouched. */
int hello_read(const uint8_t in[HELLO_BYTES], struct hello *out);

#endif
