/* SPDX-License-Identifier: BSD-2-Clause */
/* How flows end: timers, the sweep, a full table, ports that run out. */
#include "tests/unit/skip.h"

#include "tests/unit/firewall-ref/native.h"
#include "tests/unit/firewall-ref/story.h"

struct bench {
	struct tables tables;
	struct routes routes;
	struct frame frame;
	struct descriptor d;
};

static void bench_open(struct bench *b, const char *policy, uint32_t flows)
{
	native_routes(&b->routes);
	assert_int_equal(tables_open(&b->tables, flows, 64), 0);
	native_publish(&b->tables, policy);
}

static uint32_t bench_used(const struct bench *b)
{
	return b->tables.flow_size - b->tables.free_count;
}

/* FORWARD, STACK or the drop reason. */
static int send_at(struct bench *b, struct packet p, uint64_t now_ns)
{
	enum verdict verdict;

	frame_build(&b->frame, &p);
	verdict = native_run(&b->tables, &b->routes, &b->frame, &p, now_ns, &b->d);
	return verdict == VERDICT_FORWARD ? FORWARD : verdict == VERDICT_STACK ? STACK : (int)b->d.reason;
}

static uint16_t source_port(struct bench *b)
{
	const uint8_t *t = frame_transport(&b->frame);

	return (uint16_t)(t[0] << 8 | t[1]);
}

/* The packets that bring a flow into each state, and how long it may be silent. */
static void timers(void **state)
{
	static const struct {
		enum flow_state state;
		uint32_t seconds;
		struct packet packet[7];
	} rows[] = {
		{ FLOW_SYN_SENT, TIMER_TRANSITORY_S, { C(SYN, 1000, 0, 0) } },
		{ FLOW_SYN_RECEIVED, TIMER_TRANSITORY_S, { C(SYN, 1000, 0, 0), S(SYN | ACK, 5000, 1001, 0) } },
		{ FLOW_ESTABLISHED, TIMER_ESTABLISHED_S,
		  { C(SYN, 1000, 0, 0), S(SYN | ACK, 5000, 1001, 0), C(ACK, 1001, 5001, 0) } },
		{ FLOW_FIN_WAIT, TIMER_TRANSITORY_S,
		  { C(SYN, 1000, 0, 0), S(SYN | ACK, 5000, 1001, 0), C(FIN | ACK, 1001, 5001, 0) } },
		{ FLOW_CLOSE_WAIT, TIMER_TRANSITORY_S,
		  { C(SYN, 1000, 0, 0), S(SYN | ACK, 5000, 1001, 0), C(FIN | ACK, 1001, 5001, 0),
		    S(ACK, 5001, 1002, 0) } },
		{ FLOW_LAST_ACK, TIMER_TRANSITORY_S,
		  { C(SYN, 1000, 0, 0), S(SYN | ACK, 5000, 1001, 0), C(FIN | ACK, 1001, 5001, 0),
		    S(FIN | ACK, 5001, 1002, 0) } },
		{ FLOW_TIME_WAIT, TIMER_TIME_WAIT_S,
		  { C(SYN, 1000, 0, 0), S(SYN | ACK, 5000, 1001, 0), C(FIN | ACK, 1001, 5001, 0),
		    S(FIN | ACK, 5001, 1002, 0), C(ACK, 1002, 5002, 0) } },
		{ FLOW_CLOSED, TIMER_CLOSED_S, { C(SYN, 1000, 0, 0), S(RST | ACK, 0, 1001, 0) } },
		{ FLOW_UDP_NEW, TIMER_UDP_S, { ANY(17, CLIENT, SERVER, 1, 2, 0) } },
		{ FLOW_UDP, TIMER_UDP_S, { ANY(17, CLIENT, SERVER, 1, 2, 0), BACK(17, SERVER, CLIENT, 2, 1, 0) } },
		{ FLOW_ICMP, TIMER_ICMP_S, { ANY(1, CLIENT, SERVER, 1, 0, 0) } },
		{ FLOW_OTHER, TIMER_UDP_S, { ANY(47, CLIENT, SERVER, 0, 0, 30) } },
	};

	(void)state;
	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		uint64_t end = NATIVE_S + rows[n].seconds * NATIVE_S;
		struct bench b;

		bench_open(&b, INSPECT ALL, 16);
		for (int i = 0; rows[n].packet[i].from != rows[n].packet[i].to; i++)
			assert_int_equal(send_at(&b, rows[n].packet[i], NATIVE_S), FORWARD);
		assert_int_equal(bench_used(&b), 1);
		assert_int_equal(b.tables.flows[0].state, rows[n].state);
		assert_int_equal(tables_sweep(&b.tables, end - 1), 0);
		assert_int_equal(tables_sweep(&b.tables, end), 1);
		assert_int_equal(bench_used(&b), 0);
		assert_int_equal(b.tables.key_count, 0);
		tables_close(&b.tables);
	}
}

