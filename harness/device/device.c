/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/device/device.h"

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

int device_forwarding(const struct lab *lab, bool on)
{
	int code = lab_sysctl(lab, NODE_DEVICE, "net/ipv4/ip_forward", on ? "1" : "0");

	if (!code)
		code = lab_sysctl(lab, NODE_DEVICE, "net/ipv6/conf/all/forwarding", on ? "1" : "0");
	return code;
}
