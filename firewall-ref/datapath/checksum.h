/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The Internet checksum, changed in place (RFC 1624): only differences are
 * summed, so a wrong sum stays wrong by as much. */
#ifndef DATAPATH_CHECKSUM_H
#define DATAPATH_CHECKSUM_H

#include "firewall-ref/datapath/layer.h"

/* One's complement sum of 64 bits to 16. */
LAYER_INLINE __u16 checksum_fold(__u64 sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (__u16)sum;
}

/* What replacing the word was by is adds to a sum; words as they lie in memory. */
LAYER_INLINE __u64 checksum_diff(__u32 was, __u32 is)
{
	return (__u64)(__u32)~was + is;
}

/* A complete checksum field after the bytes under it changed by diff. */
LAYER_INLINE __u16 checksum_changed(__u16 field, __u64 diff)
{
	return (__u16)~checksum_fold((__u16)~field + diff);
}

/* A partial one: the folded sum itself. */
LAYER_INLINE __u16 checksum_partial_changed(__u16 field, __u64 diff)
{
	return checksum_fold(field + diff);
}

#endif
