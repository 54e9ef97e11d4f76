/* SPDX-License-Identifier: BSD-2-Clause */
/* The firewall that runs: a path, the policy in force, and how to replace it. */
#ifndef FIREWALL_REF_FIREWALL_H
#define FIREWALL_REF_FIREWALL_H

#include <jansson.h>

#include "firewall-ref/options.h"
#include "firewall-ref/path.h"
#include "firewall-ref/policy.h"

struct firewall {
	const struct options *options;
	const struct path_ops *ops;
	struct path *path;
	struct policy policy;           /* in force; empty with --empty */
	uint32_t flow_table, filter_capacity;
	uint32_t loads;                 /* policies published */
};

/* Reads the policy, opens the path that the options and this machine allow, and
 * publishes. Returns an exit code (common/exit.h); 0: packets flow. */
int firewall_open(struct firewall *firewall, const struct options *options);
/* Reads the policy file anew and publishes it, or keeps the old one. 0, or -errno
 * with one line in why. */
int firewall_reload(struct firewall *firewall, char *why, size_t size);
void firewall_close(struct firewall *firewall);

/* Answers for the control socket; owned by the caller; NULL: no memory. */
json_t *firewall_stats(struct firewall *firewall);
json_t *firewall_flows(struct firewall *firewall);

#endif
