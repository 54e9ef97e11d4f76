/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/payload.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/log.h"
#include "common/own.h"

/* The finalizer of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom
 * number generators, 2014): a bijection, so equal words mean equal positions. */
static inline uint64_t payload_word(uint64_t key, uint64_t word)
{
	uint64_t z = key + word * 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

uint64_t payload_key(uint64_t test, uint32_t connection, uint8_t direction)
{
	return payload_word(test, (uint64_t)connection << 8 | direction);
}

void payload_fill(uint8_t *out, size_t size, uint64_t key, uint64_t position)
{
	while (size) {
		uint64_t word = payload_word(key, position / 8);
		size_t skip = position % 8, n = 8 - skip < size ? 8 - skip : size;

		memcpy(out, (uint8_t *)&word + skip, n);
		out += n;
		position += n;
		size -= n;
	}
}

int64_t payload_check(const uint8_t *in, size_t size, uint64_t key, uint64_t position)
{
	for (size_t at = 0; at < size;) {
		uint64_t word = payload_word(key, (position + at) / 8);
		size_t skip = (position + at) % 8, n = 8 - skip < size - at ? 8 - skip : size - at;
		const uint8_t *right = (const uint8_t *)&word + skip;

		if (memcmp(in + at, right, n)) {
			while (in[at] == *right)
				at++, right++;
			return (int64_t)at;
		}
		at += n;
	}
	return -1;
}

int payload_file(size_t size_bytes)
{
	OWN_FD int fd = memfd_create("fwgen", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	uint8_t block[4096];

	if (fd < 0)
		return log_err(-errno, "cannot make the file to send from: %s", strerror(errno));
	for (size_t at = 0; at < size_bytes; at += sizeof(block)) {
		payload_fill(block, sizeof(block), 1, at);
		if (write(fd, block, sizeof(block)) != sizeof(block))
			return log_err(-ENOSPC, "cannot fill the file to send from: %s",
				       strerror(errno));
	}
	fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
	return TAKE_FD(fd);
}
