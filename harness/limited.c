/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/limited.h"

#define LIMITED_BUSY 0.95
#define LIMITED_NEAR 0.93 /* of the sum of limits: TCP does not fill a policer to the brim */

const char *const limited_names[] = {
	[LIMITED_UNDETERMINED] = "undetermined", [LIMITED_DEVICE] = "device",
	[LIMITED_GENERATOR] = "generator", [LIMITED_LINK] = "link", [LIMITED_LIMIT] = "limit",
};

/* A limit first: it is exact. Comparisons with NAN are false, so that what was
 * not measured never limits. A core that is busy with work that is not the
 * device's (the senders' small-queue work runs wherever their buffers are freed)
 * still has nothing left for the device: known for a device with one core. */
enum limited limited_by(const struct limited_input *in)
{
	if (in->limit_bps > 0 && in->ip_bps >= LIMITED_NEAR * in->limit_bps)
		return LIMITED_LIMIT;
	if (in->busiest_core_share >= LIMITED_BUSY || in->queue_drops > 0 ||
	    (in->device_cores == 1 && in->device_not_idle_share >= LIMITED_BUSY))
		return LIMITED_DEVICE;
	if (in->generator_share >= LIMITED_BUSY)
		return LIMITED_GENERATOR;
	if (in->link_lost > 0)
		return LIMITED_LINK;
	return LIMITED_UNDETERMINED;
}
