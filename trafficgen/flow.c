/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/flow.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/own.h"
#include "trafficgen/payload.h"
#include "trafficgen/workload/workload.h"

#ifndef SO_MEMINFO
#define SO_MEMINFO 55
#endif
/* include/uapi/linux/sock_diag.h, SK_MEMINFO_*: what is allocated, not limits. */
enum { MEMINFO_RMEM = 0, MEMINFO_WMEM_QUEUED = 5, MEMINFO_FORWARD = 4, MEMINFO_WORDS = 9 };

/* What TCP hands down as one super-packet is a whole number of segments and at
 * most so long; a write of three of them leaves no short segment behind, which
 * would cost a packet and an acknowledgement of its own. */
enum { FLOW_SUPER_BYTES = 65216, FLOW_SUPERS = 3, FLOW_WRITE_BYTES = 192 << 10 };

static int set_int(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value)) ? -errno : 0;
}

int flow_set_window(int fd, uint32_t window_bytes)
{
	int code = set_int(fd, SOL_SOCKET, SO_SNDBUF, (int)window_bytes);

	return code ? code : set_int(fd, SOL_SOCKET, SO_RCVBUF, (int)window_bytes);
}

int flow_set_congestion(int fd, const char *name)
{
	return setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, (socklen_t)strlen(name)) ?
		       -errno : 0;
}

/* A vanished peer of the whole test is noticed by the main thread after the
 * silence; a single connection gets three times as long, because a policer can
 * drop several retransmissions in a row. Keepalive probes only ever go out on a
 * connection where nothing else does. */
