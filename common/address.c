/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

int address_read(const char *text, struct address *out)
{
	struct address a = { 0 };

	if (inet_pton(AF_INET, text, a.bytes) == 1)
		a.family = 4;
	else if (inet_pton(AF_INET6, text, a.bytes) == 1)
		a.family = 6;
	else
		return -EINVAL;
	*out = a;
	return 0;
}

static unsigned address_bits(const struct address *a)
{
	return a->family == 4 ? 32 : 128;
}

static bool address_zero_behind(const struct address *a, unsigned length)
{
	for (unsigned bit = length; bit < address_bits(a); bit++)
		if (a->bytes[bit / 8] & (0x80u >> bit % 8))
			return false;
	return true;
}

/* Copies text up to stop into head; the tail is what follows. */
static int address_split(const char *text, char stop, char *head, size_t size, const char **tail)
{
	const char *at = strchr(text, stop);

	if (!at || (size_t)(at - text) >= size)
		return -EINVAL;
	memcpy(head, text, (size_t)(at - text));
	head[at - text] = '\0';
	*tail = at + 1;
	return 0;
}

static int prefix_read_loose(const char *text, struct prefix *out)
{
	char head[ADDRESS_TEXT_BYTES];
	const char *tail;
	struct prefix p = { 0 };
	unsigned length = 0;

	if (address_split(text, '/', head, sizeof(head), &tail)) {
		if (address_read(text, &p.address))
			return -EINVAL;
		p.length = (uint8_t)address_bits(&p.address);
		*out = p;
		return 0;
	}
	if (address_read(head, &p.address) || !*tail || strlen(tail) > 3)
		return -EINVAL;
	for (; *tail; tail++) {
		if (*tail < '0' || *tail > '9')
			return -EINVAL;
		length = length * 10 + (unsigned)(*tail - '0');
	}
	if (length > address_bits(&p.address))
		return -EINVAL;
	p.length = (uint8_t)length;
	*out = p;
	return 0;
}

int prefix_read(const char *text, struct prefix *out)
{
	struct prefix p;

	if (prefix_read_loose(text, &p))
		return -EINVAL;
	if (!address_zero_behind(&p.address, p.length))
		return -ERANGE;
	*out = p;
	return 0;
}

/* b - a + 1 where both are of one family, b >= a and the count fits. */
static int pool_between(const struct address *a, const struct address *b, uint32_t *count)
{
	unsigned bytes = address_bits(a) / 8;
	uint64_t difference = 0;
	int borrow = 0;

	if (a->family != b->family || address_compare(a, b) > 0)
		return -EINVAL;
	for (unsigned i = bytes; i-- > 0;) {
		int d = b->bytes[i] - a->bytes[i] - borrow;

		borrow = d < 0;
		if (d < 0)
			d += 256;
		if (bytes - 1 - i < 4)
			difference |= (uint64_t)d << 8 * (bytes - 1 - i);
		else if (d)
			return -EINVAL;
	}
	if (difference >= UINT32_MAX)
		return -EINVAL;
	*count = (uint32_t)difference + 1;
	return 0;
}

int pool_read(const char *text, struct pool *out)
{
	char head[ADDRESS_TEXT_BYTES];
	const char *tail;
	struct pool pool = { 0 };
	struct prefix p;
	struct address last;
	unsigned host_bits;

	if (!address_split(text, '-', head, sizeof(head), &tail)) {
		if (address_read(head, &pool.first) || address_read(tail, &last) ||
		    pool_between(&pool.first, &last, &pool.count))
			return -EINVAL;
		*out = pool;
		return 0;
	}
	if (prefix_read_loose(text, &p))
		return -EINVAL;
	host_bits = address_bits(&p.address) - p.length;
	pool.first = p.address;
	pool.count = 1;
	if (host_bits && address_zero_behind(&p.address, p.length)) {
		pool.count = host_bits > 24 ? 1u << 24 : 1u << host_bits;
		if (p.address.family == 4 && host_bits > 1) {
			pool.first = address_add(&pool.first, 1);
			pool.count -= 2;
		}
	} else if (host_bits) {
		return -EINVAL;
	}
	*out = pool;
	return 0;
}

char *address_print(char *out, size_t size, const struct address *a)
{
	if (!inet_ntop(a->family == 4 ? AF_INET : AF_INET6, a->bytes, out, (socklen_t)size))
		snprintf(out, size, "?");
	return out;
}

char *prefix_print(char *out, size_t size, const struct prefix *p)
{
	size_t n;

	address_print(out, size, &p->address);
	n = strlen(out);
	if (p->length != address_bits(&p->address))
		snprintf(out + n, size - n, "/%u", p->length);
	return out;
}

struct address address_add(const struct address *first, uint32_t n)
{
	struct address a = *first;
	uint32_t carry = n;

	for (unsigned i = address_bits(&a) / 8; i-- > 0 && carry;) {
		uint64_t sum = (uint64_t)a.bytes[i] + carry;

		a.bytes[i] = (uint8_t)sum;
		carry = (uint32_t)(sum >> 8);
	}
	return a;
}

int address_compare(const struct address *a, const struct address *b)
{
	return memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

bool prefix_contains(const struct prefix *p, const struct address *a)
{
	struct address masked = *a;

	if (a->family != p->address.family)
		return false;
	for (unsigned bit = p->length; bit < 128; bit++)
		masked.bytes[bit / 8] &= (uint8_t)~(0x80u >> bit % 8);
	return !address_compare(&masked, &p->address);
}

socklen_t address_sockaddr(const struct address *a, uint16_t port, struct sockaddr_storage *ss)
{
	memset(ss, 0, sizeof(*ss));
	if (a->family == 4) {
		struct sockaddr_in *in = (struct sockaddr_in *)ss;

		in->sin_family = AF_INET;
		in->sin_port = htons(port);
		memcpy(&in->sin_addr, a->bytes, 4);
		return sizeof(*in);
	}
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)ss;

	in6->sin6_family = AF_INET6;
	in6->sin6_port = htons(port);
	memcpy(&in6->sin6_addr, a->bytes, 16);
	return sizeof(*in6);
}

struct address address_of_sockaddr(const struct sockaddr_storage *ss)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	struct address a = { 0 };

	if (ss->ss_family == AF_INET) {
		a.family = 4;
		memcpy(a.bytes, &((const struct sockaddr_in *)ss)->sin_addr, 4);
	} else if (ss->ss_family == AF_INET6) {
		const uint8_t *b = ((const struct sockaddr_in6 *)ss)->sin6_addr.s6_addr;
		bool v4 = !memcmp(b, mapped, sizeof(mapped));

		a.family = v4 ? 4 : 6;
		memcpy(a.bytes, v4 ? b + 12 : b, v4 ? 4 : 16);
	}
	return a;
}
