/* SPDX-License-Identifier: BSD-2-Clause */
/* The lab as a whole. As a program (tests/e2e/lab_*.sh use it so):
 *   lab_test hold TOPOLOGY on|off [RUN-ID]   open it, print one line, stay until
 *                                            stdin ends, close it
 *   lab_test fail TOPOLOGY on|off            fail after each step in turn
 *   lab_test clean                           what `fwbench clean` does */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/lab/build.h"
#include "harness/lab/lab.h"
#include "harness/lab/namespace.h"
#include "harness/probe/probe.h"
#include "tests/unit/skip.h"

static struct settings settings_for(const char *topology, bool offload)
{
	struct settings s = { .ip = 4, .lab = { .segmentation_offload = offload, .mtu_bytes = 1500 } };

	s.lab.topology = !strcmp(topology, "direct") ? TOPOLOGY_DIRECT :
			 !strcmp(topology, "bridged") ? TOPOLOGY_BRIDGED : TOPOLOGY_ROUTED;
	return s;
}

static int hold(const struct settings *settings, const char *run_id)
{
	struct lab_host host;
	struct lab lab;
	char byte, device[256], generators[256];

	if (lab_enter(&host))
		return 5;
	if (lab_open(&lab, &host, settings, run_id))
		return 1;
	printf("ready pid=%d client=%s device=%s server=%s shares=%d device-cores=%s "
	       "generator-cores=%s congestion-control=%s root=%d\n", getpid(),
	       lab.netns_name[NODE_CLIENT], lab.netns_name[NODE_DEVICE], lab.netns_name[NODE_SERVER],
	       lab.cpu_shares, cores_print(device, sizeof(device), &lab.device_cores),
	       cores_print(generators, sizeof(generators), &lab.generator_cores),
	       lab.congestion_control, host.root);
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	lab_close(&lab);
	return 0;
}

