/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/trial/limited.h"

#define LIMITED_BUSY 0.95
#define LIMITED_NEAR 0.93 /* of the sum of limits: TCP does not fill a policer to the brim */

const char *const limited_names[] = {
	[LIMITED_UNDETERMINED] = "undetermined", [LIMITED_DEVICE] = "device",
	[LIMITED_GENERATOR] = "generator", [LIMITED_LINK] = "link", [LIMITED_LIMIT] = "limit",
};

/* A limit first: it is exact. Comparisons with NAN are false, so that what was
 * not measured never limits. The device is named for its own work only: its core
 * may be full of the senders' small-queue work, which the kernel runs wherever
 * their buffers are freed, and that is the generator's. */
enum limited limited_by(const struct limited_input *in)
{
	if (in->limit_bps > 0 && in->ip_bps >= LIMITED_NEAR * in->limit_bps)
		return LIMITED_LIMIT;
	if (in->busiest_core_share >= LIMITED_BUSY || in->queue_drops > 0)
		return LIMITED_DEVICE;
	if (in->generator_share >= LIMITED_BUSY)
		return LIMITED_GENERATOR;
	if (in->link_lost > 0)
		return LIMITED_LINK;
	return LIMITED_UNDETERMINED;
}
