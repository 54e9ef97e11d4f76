/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/hello.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

static const uint8_t hello_magic[4] = { 'f', 'w', 'g', '1' };

static void put32(uint8_t *p, uint32_t value)
{
	value = htobe32(value);
	memcpy(p, &value, sizeof(value));
}

static void put64(uint8_t *p, uint64_t value)
{
	value = htobe64(value);
	memcpy(p, &value, sizeof(value));
}

static uint32_t get32(const uint8_t *p)
{
	uint32_t value;

	memcpy(&value, p, sizeof(value));
	return be32toh(value);
}

static uint64_t get64(const uint8_t *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return be64toh(value);
}

void hello_write(const struct hello *hello, uint8_t out[HELLO_BYTES])
{
	memset(out, 0, HELLO_BYTES);
	memcpy(out, hello_magic, sizeof(hello_magic));
	out[4] = hello->workload;
	out[5] = hello->flags;
	put64(out + 8, hello->test);
	put64(out + 16, hello->amount_bytes);
	put32(out + 24, hello->connections);
	put32(out + 28, hello->index);
	put32(out + 32, hello->write_bytes);
	put32(out + 36, hello->window_bytes);
	put32(out + 40, hello->warm_up_ms);
	put32(out + 44, hello->duration_ms);
	memcpy(out + 48, hello->congestion, HELLO_CONGESTION_BYTES);
}

bool hello_begins(const uint8_t *in, size_t size)
{
	return !memcmp(in, hello_magic, size < sizeof(hello_magic) ? size : sizeof(hello_magic));
}

int hello_read(const uint8_t in[HELLO_BYTES], struct hello *out)
{
	struct hello hello = {
		.workload = in[4], .flags = in[5],
		.test = get64(in + 8), .amount_bytes = get64(in + 16),
		.connections = get32(in + 24), .index = get32(in + 28),
		.write_bytes = get32(in + 32), .window_bytes = get32(in + 36),
		.warm_up_ms = get32(in + 40), .duration_ms = get32(in + 44),
	};

	if (!hello_begins(in, HELLO_BYTES) || in[6] || in[7])
		return -EPROTO;
	if (!hello.connections || hello.index >= hello.connections ||
	    hello.write_bytes > HELLO_WRITE_MOST_BYTES)
		return -EPROTO;
	if (!(hello.flags & (HELLO_CLIENT_SENDS | HELLO_SERVER_SENDS)) || in[63])
		return -EPROTO;
	memcpy(hello.congestion, in + 48, HELLO_CONGESTION_BYTES);
	*out = hello;
	return 0;
}
