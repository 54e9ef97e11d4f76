/* SPDX-License-Identifier: BSD-2-Clause */
/* One RTM_GETLINK a sample on the node's netlink socket: no process, no thread. */
#include <errno.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "common/log.h"
#include "harness/probe/probe.h"

struct question {
	struct nlmsghdr head;
	struct ifinfomsg link;
	struct rtattr name_attribute;
	char name[IFNAMSIZ];
};

static int interface_ask(int fd, const char *name, uint32_t sequence)
{
	struct question q = {
		.head = { .nlmsg_len = sizeof(q), .nlmsg_type = RTM_GETLINK, .nlmsg_flags = NLM_F_REQUEST,
			  .nlmsg_seq = sequence },
		.name_attribute = { .rta_len = RTA_LENGTH(IFNAMSIZ), .rta_type = IFLA_IFNAME },
	};

	strncpy(q.name, name, IFNAMSIZ - 1);
	return send(fd, &q, sizeof(q), 0) == sizeof(q) ? 0 : -errno;
}

static int interface_parse(const struct nlmsghdr *head, struct interface_sample *out)
{
	const struct ifinfomsg *link = NLMSG_DATA(head);
	const struct rtattr *a = IFLA_RTA(link);
	long left = (long)IFLA_PAYLOAD(head);

	for (; RTA_OK(a, left); a = RTA_NEXT(a, left)) {
		struct rtnl_link_stats64 stats;

		if (a->rta_type != IFLA_STATS64 || RTA_PAYLOAD(a) < sizeof(uint64_t) * 10)
			continue;
		memset(&stats, 0, sizeof(stats));
		memcpy(&stats, RTA_DATA(a),
		       RTA_PAYLOAD(a) < sizeof(stats) ? RTA_PAYLOAD(a) : sizeof(stats));
		*out = (struct interface_sample){
			.rx_bytes = stats.rx_bytes, .rx_packets = stats.rx_packets,
			.rx_drops = stats.rx_dropped, .tx_bytes = stats.tx_bytes,
			.tx_packets = stats.tx_packets, .tx_drops = stats.tx_dropped,
		};
		return 0;
	}
	return -ENODATA;
}

/* An answer to an earlier question, left by a call that a signal ended, is
 * passed over. */
static int interface_answer(int fd, uint32_t sequence, struct interface_sample *out)
{
	_Alignas(struct nlmsghdr) char buffer[16384];
	const struct nlmsghdr *head = (const struct nlmsghdr *)buffer;

	do {
		ssize_t n = recv(fd, buffer, sizeof(buffer), 0);

		if (n < 0)
			return -errno;
		if (!NLMSG_OK(head, (size_t)n))
			return -EBADMSG;
	} while (head->nlmsg_seq != sequence);
	if (head->nlmsg_type == NLMSG_ERROR)
		return ((const struct nlmsgerr *)NLMSG_DATA(head))->error ?: -EBADMSG;
	return head->nlmsg_type == RTM_NEWLINK ? interface_parse(head, out) : -EBADMSG;
}

int interface_read(const struct lab *lab, enum lab_node node, const char *name,
		   struct interface_sample *out)
{
	int fd = lab->rtnl_fd[node];
	uint32_t sequence = (uint32_t)clock_now_ns();
	int code = fd < 0 ? -EINVAL : interface_ask(fd, name, sequence);

	if (!code)
		code = interface_answer(fd, sequence, out);
	return code ? log_err(code, "the %s: interface %s: %s", lab_node_names[node], name,
			      strerror(-code)) : 0;
}
