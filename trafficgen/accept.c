/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"
#include "trafficgen/worker.h"

/* Connections taken in a row before the open ones get their turn. */
enum { ACCEPT_BATCH = 64 };
/* The hello comes when all of the client's connections are open; whoever says
 * nothing for so long is not a client. */
static const uint64_t accept_patience_ns = 60 * NS_PER_S;

static int accept_socket(const struct worker *worker, const struct address *address, bool only6)
{
	const struct options *options = worker->crew->options;
	struct sockaddr_storage ss;
	socklen_t length = address_sockaddr(address, (uint16_t)options->port, &ss);
	OWN_FD int fd = socket(ss.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int one = 1, off = only6, cpu = options->cores.core[worker->number];

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one));
	/* Of the listeners of one address the one on the core that handles the
	 * SYN takes the connection: its packets then stay on that core. */
	setsockopt(fd, SOL_SOCKET, SO_INCOMING_CPU, &cpu, sizeof(cpu));
	setsockopt(fd, IPPROTO_IP, IP_FREEBIND, &one, sizeof(one));
	if (address->family == 6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	/* INT_MAX: the kernel cuts it to net.core.somaxconn. */
	if (bind(fd, (struct sockaddr *)&ss, length) || listen(fd, INT32_MAX))
		return -errno;
	return TAKE_FD(fd);
}

static int accept_add(struct worker *worker, const struct address *address, bool only6)
{
	OWN_MEM struct flow *listener = calloc(1, sizeof(*listener));
	char text[ADDRESS_TEXT_BYTES];
	int code;

	if (!listener)
		return -ENOMEM;
	listener->state = FLOW_LISTENING;
	listener->fd = accept_socket(worker, address, only6);
	if (listener->fd < 0)
		return listener->fd;
	code = worker_watch(worker, listener, EPOLLIN);
	if (code) {
		close(listener->fd);
		return log_err(code, "cannot watch %s", address_print(text, sizeof(text), address));
	}
	flow_link(&worker->listeners, listener);
	TAKE_PTR(listener);
	return 0;
}

/* All addresses: one socket for both IP versions, where the machine has IPv6. */
static int accept_any(struct worker *worker)
{
	const struct options *options = worker->crew->options;
	struct address any6 = { .family = 6 }, any4 = { .family = 4 };
	int code = options->only4 ? -EAFNOSUPPORT : accept_add(worker, &any6, options->only6);

	if (options->only6 || (code != -EAFNOSUPPORT && code != -EADDRNOTAVAIL))
		return code;
	return accept_add(worker, &any4, false);
}

int accept_listen(struct worker *worker)
{
	const struct options *options = worker->crew->options;
	char text[ADDRESS_TEXT_BYTES];
	int code;

	if (!options->bind.total) {
		code = accept_any(worker);
		return code ? log_err(code, "cannot listen on port %u: %s", options->port,
				      strerror(-code)) : 0;
	}
	for (uint32_t i = 0; i < options->bind.total; i++) {
		struct address address = pools_at(&options->bind, i);

		code = accept_add(worker, &address, true);
		if (code)
			return log_err(code, "cannot listen on %s port %u: %s",
				       address_print(text, sizeof(text), &address), options->port,
				       strerror(-code));
	}
	return 0;
}

/* Out of descriptors the queue would stay ready for ever: give up the spare
 * one, take the connection with it and shed it. */
static void accept_shed(struct worker *worker, struct flow *listener)
{
	int fd;

	if (!worker->refused++)
		log_warn("out of file descriptors: connections are refused; raise the limit (ulimit -n)");
	close(worker->spare_fd);
	fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC);
	if (fd >= 0)
		close(fd);
	worker->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void accept_taken(struct worker *worker, int fd)
{
	struct flow *flow = calloc(1, sizeof(*flow));

	if (!flow) {
		close(fd);
		return;
	}
	flow->fd = fd;
	flow->state = FLOW_WAITING;
	flow->deadline_ns = clock_now_ns() + accept_patience_ns;
	flow_tune(fd, worker->crew->options, (uint32_t)worker->crew->options->write_bytes);
	flow_link(&worker->waiting, flow);
	if (worker_watch(worker, flow, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET)) {
		flow_unlink(&worker->waiting, flow);
		worker_drop(flow, true);
	}
}

void accept_event(struct worker *worker, struct flow *listener)
{
	for (int i = 0; i < ACCEPT_BATCH; i++) {
		int fd = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0)
			accept_taken(worker, fd);
		else if (errno == EMFILE || errno == ENFILE)
			accept_shed(worker, listener);
		else if (errno != ECONNABORTED && errno != EINTR)
			return;
	}
}

static void accept_refuse(struct worker *worker, struct flow *flow, const char *why)
{
	if (!worker->refused++)
		log_warn("a connection refused: %s", why);
	flow_unlink(&worker->waiting, flow);
	worker_drop(flow, true);
}

/* What the hello asks of the socket. Returns NULL or why it cannot be. */
static const char *accept_apply(struct worker *worker, struct flow *flow, const struct hello *hello)
{
	flow->workload = workload_of_id(hello->workload);
	if (!flow->workload)
		return "it asks for a workload that this version does not know";
	flow_tune(flow->fd, worker->crew->options, hello->write_bytes);
	if (hello->window_bytes && flow_set_window(flow->fd, hello->window_bytes))
		return "the kernel refuses the socket buffer it asks for";
	if (*hello->congestion && flow_set_congestion(flow->fd, hello->congestion))
		return "the kernel refuses the congestion control it asks for "
		       "(net.ipv4.tcp_allowed_congestion_control)";
	flow_plan(flow, hello, false);
	return NULL;
}

void accept_hello(struct worker *worker, struct flow *flow, uint32_t events)
{
	uint8_t bytes[HELLO_BYTES];
	ssize_t n = recv(flow->fd, bytes, sizeof(bytes), MSG_PEEK);
	struct sockaddr_storage ss = { 0 };
	socklen_t length = sizeof(ss);
	struct address peer;
	struct hello hello;
	const char *why;
	int slot;

	if (n < 0 && errno == EAGAIN)
		return;
	if (n <= 0) {
		flow_unlink(&worker->waiting, flow);
		worker_drop(flow, true);
		return;
	}
	/* What cuts segments in two on the way does so with a hello, too: looked at and
	 * left, until the rest makes the socket ready once more. */
	if (n < HELLO_BYTES && !(events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) &&
	    hello_begins(bytes, (size_t)n))
		return;
	if (n < HELLO_BYTES || hello_read(bytes, &hello)) {
		accept_refuse(worker, flow, "its first bytes are not those of this fwgen version");
		return;
	}
	recv(flow->fd, bytes, sizeof(bytes), 0);
	why = accept_apply(worker, flow, &hello);
	if (why) {
		accept_refuse(worker, flow, why);
		return;
	}
	getpeername(flow->fd, (struct sockaddr *)&ss, &length);
	peer = address_of_sockaddr(&ss);
	slot = tests_join(&worker->crew->tests, &hello, &peer, clock_now_ns());
	if (slot < 0) {
		accept_refuse(worker, flow, "too many tests at once");
		return;
	}
	flow_unlink(&worker->waiting, flow);
	tally_step(&worker->tally[slot].open, 1);
	worker_begin(worker, flow, (unsigned)slot);
	worker_notice(worker);
}

void accept_expire(struct worker *worker, uint64_t now_ns)
{
	for (struct flow *flow = worker->waiting, *next; flow; flow = next) {
		next = flow->next;
		if (now_ns >= flow->deadline_ns)
			accept_refuse(worker, flow, "it says nothing");
	}
}
