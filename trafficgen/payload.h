/* SPDX-License-Identifier: BSD-2-Clause */
/* What is sent: for zero-copy a file in memory whose pages go out as they are,
 * for --verify a pattern that differs at every position of every connection. */
#ifndef TRAFFICGEN_PAYLOAD_H
#define TRAFFICGEN_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

/* A sealed memfd of size bytes that do not compress (seeded, the same in every
 * run). It is written, never mapped, so it is not in the resident set. The
 * caller closes it. Returns -errno on failure, logged. */
int payload_file(size_t size_bytes);

/* The key of one direction of one connection. */
uint64_t payload_key(uint64_t test, uint32_t connection, uint8_t direction);
/* Writes the bytes of the stream from position on. */
void payload_fill(uint8_t *out, size_t size, uint64_t key, uint64_t position);
/* Index of the first byte that is not the stream's from position on, or -1. */
int64_t payload_check(const uint8_t *in, size_t size, uint64_t key, uint64_t position);

#endif
