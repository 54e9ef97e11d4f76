/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/lab/offload.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/lab/namespace.h"

const struct offload offload_table[] = {
	{ "tcp-segmentation-offload", ETHTOOL_GTSO, ETHTOOL_STSO },
	{ "generic-segmentation-offload", ETHTOOL_GGSO, ETHTOOL_SGSO },
	{ "generic-receive-offload", ETHTOOL_GGRO, ETHTOOL_SGRO },
	{ "tx-checksumming", ETHTOOL_GTXCSUM, 0 },
	{ "rx-checksumming", ETHTOOL_GRXCSUM, 0 },
	{ "scatter-gather", ETHTOOL_GSG, 0 },
};
const size_t offload_count = ARRAY_LEN(offload_table);

static int offload_call(int fd, const char *interface, uint32_t command, uint32_t *value)
{
	struct ethtool_value v = { .cmd = command, .data = *value };
	struct ifreq request = { .ifr_data = (char *)&v };

	strncpy(request.ifr_name, interface, IFNAMSIZ - 1);
	if (ioctl(fd, SIOCETHTOOL, &request))
		return -errno;
	*value = v.data;
	return 0;
}

int offload_read(int netns_fd, const char *interface, int *on)
{
	OWN_FD int fd = namespace_socket(netns_fd, AF_INET, SOCK_DGRAM, 0);

	if (fd < 0)
		return fd;
	for (size_t i = 0; i < offload_count; i++) {
		uint32_t value = 0;
		int code = offload_call(fd, interface, offload_table[i].get, &value);

		on[i] = code ? -1 : value != 0;
	}
	return 0;
}

int offload_set(int netns_fd, const char *interface, bool on)
{
	OWN_FD int fd = namespace_socket(netns_fd, AF_INET, SOCK_DGRAM, 0);

	if (fd < 0)
		return log_err(fd, "%s: no socket for its offloads: %s", interface, strerror(-fd));
	for (size_t i = 0; i < offload_count && offload_table[i].set; i++) {
		const struct offload *o = &offload_table[i];
		uint32_t value = on, now = 0;
		int code;

		if (on && o->set == ETHTOOL_SGRO)
			continue;
		code = offload_call(fd, interface, o->set, &value);
		if (!code)
			code = offload_call(fd, interface, o->get, &now);
		if (!code && (now != 0) != on)
			code = -EOPNOTSUPP;
		if (code)
			return log_err(code, "%s: cannot switch %s %s: %s", interface, o->name,
				       on ? "on" : "off", strerror(-code));
	}
	return 0;
}
