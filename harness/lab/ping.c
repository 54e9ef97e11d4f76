/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/lab/ping.h"

#include <errno.h>
#include <netinet/icmp6.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "common/own.h"
#include "harness/lab/namespace.h"

#define PING_INTERVAL_MS 20

/* The eight bytes both families' echoes have in common. */
struct echo {
	uint8_t type, code;
	uint16_t checksum, id, sequence;
};

static uint16_t ping_checksum(const struct echo *echo)
{
	const uint8_t *b = (const uint8_t *)echo;
	uint32_t sum = 0;

	for (size_t i = 0; i < sizeof(*echo); i += 2)
		sum += (uint32_t)(b[i] << 8 | b[i + 1]);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return htons((uint16_t)~sum);
}

static int ping_send(int fd, const struct address *to, uint16_t sequence)
{
	struct echo echo = {
		.type = to->family == 4 ? ICMP_ECHO : ICMP6_ECHO_REQUEST,
		.id = htons((uint16_t)getpid()),
		.sequence = htons(sequence),
	};
	struct sockaddr_storage ss;
	socklen_t length = address_sockaddr(to, 0, &ss);

	if (to->family == 4)
		echo.checksum = ping_checksum(&echo); /* for ICMPv6 the kernel does it */
	if (sendto(fd, &echo, sizeof(echo), 0, (struct sockaddr *)&ss, length) >= 0)
		return 0;
	/* A link that is just coming up, or a device that does not answer yet. */
	return errno == ENETUNREACH || errno == EHOSTUNREACH || errno == ENETDOWN ? 0 : -errno;
}

static bool ping_is_answer(int fd, const struct address *to)
{
	uint8_t packet[256];
	struct sockaddr_storage ss;
	socklen_t length = sizeof(ss);
	ssize_t n = recvfrom(fd, packet, sizeof(packet), MSG_DONTWAIT, (struct sockaddr *)&ss, &length);
	struct address from = address_of_sockaddr(&ss);
	size_t skip = to->family == 4 && n > 0 ? (size_t)(packet[0] & 15) * 4 : 0;
	struct echo echo;

	if (n < (ssize_t)(skip + sizeof(echo)) || from.family != to->family ||
	    address_compare(&from, to))
		return false;
	memcpy(&echo, packet + skip, sizeof(echo));
	return echo.type == (to->family == 4 ? ICMP_ECHOREPLY : ICMP6_ECHO_REPLY) &&
	       ntohs(echo.id) == (uint16_t)getpid();
}

int ping(int netns_fd, const struct address *from, const struct address *to, uint32_t timeout_ms)
{
	bool v4 = to->family == 4;
	OWN_FD int fd = namespace_socket(netns_fd, v4 ? AF_INET : AF_INET6, SOCK_RAW,
					 v4 ? IPPROTO_ICMP : IPPROTO_ICMPV6);
	uint64_t end = clock_now_ns() + timeout_ms * NS_PER_MS;
	struct sockaddr_storage ss;
	socklen_t length = address_sockaddr(from, 0, &ss);

	if (fd < 0)
		return fd;
	if (bind(fd, (struct sockaddr *)&ss, length))
		return -errno;
	for (uint16_t sequence = 1; clock_now_ns() < end; sequence++) {
		uint64_t next = clock_now_ns() + PING_INTERVAL_MS * NS_PER_MS;
		int code = ping_send(fd, to, sequence);

		if (code)
			return code;
		for (uint64_t now; (now = clock_now_ns()) < next;) {
			struct pollfd p = { .fd = fd, .events = POLLIN };

			if (poll(&p, 1, (int)((next - now) / NS_PER_MS) + 1) > 0 &&
			    ping_is_answer(fd, to))
				return 0;
		}
	}
	return -ETIMEDOUT;
}
