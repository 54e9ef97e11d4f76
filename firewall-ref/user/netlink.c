/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/user/netlink.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "common/own.h"

int netlink_open(struct netlink *nl, uint32_t groups)
{
	OWN_FD int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | (groups ? SOCK_NONBLOCK : 0),
			       NETLINK_ROUTE);
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = groups };
	const struct timeval patience = { .tv_usec = 500000 };
	const int on = 1;

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		return -errno;
	/* Without these an answer is longer or a request checked less; never fatal. */
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	setsockopt(fd, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof(on));
	nl->fd = TAKE_FD(fd);
	nl->sequence = 0;
	return 0;
}

void netlink_close(struct netlink *nl)
{
	own_close(&nl->fd);
	nl->fd = -1;
}

void message_start(struct message *m, uint16_t type, uint16_t flags, const void *header,
		   size_t header_bytes)
{
	memset(&m->head, 0, sizeof(m->head));
	m->head.nlmsg_type = type;
	m->head.nlmsg_flags = NLM_F_REQUEST | flags;
	m->head.nlmsg_len = (uint32_t)NLMSG_SPACE(header_bytes);
	memset(NLMSG_DATA(&m->head), 0, NLMSG_ALIGN(header_bytes));
	memcpy(NLMSG_DATA(&m->head), header, header_bytes);
}

void message_put(struct message *m, uint16_t type, const void *data, size_t bytes)
{
	struct rtattr *a = (struct rtattr *)(m->bytes + NLMSG_ALIGN(m->head.nlmsg_len));

	if (NLMSG_ALIGN(m->head.nlmsg_len) + RTA_SPACE(bytes) > sizeof(m->bytes))
		return;
	a->rta_type = type;
	a->rta_len = (uint16_t)RTA_LENGTH(bytes);
	if (bytes)
		memcpy(RTA_DATA(a), data, bytes);
	m->head.nlmsg_len = (uint32_t)(NLMSG_ALIGN(m->head.nlmsg_len) + RTA_SPACE(bytes));
}

struct rtattr *message_nest(struct message *m, uint16_t type)
{
	struct rtattr *nest = (struct rtattr *)(m->bytes + NLMSG_ALIGN(m->head.nlmsg_len));

	message_put(m, type, NULL, 0);
	return nest;
}

void message_end(struct message *m, struct rtattr *nest)
{
	nest->rta_len = (uint16_t)(m->bytes + m->head.nlmsg_len - (char *)nest);
}

/* Takes one datagram of answers; 1 when the last one has come. */
static int netlink_answers(struct netlink *nl, int bytes, void (*take)(const struct nlmsghdr *, void *),
			   void *context, int *result)
{
	for (struct nlmsghdr *h = (struct nlmsghdr *)nl->buffer; NLMSG_OK(h, (uint32_t)bytes);
	     h = NLMSG_NEXT(h, bytes)) {
		if (h->nlmsg_seq != nl->sequence)
			continue;
		if (h->nlmsg_type == NLMSG_ERROR || h->nlmsg_type == NLMSG_DONE) {
			*result = *(int *)NLMSG_DATA(h);
			return 1;
		}
		if (take)
			take(h, context);
		if (!(h->nlmsg_flags & NLM_F_MULTI) && take)
			return 1;
	}
	return 0;
}

int netlink_ask(struct netlink *nl, struct message *m,
		void (*take)(const struct nlmsghdr *answer, void *context), void *context)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	int result = 0;

	m->head.nlmsg_seq = ++nl->sequence;
	if (!take)
		m->head.nlmsg_flags |= NLM_F_ACK;
	if (sendto(nl->fd, m, m->head.nlmsg_len, 0, (struct sockaddr *)&kernel, sizeof(kernel)) < 0)
		return -errno;
	for (;;) {
		ssize_t n = recv(nl->fd, nl->buffer, sizeof(nl->buffer), 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? -ETIMEDOUT : -errno;
		if (netlink_answers(nl, (int)n, take, context, &result))
			return result;
	}
}

const struct rtattr *netlink_attribute(const struct nlmsghdr *answer, size_t header_bytes,
				       uint16_t type)
{
	const struct rtattr *a = (const struct rtattr *)((const char *)NLMSG_DATA(answer) +
							 NLMSG_ALIGN(header_bytes));
	int left = (int)(answer->nlmsg_len - NLMSG_SPACE(header_bytes));

	for (; RTA_OK(a, left); a = RTA_NEXT(a, left))
		if ((a->rta_type & NLA_TYPE_MASK) == type)
			return a;
	return NULL;
}
