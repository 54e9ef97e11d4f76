/* SPDX-License-Identifier: BSD-2-Clause */
/* A claim is a UNIX socket with an abstract name: such names are those of one network
 * namespace, and go with the process, however it ends. */
#include "firewall-ref/claim.h"

#include <errno.h>
#include <net/if.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "common/log.h"
#include "common/own.h"

static int claim_socket(unsigned interface)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int n = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "fwref-interface-%u",
			 interface);
	socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
	OWN_FD int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (const struct sockaddr *)&address, length))
		return -errno;
	return TAKE_FD(fd);
}

static int claim_failed(const char *name, int error)
{
	if (error == -ENODEV)
		return log_err(error, "no interface %s in this network namespace", name);
	if (error == -EADDRINUSE)
		return log_err(-EBUSY, "another fwref runs on %s; end that one first", name);
	return log_err(error, "%s: %s", name, strerror(-error));
}

int claim_begin(struct claim *claim, const char *inside, const char *outside)
{
	*claim = (struct claim){ .name = { inside, outside }, .fd = { -1, -1 } };
	for (int i = 0; i < 2; i++) {
		claim->interface[i] = if_nametoindex(claim->name[i]);
		claim->fd[i] = claim->interface[i] ? claim_socket(claim->interface[i]) : -ENODEV;
		if (claim->fd[i] < 0) {
			int error = claim_failed(claim->name[i], claim->fd[i]);

			claim->fd[i] = -1;
			claim_end(claim);
			return error;
		}
	}
	return 0;
}

/* By index: an interface may be given another name. */
const char *claim_lost(const struct claim *claim)
{
	char name[IF_NAMESIZE];

	for (int i = 0; i < 2; i++)
		if (!if_indextoname(claim->interface[i], name) &&
		    (errno == ENXIO || errno == ENODEV))
			return claim->name[i];
	return NULL;
}

void claim_end(struct claim *claim)
{
	for (int i = 0; i < 2; i++) {
		own_close(&claim->fd[i]);
		claim->fd[i] = -1;
	}
}