/* Descriptors open in this process. */
static int open_files(void)
{
	int count = 0;

	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static int fail_each(const struct settings *settings)
{
	struct lab_host host;
	int before;

	if (lab_enter(&host))
		return 5;
	before = open_files();
	for (unsigned step = 0; step < lab_step_count; step++) {
		struct lab lab;
		int code = lab_open_failing(&lab, &host, settings, "fail", (int)step);

		if (code != -ECANCELED || open_files() != before || !access("/run/netns/fail-client", F_OK))
			return fprintf(stderr, "step %u: %s, %d descriptors left, or a name\n", step,
				       strerror(-code), open_files() - before), 1;
	}
	return 0;
}

/* Every test is a process of its own: lab_enter is for good. */
static int in_child(int (*work)(const void *), const void *argument)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(work(argument));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int enter_only(const void *argument)
{
	struct lab_host host;

	(void)argument;
	return lab_enter(&host) != 0;
}

/* Root of a container may be root in name only. */
#define SKIP_UNLESS_LAB() do { if (geteuid() || in_child(enter_only, NULL)) SKIP_FOR("no root"); } while (0)

static int run_and_close(const void *argument)
{
	const struct settings *settings = argument;
	static const char *const echo[] = { "cat", NULL };
	static const char *const missing[] = { "no-such-program", NULL };
	static const char *const sleeping[] = { "sleep", "100", NULL };
	struct child child = CHILD_NONE;
	struct lab_host host;
	struct lab lab;
	char *out = NULL;

	if (lab_enter(&host) || lab_open(&lab, &host, settings, "unit"))
		return 1;
	if (lab_run(&lab, NODE_CLIENT, echo, "hello", &out, NULL) || strcmp(out, "hello"))
		return 2;
	free(out);
	log_start("test", LOG_LEVEL_ERROR);
	if (lab_run(&lab, NODE_SERVER, missing, NULL, NULL, NULL) != -ENOENT)
		return 3;
	if (lab_start(&lab, NODE_SERVER, sleeping, &child))
		return 4;
	child_end(&child, 1000);
	if (lab_sysctl(&lab, NODE_CLIENT, "net/ipv4/ip_forward", "1") ||
	    lab_sysctl(&lab, NODE_CLIENT, "net/ipv4/no_such", "1") != -ENOENT)
		return 5;
	/* With topology direct there is no device to run anything in. */
	if ((lab_run(&lab, NODE_DEVICE, echo, NULL, NULL, NULL) == -EINVAL) !=
	    (settings->lab.topology == TOPOLOGY_DIRECT))
		return 6;
	lab_close(&lab);
	lab_close(&lab);
	return 0;
}

static void each_topology_runs_programs(void **state)
{
	static const char *const topologies[] = { "direct", "bridged", "routed" };

	(void)state;
	SKIP_UNLESS_LAB();
	for (size_t i = 0; i < 3; i++) {
		struct settings s = settings_for(topologies[i], i & 1);

		assert_int_equal(in_child(run_and_close, &s), 0);
	}
}

/* Down to where the kernel refuses IPv6, and up to the largest packet. */
static void each_mtu_makes_a_lab(void **state)
{
	static const unsigned mtus[] = { 576, 1279, 1280, 9000, 65535 };

	(void)state;
	SKIP_UNLESS_LAB();
	for (size_t i = 0; i < ARRAY_LEN(mtus); i++) {
		struct settings s = settings_for("routed", false);

		s.lab.mtu_bytes = mtus[i];
		assert_int_equal(in_child(run_and_close, &s), 0);
	}
}

static int no_namespaces(const void *argument)
{
	struct lab_host host = { .namespaces = false, .why = "the test says so" };
	struct lab lab;

	if (lab_open(&lab, &host, argument, "unit") != -EPERM)
		return 1;
	lab_close(&lab);
	return 0;
}

#define TRANSFER_BYTES (4u << 20)

/* One connection from the last client address to the last server address, in one
 * direction; both sockets are ours, both nodes' namespaces are theirs. */
static int transfer(const struct lab *lab, int ip)
{
	static char buffer[65536];
	int family = ip == 4 ? AF_INET : AF_INET6;
	struct address from = lab_client(ip, LAB_CLIENTS_MAX - 1);
	struct address to = lab_server(ip, LAB_SERVERS_MAX - 1);
	OWN_FD int listener = namespace_socket(lab->netns_fd[NODE_SERVER], family, SOCK_STREAM, 0);
	OWN_FD int client = namespace_socket(lab->netns_fd[NODE_CLIENT], family, SOCK_STREAM, 0);
	OWN_FD int server = -1;
	struct sockaddr_storage ss;
	socklen_t length = address_sockaddr(&to, 5201, &ss);
	size_t sent = 0, received = 0;

	if (bind(listener, (struct sockaddr *)&ss, length) || listen(listener, 1))
		return -errno;
	length = address_sockaddr(&from, 0, &ss);
	if (bind(client, (struct sockaddr *)&ss, length))
		return -errno;
	length = address_sockaddr(&to, 5201, &ss);
	if (connect(client, (struct sockaddr *)&ss, length))
		return -errno;
	server = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	while (received < TRANSFER_BYTES) {
		ssize_t n = sent < TRANSFER_BYTES ? send(client, buffer, sizeof(buffer), MSG_DONTWAIT) : 0;

		sent += n > 0 ? (size_t)n : 0;
		n = recv(server, buffer, sizeof(buffer), n > 0 ? MSG_DONTWAIT : 0);
		if (n == 0 || (n < 0 && errno != EAGAIN))
			return -EIO;
		received += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* What the device receives, packet by packet on the average: at most the MTU and
 * the Ethernet header with segmentation offload off, more with it on. */
static int packet_sizes(const void *argument)
{
	const struct settings *settings = argument;
	struct lab_host host;
	struct lab lab;

	if (lab_enter(&host) || lab_open(&lab, &host, settings, "sizes"))
		return 1;
	for (int ip = 4; ip <= 6; ip += 2) {
		struct interface_sample before, after;
		uint64_t bytes, packets;

		if (interface_read(&lab, NODE_DEVICE, "in", &before) || transfer(&lab, ip) ||
		    interface_read(&lab, NODE_DEVICE, "in", &after))
			return 2;
		bytes = after.rx_bytes - before.rx_bytes;
		packets = after.rx_packets - before.rx_packets;
		if (bytes < TRANSFER_BYTES || after.tx_packets == before.tx_packets)
			return 3;
		if ((bytes <= packets * (settings->lab.mtu_bytes + 14)) == settings->lab.segmentation_offload)
			return 4;
	}
	if (!interface_read(&lab, NODE_DEVICE, "nothing", &(struct interface_sample){ 0 }))
		return 5;
	lab_close(&lab);
	return 0;
}

static void packets_are_as_large_as_told(void **state)
{
	(void)state;
	SKIP_UNLESS_LAB();
	for (int on = 0; on < 2; on++)
		for (int bridged = 0; bridged < 2; bridged++) {
			struct settings s = settings_for(bridged ? "bridged" : "routed", on);

			assert_int_equal(in_child(packet_sizes, &s), 0);
		}
}

static void without_namespaces_it_refuses(void **state)
{
	struct settings s = settings_for("routed", true);

	(void)state;
	assert_int_equal(in_child(no_namespaces, &s), 0);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_topology_runs_programs),
		cmocka_unit_test(each_mtu_makes_a_lab),
		cmocka_unit_test(packets_are_as_large_as_told),
		cmocka_unit_test(without_namespaces_it_refuses),
	};
	unsigned removed;

	if (argc == 2 && !strcmp(argv[1], "clean"))
		return lab_clean(false, &removed) ? 1 : printf("removed %u\n", removed) < 0;
	if (argc >= 4) {
		struct settings s = settings_for(argv[2], !strcmp(argv[3], "on"));

		return !strcmp(argv[1], "hold") ? hold(&s, argc > 4 ? argv[4] : "e2e") : fail_each(&s);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
