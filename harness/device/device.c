/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/device/device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const struct device_kind *const device_table[] = {
	&device_none,
	&device_nftables,
	&device_fwref,
	NULL,
};

const struct device_kind *device_find(const char *name)
{
	for (size_t i = 0; device_table[i]; i++)
		if (!strcmp(device_table[i]->name, name))
			return device_table[i];
	return NULL;
}

int device_supports(const struct device_kind *kind, const struct settings *settings,
		    const struct lab_host *host, char *why, size_t why_size)
{
	if (settings->ip == 6 && settings->policy.present && settings->policy.nat) {
		snprintf(why, why_size, "%s: NAT is IPv4 only; leave policy.nat off for ip 6", kind->name);
		return -ENOTSUP;
	}
	return kind->supports(settings, host, why, why_size);
}

void device_listen(struct device *device)
{
	const char *line;

	if (!device->process.pid || device->process.err < 0)
		return;
	while (lines_next(&device->err, device->process.err, &line) == 1)
		if (*line)
			snprintf(device->said, sizeof(device->said), "%s", line);
}

bool device_dead(struct device *device, char *why, size_t why_size)
{
	int code;

	device_listen(device);
	if (!device->process.pid || child_wait(&device->process, 0))
		return false;
	device_listen(device);
	code = child_exit_code(&device->process);
	snprintf(why, why_size, code > 128 ? "%s: killed by signal %d%s%s" : "%s: ended with code %d%s%s",
		 device->kind->name, code > 128 ? code - 128 : code, device->said[0] ? ": " : "",
		 device->said);
	return true;
}

int device_forwarding(const struct lab *lab, bool on)
{
	int code = lab_sysctl(lab, NODE_DEVICE, "net/ipv4/ip_forward", on ? "1" : "0");

	if (!code)
		code = lab_sysctl(lab, NODE_DEVICE, "net/ipv6/conf/all/forwarding", on ? "1" : "0");
	return code;
}
