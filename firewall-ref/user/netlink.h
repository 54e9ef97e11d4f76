/* SPDX-License-Identifier: BSD-2-Clause */
/* Just enough rtnetlink: build a request, ask, walk attributes. */
#ifndef USER_NETLINK_H
#define USER_NETLINK_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <stdint.h>

#define NETLINK_BYTES 16384

/* A request while it grows; aligned for the headers in it. */
struct message {
	union {
		struct nlmsghdr head;
		char bytes[4096];
	};
};

struct netlink {
	int fd;
	uint32_t sequence;
	char buffer[NETLINK_BYTES] __attribute__((aligned(8)));
};

/* groups: RTMGRP_* to listen to (non-blocking), or 0 for requests. 0 or -errno,
 * not logged. */
int netlink_open(struct netlink *nl, uint32_t groups);
void netlink_close(struct netlink *nl);

/* header: the fixed part behind nlmsghdr, header_bytes of it. */
void message_start(struct message *m, uint16_t type, uint16_t flags, const void *header,
		   size_t header_bytes);
void message_put(struct message *m, uint16_t type, const void *data, size_t bytes);
struct rtattr *message_nest(struct message *m, uint16_t type);
void message_end(struct message *m, struct rtattr *nest);

/* Sends the request and hands every answer to take (NULL: only the
 * acknowledgement matters) until the last. 0 or -errno of the kernel's answer. */
int netlink_ask(struct netlink *nl, struct message *m,
		void (*take)(const struct nlmsghdr *answer, void *context), void *context);

/* One attribute of an answer, or NULL. header_bytes: as in message_start. */
const struct rtattr *netlink_attribute(const struct nlmsghdr *answer, size_t header_bytes,
				       uint16_t type);

#endif
