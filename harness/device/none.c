/* SPDX-License-Identifier: BSD-2-Clause */
/* No firewall: what the kernel does alone. Topology routed: it routes; bridged:
 * it bridges; direct: there is nothing in the middle at all. */
#include "harness/device/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"

static int none_supports(const struct settings *settings, const struct lab_host *host, char *why,
			 size_t why_size)
{
	(void)settings;
	(void)host;
	(void)why;
	(void)why_size;
	return 0;
}

static int none_start(struct device *device, const struct policy *policy)
{
	static const char *const text[] = {
		[TOPOLOGY_DIRECT] = "# no device: client and server are joined by one link\n",
		[TOPOLOGY_BRIDGED] = "# kernel bridge, no firewall\n",
		[TOPOLOGY_ROUTED] = "# kernel routing, no firewall\n",
	};
	enum topology topology = device->settings->lab.topology;

	(void)policy;
	device->policy_text = strdup(text[topology]);
	if (!device->policy_text)
		return log_err(-ENOMEM, "none: out of memory");
	strcpy(device->path, topology == TOPOLOGY_DIRECT ? "" : "kernel");
	return topology == TOPOLOGY_ROUTED ? device_forwarding(device->lab, true) : 0;
}

/* The kernel's routing counts nothing by reason; the interfaces' counters, which
 * the trial reads itself, are all there is. */
static json_t *none_stats(struct device *device)
{
	(void)device;
	return json_pack("{s:{}}", "drops");
}

static void none_stop(struct device *device)
{
	free(device->policy_text);
	device->policy_text = NULL;
}

const struct device_kind device_none = {
	.name = "none",
	.help = "no firewall: kernel routing (bridged: the kernel's bridge, direct: one link)",
	.supports = none_supports,
	.start = none_start,
	.stats = none_stats,
	.stop = none_stop,
};
