/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The hash of a tuple's key, for the look-up and for whoever lays the table out. */
#ifndef DATAPATH_HASH_H
#define DATAPATH_HASH_H

#include <linux/types.h>

/* Words and masks in network order, ports as in rules_tuple.ports_mask. */
static inline __attribute__((always_inline, unused)) __u32
classify_hash(const __u32 *source, const __u32 *destination, __u32 ports, int ipv6)
{
	__u64 h = ((__u64)source[0] << 32 | destination[0]) * 0x9e3779b97f4a7c15ull;

	h = (h ^ h >> 32 ^ ports) * 0xd6e8feb86659fd93ull;
	if (ipv6) {
		h = (h ^ h >> 32 ^ ((__u64)source[1] << 32 | source[2])) * 0x9e3779b97f4a7c15ull;
		h = (h ^ h >> 32 ^ ((__u64)destination[1] << 32 | destination[2])) *
		    0x9e3779b97f4a7c15ull;
		h = (h ^ h >> 32 ^ ((__u64)source[3] << 32 | destination[3])) *
		    0xd6e8feb86659fd93ull;
	}
	return (__u32)(h >> 32);
}

#endif
