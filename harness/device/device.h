/* SPDX-License-Identifier: BSD-2-Clause */
/* A device under test: one constant table in one file, listed in device.c. */
#ifndef HARNESS_DEVICE_DEVICE_H
#define HARNESS_DEVICE_DEVICE_H

#include <jansson.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/child.h"
#include "common/lines.h"
#include "harness/lab/lab.h"
#include "harness/policy.h"
#include "harness/settings.h"

struct device {
	const struct device_kind *kind;
	const struct lab *lab;
	const struct settings *settings;
	struct child process;          /* its own process, if it has one (fwref) */
	char *policy_text;             /* as loaded, owned; goes into the report */
	char path[16];                 /* "kernel", "user" or "" */
	uint64_t bucket_bytes;         /* what a filter's limit lets through at once; 0: no limit */
	struct lines out, err;         /* of its process */
	char said[200];                /* the last line of its process's stderr */
};

struct device_kind {
	const char *name;              /* the word in a scenario */
	const char *queue_reason;      /* reason of drops in a receive queue of its own, or NULL */
	const char *help;              /* one line for `fwbench list` */
	/* Can it do this here? 0, or -ENOTSUP with *why (static text or snprintf'd
	 * into why) that names the thing and the way out. Asked by device_supports. */
	int (*supports)(const struct settings *settings, const struct lab_host *host, char *why,
			size_t why_size);
	/* Installs the policy in the device node and returns when packets flow.
	 * 0 or -errno, logged; on failure nothing is left behind. */
	int (*start)(struct device *device, const struct policy *policy);
	/* Counters now: {"received_ip_bytes"?, "drops":{reason:n}, "filters":[…],
	 * "flows":n, …}; what the device does not count is null. New reference. */
	json_t *(*stats)(struct device *device);
	void (*stop)(struct device *device);
};

extern const struct device_kind device_none, device_nftables, device_fwref;

/* The device of that name, or NULL. */
const struct device_kind *device_find(const char *name);
/* Asked by check and run: what no device does whatever its kind, then the kind's
 * own supports. */
int device_supports(const struct device_kind *kind, const struct settings *settings,
		    const struct lab_host *host, char *why, size_t why_size);
/* NULL-terminated table of all. */
extern const struct device_kind *const device_table[];
/* Takes what its process says on stderr; the last line stays in device->said. */
void device_listen(struct device *device);
/* Has the device's process, if it has one, ended? Then why says how. */
bool device_dead(struct device *device, char *why, size_t why_size);
/* Kernel forwarding of both families in the device node. Returns 0 or -errno. */
int device_forwarding(const struct lab *lab, bool on);

#endif