int flow_tune(int fd, const struct options *options, uint32_t write_bytes)
{
	int silence_s = (int)((options->silence_ns + NS_PER_S - 1) / NS_PER_S);

	set_int(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 3 * silence_s * 1000);
	set_int(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set_int(fd, IPPROTO_TCP, TCP_KEEPIDLE, silence_s);
	set_int(fd, IPPROTO_TCP, TCP_KEEPINTVL, 1);
	set_int(fd, IPPROTO_TCP, TCP_KEEPCNT, 2 * silence_s);
	/* So much waits unsent in the kernel at most: it bounds socket memory and
	 * the drain at the end, and a wake-up finds room for half of it. */
	if (!write_bytes)
		write_bytes = FLOW_WRITE_BYTES;
	return set_int(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, (int)(2 * write_bytes));
}

static int flow_bind(int fd, const struct address *address)
{
	struct sockaddr_storage ss;
	socklen_t length = address_sockaddr(address, 0, &ss);
	bool v4 = address->family == 4;

	/* The port is chosen by connect, when the other end is known (bind would
	 * take one of the address's own few); addresses routed to lo but not
	 * configured on an interface (AnyIP) are ours as well. */
	set_int(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
	if (v4)
		set_int(fd, IPPROTO_IP, IP_FREEBIND, 1);
	else
		set_int(fd, IPPROTO_IPV6, IPV6_FREEBIND, 1);
	return bind(fd, (struct sockaddr *)&ss, length) ? -errno : 0;
}

int flow_connect(struct flow *flow, const struct options *options)
{
	uint32_t clients = options->bind.total ? options->bind.total : 1;
	struct pairing pair = pool_pair(flow->index, clients, options->servers.total);
	struct address server = pools_at(&options->servers, pair.server);
	struct sockaddr_storage ss;
	socklen_t length = address_sockaddr(&server, (uint16_t)options->port, &ss);
	OWN_FD int fd = socket(ss.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int code = 0;

	if (fd < 0)
		return -errno;
	if (options->window_bytes)
		code = flow_set_window(fd, (uint32_t)options->window_bytes);
	if (!code && *options->congestion)
		code = flow_set_congestion(fd, options->congestion);
	if (!code)
		code = flow_tune(fd, options, (uint32_t)options->write_bytes);
	if (!code && options->bind.total) {
		struct address client = pools_at(&options->bind, pair.client);

		code = flow_bind(fd, &client);
	}
	if (!code && connect(fd, (struct sockaddr *)&ss, length) && errno != EINPROGRESS)
		code = -errno;
	if (!code)
		flow->fd = TAKE_FD(fd);
	return code;
}

/* n / connections, the first n mod connections one more. */
static uint64_t share_of(uint64_t n, uint32_t connections, uint32_t index)
{
	return n / connections + (index < n % connections);
}

struct hello flow_hello(const struct options *options, uint64_t test, uint32_t index)
{
	struct hello hello = {
		.workload = options->workload->id, .flags = options_flags(options), .test = test,
		.amount_bytes = share_of(options->amount_bytes, options->connections, index),
		.connections = options->connections, .index = index,
		.write_bytes = (uint32_t)options->write_bytes,
		.window_bytes = (uint32_t)options->window_bytes,
		.warm_up_ms = (uint32_t)(options->warm_up_ns / NS_PER_MS),
		.duration_ms = (uint32_t)(options->duration_ns / NS_PER_MS),
	};

	memcpy(hello.congestion, options->congestion, sizeof(hello.congestion));
	return hello;
}

static bool flow_tcp_info(const struct flow *flow, struct tcp_info *info)
{
	socklen_t length = sizeof(*info);

	memset(info, 0, sizeof(*info));
	return !getsockopt(flow->fd, IPPROTO_TCP, TCP_INFO, info, &length);
}

/* As many whole segments as make up three super-packets. */
static uint32_t flow_write_bytes(const struct flow *flow)
{
	struct tcp_info info;
	uint32_t mss;

	if (!flow_tcp_info(flow, &info) || !info.tcpi_snd_mss)
		return FLOW_WRITE_BYTES;
	mss = info.tcpi_snd_mss;
	return FLOW_SUPERS * (mss < FLOW_SUPER_BYTES ? FLOW_SUPER_BYTES / mss * mss : mss);
}

void flow_plan(struct flow *flow, const struct hello *hello, bool client)
{
	bool up = hello->flags & HELLO_CLIENT_SENDS, down = hello->flags & HELLO_SERVER_SENDS;
	uint64_t up_key = payload_key(hello->test, hello->index, 0);
	uint64_t down_key = payload_key(hello->test, hello->index, 1);

	flow->index = hello->index;
	flow->plan = (struct plan){
		.client = client,
		.sends = client ? up : down, .receives = client ? down : up,
		.by_amount = hello->flags & HELLO_AMOUNT,
		.copy = hello->flags & HELLO_COPY, .verify = hello->flags & HELLO_VERIFY,
		.write_bytes = hello->write_bytes ? hello->write_bytes : flow_write_bytes(flow),
		.send_bytes = hello->amount_bytes,
		.send_key = client ? up_key : down_key, .receive_key = client ? down_key : up_key,
	};
}

bool flow_has_moved(const struct flow *flow)
{
	struct tcp_info info;

	if (flow->plan.receives && !flow->received_bytes)
		return false;
	if (!flow->plan.sends)
		return flow->received_bytes;
	/* The SYN counts as one acknowledged byte. */
	return flow->sent_bytes && flow_tcp_info(flow, &info) &&
	       info.tcpi_bytes_acked > 1 + (flow->plan.client ? HELLO_BYTES : 0);
}

uint64_t flow_socket_bytes(const struct flow *flow)
{
	uint32_t words[MEMINFO_WORDS] = { 0 };
	socklen_t length = sizeof(words);

	if (getsockopt(flow->fd, SOL_SOCKET, SO_MEMINFO, words, &length))
		return 0;
	return (uint64_t)words[MEMINFO_RMEM] + words[MEMINFO_WMEM_QUEUED] + words[MEMINFO_FORWARD];
}

void flow_record_tcp(const struct flow *flow)
{
	struct sockaddr_storage ss = { 0 };
	socklen_t length = sizeof(ss), name_length = HELLO_CONGESTION_BYTES;
	struct tcp_info info;
	struct tcp_record record = { .connections = 1 };
	bool v4;

	if (!flow_tcp_info(flow, &info))
		return;
	getsockname(flow->fd, (struct sockaddr *)&ss, &length);
	v4 = address_of_sockaddr(&ss).family == 4;
	record.segments_out = info.tcpi_segs_out;
	record.segments_in = info.tcpi_segs_in;
	record.data_segments_out = info.tcpi_data_segs_out;
	record.data_segments_in = info.tcpi_data_segs_in;
	record.retransmits = info.tcpi_total_retrans;
	record.retransmitted_bytes = info.tcpi_bytes_retrans;
	record.mss_least_bytes = record.mss_most_bytes = info.tcpi_snd_mss;
	record.header_least_bytes = (v4 ? 40 : 60) + (info.tcpi_options & TCPI_OPT_TIMESTAMPS ? 12 : 0);
	record.header_most_bytes = record.header_least_bytes;
	tcp_record_merge(&flow->tally->tcp, &record);
	if (!*flow->tally->congestion)
		getsockopt(flow->fd, IPPROTO_TCP, TCP_CONGESTION, flow->tally->congestion, &name_length);
}

void flow_close(struct flow *flow, bool reset)
{
	if (flow->fd < 0)
		return;
	if (reset) {
		struct linger linger = { .l_onoff = 1 };

		setsockopt(flow->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	}
	close(flow->fd);
	flow->fd = -1;
}

void flow_link(struct flow **list, struct flow *flow)
{
	flow->previous = NULL;
	flow->next = *list;
	if (*list)
		(*list)->previous = flow;
	*list = flow;
}

void flow_unlink(struct flow **list, struct flow *flow)
{
	if (flow->previous)
		flow->previous->next = flow->next;
	else
		*list = flow->next;
	if (flow->next)
		flow->next->previous = flow->previous;
	flow->next = flow->previous = NULL;
}