/* A packet that meets a flow whose time is over finds none. */
static void late_packet_ends_the_flow(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, INSPECT "permit udp from 198.18.64.0/18 to any\n", 16);
	assert_int_equal(send_at(&b, (struct packet)ANY(17, CLIENT, SERVER, 1, 2, 0), NATIVE_S), FORWARD);
	assert_int_equal(send_at(&b, (struct packet)BACK(17, SERVER, CLIENT, 2, 1, 0), 300 * NATIVE_S), FORWARD);
	assert_int_equal(send_at(&b, (struct packet)BACK(17, SERVER, CLIENT, 2, 1, 0), 601 * NATIVE_S), DROP_DENIED);
	assert_int_equal(bench_used(&b), 0);
	tables_close(&b.tables);
}

/* Case 31: those inside carry on, the rest is refused and counted. */
static void full_table(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, INSPECT ALL, 16);
	for (uint16_t i = 0; i < 16; i++)
		assert_int_equal(send_at(&b, (struct packet)ANY(17, CLIENT, SERVER, i, 2, 0), 1), FORWARD);
	assert_int_equal(send_at(&b, (struct packet)ANY(17, CLIENT, SERVER, 99, 2, 0), 1), DROP_TABLE_FULL);
	assert_int_equal(send_at(&b, (struct packet)ANY(17, CLIENT, SERVER, 3, 2, 0), 1), FORWARD);
	assert_int_equal(b.tables.totals.drop[DROP_TABLE_FULL].packets, 1);
	assert_int_equal(tables_sweep(&b.tables, 400 * NATIVE_S), 16);
	assert_int_equal(send_at(&b, (struct packet)ANY(17, CLIENT, SERVER, 99, 2, 0), 401 * NATIVE_S), FORWARD);
	tables_close(&b.tables);
}

/* Case 24: every port towards one peer in use; the next flow is refused, another
 * peer is not concerned, and ports come back when flows end. */
static void ports_run_out(void **state)
{
	struct bench b;
	uint32_t refused = 0;

	(void)state;
	bench_open(&b, INSPECT NAT ALL, 70000);
	for (uint32_t i = CREATE_PORT_FIRST; i < 65536; i++)
		assert_int_equal(send_at(&b, (struct packet)ANY(17, CLIENT, SERVER, (uint16_t)i, 53, 0), 1), FORWARD);
	for (uint16_t i = 2000; i < 2064; i++) {
		int got = send_at(&b, (struct packet)ANY(17, CLIENT_2, SERVER, i, 53, 0), 1);

		assert_int_equal(got, DROP_NO_PORT);
		refused++;
	}
	assert_int_equal(b.tables.totals.drop[DROP_NO_PORT].packets, refused);
	assert_int_equal(bench_used(&b), CREATE_PORTS);
	assert_int_equal(send_at(&b, (struct packet)ANY(17, CLIENT_2, SERVER, 2000, 54, 0), 1), FORWARD);
	assert_int_equal(source_port(&b), 2000);
	assert_int_equal(tables_sweep(&b.tables, 400 * NATIVE_S), CREATE_PORTS + 1);
	assert_int_equal(b.tables.key_count, 0);
	assert_int_equal(send_at(&b, (struct packet)ANY(17, CLIENT_2, SERVER, 2000, 53, 0), 401 * NATIVE_S), FORWARD);
	assert_int_equal(source_port(&b), 2000);
	tables_close(&b.tables);
}

/* Switching inspection on ends connections whose windows nobody followed. */
static void inspection_switched_on(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, STATELESS NAT ALL, 16);
	assert_int_equal(send_at(&b, (struct packet)C(ACK, 1, 1, 10), 1), FORWARD);
	native_publish(&b.tables, INSPECT NAT ALL);
	assert_int_equal(send_at(&b, (struct packet)C(ACK, 11, 1, 10), 1), DROP_TCP_STATE);
	assert_int_equal(bench_used(&b), 0);
	tables_close(&b.tables);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timers),
		cmocka_unit_test(late_packet_ends_the_flow),
		cmocka_unit_test(full_table),
		cmocka_unit_test(ports_run_out),
		cmocka_unit_test(inspection_switched_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
