/* SPDX-License-Identifier: BSD-2-Clause */
/* Device CPU, bounded by what the machine could have spent; never by how fast
 * it was. Known loads: a busy process on the device's core, packets through the
 * device. Every test that opens a lab is a process of its own. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "common/own.h"
#include "harness/lab/namespace.h"
#include "harness/probe/probe.h"
#include "harness/probe/ticks.h"
#include "harness/probe/tracing.h"
#include "tests/unit/skip.h"

/* A failed check ends the child with the line's number. */
#define CHECK(condition) do { if (!(condition)) { fprintf(stderr, "line %d: %s\n", __LINE__, \
	#condition); return 1; } } while (0)

#define NO_TRACING 77

static int in_child(int (*work)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid)
		exit(work());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int enter_only(void)
{
	struct lab_host host;

	return lab_enter(&host) != 0;
}

/* Root of a container may be root in name only. */
#define SKIP_UNLESS_LAB() do { if (geteuid() || in_child(enter_only)) SKIP_FOR("no root"); } while (0)

static int open_lab(struct lab *lab, enum topology topology)
{
	struct settings settings = { .ip = 4, .lab = { .topology = topology, .mtu_bytes = 1500 } };
	struct lab_host host;

	return lab_enter(&host) ?: lab_open(lab, &host, &settings, "cpu");
}

/* Datagrams from the client to a server address where nobody listens; the server's
 * answers (port unreachable) are limited and do not matter. */
static int send_datagrams(const struct lab *lab, unsigned count)
{
	OWN_FD int fd = namespace_socket(lab->netns_fd[NODE_CLIENT], AF_INET, SOCK_DGRAM, 0);
	struct address to = lab_server(4, 7);
	struct sockaddr_storage ss;
	socklen_t length = address_sockaddr(&to, 9, &ss);
	static const char payload[1000];

	for (unsigned i = 0; fd >= 0 && i < count; i++)
		while (sendto(fd, payload, sizeof(payload), 0, (struct sockaddr *)&ss, length) < 0)
			if (errno != ENOBUFS && errno != EAGAIN)
				return -errno;
	return fd < 0 ? fd : 0;
}

static int packets_cost_the_device(void)
{
	struct cpu_probe *probe;
	struct cpu_sample a, b;
	struct interface_sample in_a, in_b, out_a, out_b;
	struct lab lab;
	uint64_t wall_ns;

	CHECK(!open_lab(&lab, TOPOLOGY_ROUTED));
	CHECK(!cpu_probe_open(&probe, &lab, 0));
	CHECK(!cpu_probe_read(probe, &a));
	CHECK(!interface_read(&lab, NODE_DEVICE, "in", &in_a));
	CHECK(!interface_read(&lab, NODE_DEVICE, "out", &out_a));
	CHECK(!send_datagrams(&lab, 20000));
	usleep(50000);
	CHECK(!interface_read(&lab, NODE_DEVICE, "in", &in_b));
	CHECK(!interface_read(&lab, NODE_DEVICE, "out", &out_b));
	CHECK(!cpu_probe_read(probe, &b));
	wall_ns = b.time_ns - a.time_ns;
	/* Ethernet, IPv4 and UDP headers: 42 bytes. */
	CHECK(in_b.rx_packets - in_a.rx_packets + b.queue_drops - a.queue_drops >= 20000);
	CHECK(in_b.rx_bytes - in_a.rx_bytes >= (in_b.rx_packets - in_a.rx_packets - 100) * 1042);
	CHECK(out_b.tx_packets > out_a.tx_packets);
	CHECK(b.queue_drops >= a.queue_drops);
	if (lab.cpu_shares) {
		if (b.method != CPU_SOFTIRQ)
			return NO_TRACING;
		CHECK(b.device_ns > a.device_ns);
		CHECK(b.device_ns - a.device_ns <= wall_ns * lab.device_cores.count * 105 / 100);
		CHECK(b.device_ns == b.device_core_ns[0] || lab.device_cores.count > 1);
		/* A packet costs more than 50 ns, whatever the machine. */
		CHECK(b.device_ns - a.device_ns > 20000 * 50);
		CHECK(b.generator_not_idle_ns <= (b.time_ns - a.time_ns + NS_PER_S) * lab.generator_cores.count);
	}
	cpu_probe_close(probe);
	lab_close(&lab);
	return 0;
}

static void *spin(void *argument)
{
	uint64_t end = clock_process_cpu_ns() + *(const uint64_t *)argument;

	while (clock_process_cpu_ns() < end)
		;
	return NULL;
}

/* A process of the device, busy for 200 ms of its own CPU time, packets beside
 * it: what its core shows is at least that and at most the wall time. */
