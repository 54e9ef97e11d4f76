/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* Token bucket of a filter: a policer, nothing is queued. Credit is kept in bits
 * x 1e9, so a nanosecond at R bit/s adds exactly R and no fraction is ever lost,
 * at any rate and however often it is asked. Bounds: rates up to 400 Gbit/s,
 * bursts below 1 GiB, super-packets below 1 MiB: 63 bits suffice.
 *
 * A packet larger than the burst passes when the bucket is full and leaves it in
 * debt, so the average holds and no packet size is shut out. */
#ifndef DATAPATH_LIMIT_H
#define DATAPATH_LIMIT_H

#include "firewall-ref/datapath/layer.h"

#define LIMIT_CREDIT_PER_BYTE 8000000000ll
#define LIMIT_SHORT_NS 16000000ull /* x 400 Gbit/s stays below 2^63 */

/* Credit earned in elapsed_ns, at most what fills the bucket from credit. */
LAYER_INLINE __s64 limit_earned(__u64 rate_bps, __u64 elapsed_ns, __s64 missing)
{
	if (elapsed_ns > LIMIT_SHORT_NS && elapsed_ns > (__u64)missing / rate_bps)
		return missing;
	return (__s64)(elapsed_ns * rate_bps) < missing ? (__s64)(elapsed_ns * rate_bps) : missing;
}

/* True if bytes may pass at now_ns; they are charged then. The caller holds the
 * bucket's lock. rate_bps is not 0. */
LAYER_INLINE int limit_pass(struct bucket *bucket, __u64 rate_bps, __u64 burst_bytes, __u32 bytes,
			    __u64 now_ns)
{
	__s64 full = (__s64)burst_bytes * LIMIT_CREDIT_PER_BYTE;
	__s64 charge = (__s64)bytes * LIMIT_CREDIT_PER_BYTE;

	if (!bucket->started) {
		bucket->started = 1;
		bucket->credit = full;
		bucket->filled_ns = now_ns;
	} else if (now_ns > bucket->filled_ns) {
		bucket->credit += limit_earned(rate_bps, now_ns - bucket->filled_ns,
					       full - bucket->credit);
		bucket->filled_ns = now_ns;
	}
	if (bucket->credit < (charge < full ? charge : full))
		return 0;
	bucket->credit -= charge;
	return 1;
}

#endif
