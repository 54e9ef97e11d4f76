/* SPDX-License-Identifier: BSD-2-Clause */
/* IPv4 and IPv6 addresses, prefixes and pools of consecutive addresses. */
#ifndef COMMON_ADDRESS_H
#define COMMON_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* An address in network byte order; IPv4 in bytes[0..3], the rest zero. */
struct address {
	uint8_t family; /* 4 or 6; 0: none */
	uint8_t bytes[16];
};

/* length in bits, 0-32 or 0-128; bits behind it are zero. */
struct prefix {
	struct address address;
	uint8_t length;
};

/* count consecutive addresses from first. */
struct pool {
	struct address first;
	uint32_t count;
};

#define ADDRESS_TEXT_BYTES 64

/* Readers return 0, or -EINVAL and leave *out untouched; nothing is logged. */
int address_read(const char *text, struct address *out);
/* "198.18.0.0/15", or an address alone (/32, /128). Bits behind the length are
 * an error (-ERANGE): a slip of the pen, not a wish. */
int prefix_read(const char *text, struct prefix *out);
/* "A", "A-B" (both included) or "A/len" (every address of the prefix but, for
 * IPv4 shorter than /31, the network's and the broadcast address; of a prefix with
 * more than 2^24 addresses the first 2^24). */
int pool_read(const char *text, struct pool *out);

/* Write text into out (ADDRESS_TEXT_BYTES suffice) and return it. */
char *address_print(char *out, size_t size, const struct address *a);
char *prefix_print(char *out, size_t size, const struct prefix *p);

/* first + n, wrapping within the family's bits. */
struct address address_add(const struct address *first, uint32_t n);
/* memcmp order within one family. */
int address_compare(const struct address *a, const struct address *b);
bool prefix_contains(const struct prefix *p, const struct address *a);

/* Fills ss and returns its length for bind, connect. */
socklen_t address_sockaddr(const struct address *a, uint16_t port, struct sockaddr_storage *ss);
/* The address in ss (v4-mapped IPv6 becomes IPv4); family 0 if neither. */
struct address address_of_sockaddr(const struct sockaddr_storage *ss);

#endif