static int a_busy_process_is_counted_once(void)
{
	uint64_t busy_ns = 200 * NS_PER_MS;
	struct cpu_probe *probe;
	struct cpu_sample a, b;
	struct lab lab;
	pid_t pid;
	int status, go[2];

	CHECK(!open_lab(&lab, TOPOLOGY_ROUTED));
	CHECK(!pipe(go));
	pid = fork();
	if (!pid) {
		char byte;

		cores_bind(&lab.device_cores);
		close(go[1]);
		if (read(go[0], &byte, 1) == 1)
			spin(&busy_ns);
		pause();
	}
	CHECK(!cpu_probe_open(&probe, &lab, pid));
	CHECK(!cpu_probe_read(probe, &a));
	CHECK(write(go[1], "g", 1) == 1);
	CHECK(!send_datagrams(&lab, 5000));
	do
		usleep(20000);
	while (threads_run_ns(pid) < busy_ns);
	usleep(20000);
	CHECK(!cpu_probe_read(probe, &b));
	/* Without interrupt accounting the process's own clock holds the softirqs that
	 * interrupted it; they are in device_ns by themselves. */
	CHECK(b.device_ns - a.device_ns >= busy_ns * 90 / 100);
	CHECK(b.device_ns - a.device_ns <= (b.time_ns - a.time_ns) * lab.device_cores.count * 105 / 100);
	kill(pid, SIGKILL);
	CHECK(waitpid(pid, &status, 0) == pid);
	/* Gone: unknown where its clock was the measure, not 0. */
	CHECK(!cpu_probe_read(probe, &b));
	CHECK(b.method == CPU_SOFTIRQ ? b.device_ns >= a.device_ns : b.device_ns == PROBE_UNKNOWN);
	cpu_probe_close(probe);
	lab_close(&lab);
	return 0;
}

static int without_a_device_nothing_is_known(void)
{
	struct cpu_probe *probe;
	struct cpu_sample sample;
	struct lab lab;

	CHECK(!open_lab(&lab, TOPOLOGY_DIRECT));
	CHECK(!cpu_probe_open(&probe, &lab, 0));
	CHECK(!cpu_probe_read(probe, &sample));
	CHECK(sample.method == CPU_NONE);
	CHECK(sample.device_ns == PROBE_UNKNOWN);
	CHECK(sample.device_not_idle_ns == PROBE_UNKNOWN);
	CHECK(sample.queue_drops == PROBE_UNKNOWN);
	cpu_probe_close(probe);
	lab_close(&lab);
	return 0;
}

static void a_lab_costs_what_it_costs(void **state)
{
	int code;

	(void)state;
	SKIP_UNLESS_LAB();
	code = in_child(packets_cost_the_device);
	if (code == NO_TRACING)
		SKIP_NO_FEATURE("softirq tracing");
	assert_int_equal(code, 0);
}

static void a_process_costs_what_it_costs(void **state)
{
	(void)state;
	SKIP_UNLESS_LAB();
	assert_int_equal(in_child(a_busy_process_is_counted_once), 0);
}

static void no_device_no_figure(void **state)
{
	(void)state;
	SKIP_UNLESS_LAB();
	assert_int_equal(in_child(without_a_device_nothing_is_known), 0);
}

/* Two threads of this process, by their own clocks. */
static void threads_run_time_is_their_sum(void **state)
{
	uint64_t busy_ns = 30 * NS_PER_MS, before = threads_run_ns(getpid());
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, spin, &busy_ns), 0);
	spin(&busy_ns);
	pthread_join(thread, NULL);
	assert_true(threads_run_ns(getpid()) > before);
	assert_true(threads_run_ns(0x3fffffff) == UINT64_MAX);
}

static void the_text_of_proc_stat(void **state)
{
	struct ticks t;

	(void)state;
	ticks_parse("cpu  9 9 9 999 9 9 9 99 0 0\n"
		    "cpu0 1 2 3 100 20 5 6 7 0 0\n"
		    "cpu3 1 2 3 400 0 5 6 0 0 0\n"
		    "intr 1 2 3\n", 10000000, &t);
	assert_int_equal(t.idle_ns[0], 1200000000);
	assert_int_equal(t.steal_ns[0], 70000000);
	assert_int_equal(t.idle_ns[3], 4000000000);
	assert_int_equal(t.steal_ns[3], 0);
	assert_int_equal(t.idle_ns[1], 0);
}

static void the_text_of_softnet_stat(void **state)
{
	static const char two[] =
		"00000087 00000010 0 0 0 0 0 0 0 0000004a 0 0 00000000 0 0\n"
		"00000bd2 000000ff 0 0 0 0 0 0 0 00000042 0 0 00000003 0 0\n";
	struct cores three = { 1, { 3 } }, both = { 2, { 0, 3 } }, gone = { 1, { 1 } };

	(void)state;
	assert_int_equal(softnet_parse(two, &three), 255);
	assert_int_equal(softnet_parse(two, &both), 271);
	assert_true(softnet_parse(two, &gone) == UINT64_MAX);
	/* Before 5.10 there is no core number: unknown, not 0. */
	assert_true(softnet_parse("00000087 00000010 0 0 0 0 0 0 0 0 0\n", &both) == UINT64_MAX);
	assert_true(softnet_parse("", &both) == UINT64_MAX);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lab_costs_what_it_costs),
		cmocka_unit_test(a_process_costs_what_it_costs),
		cmocka_unit_test(no_device_no_figure),
		cmocka_unit_test(threads_run_time_is_their_sum),
		cmocka_unit_test(the_text_of_proc_stat),
		cmocka_unit_test(the_text_of_softnet_stat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
