/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures of a window, from two readings made by hand. */
#include "harness/trial/window.h"

#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "tests/unit/skip.h"

static struct lab lab = {
	.cpu_shares = true,
	.device_cores = { 1, { 0 } },
	.generator_cores = { 1, { 1 } },
};
static struct settings settings = {
	.load = { .connections = 10, .clients = 4 },
	.policy = { .present = true, .filters = 8 },
};

/* Two seconds; 1,000,000 frames of 1514 bytes up, as many of 66 down. */
static struct trial measured(void)
{
	struct trial t = { .lab = &lab, .settings = &settings, .measured = true, .settled = true };
	struct reading *a = &t.window[0], *b = &t.window[1];

	t.base.time_ns = 5 * NS_PER_S;
	t.base.device = a->device = b->device = true;
	a->time_ns = a->cpu.time_ns = 6 * NS_PER_S;
	b->time_ns = b->cpu.time_ns = 8 * NS_PER_S;
	a->cpu.method = b->cpu.method = CPU_SOFTIRQ;
	b->at[PLACE_IN] = (struct interface_sample){
		.rx_bytes = 1514000000, .rx_packets = 1000000, .tx_bytes = 66000000, .tx_packets = 1000000,
	};
	b->at[PLACE_OUT] = (struct interface_sample){
		.rx_bytes = 66000000, .rx_packets = 1000000, .tx_bytes = 1514000000, .tx_packets = 1000000,
	};
	b->cpu.device_ns = b->cpu.device_core_ns[0] = NS_PER_S;
	b->cpu.generator_not_idle_ns = b->cpu.generator_core_not_idle_ns[0] = 2 * NS_PER_S;
	b->cpu.device_not_idle_ns = 3 * NS_PER_S / 2;
	return t;
}

static void rates_and_cpu(void **state)
{
	struct trial t = measured();
	struct window w;

	(void)state;
	t.load.end[LOAD_CLIENT] = json_pack("{s:{s:f, s:f}}", "window", "sent_bps", 9e9, "received_bps", 1e6);
	t.load.end[LOAD_SERVER] = json_pack("{s:{s:f}}", "window", "received_bps", 5e9);
	window_measure(&w, &t);
	assert_true(w.start_s == 1 && w.end_s == 3 && w.seconds == 2);
	assert_true(w.interface_bytes_per_s == 790000000);
	assert_true(w.interface_pps == 1000000);
	/* 1500 bytes up and 52 down a frame: (1.5 + 0.052) GB x 8 / 2 s. */
	assert_true(fabs(w.forwarded_ip_bps - 6.208e9) < 1);
	assert_true(fabs(w.per_gigabit_ms - 1000 / 12.416) < 1e-6);
	assert_true(w.device_s == 1 && w.shares.busiest_core == 0.5 && w.shares.generator == 1);
	assert_true(w.goodput_up_bps == 5e9 && w.goodput_down_bps == 1e6);
	assert_int_equal(w.limited, LIMITED_GENERATOR);
	json_decref(t.load.end[LOAD_CLIENT]);
	json_decref(t.load.end[LOAD_SERVER]);
}

static void what_is_not_measured_is_no_number(void **state)
{
	struct trial t = measured();
	struct window w;

	(void)state;
	memset(&t.window[1].cpu, 0xff, sizeof(t.window[1].cpu));
	t.window[1].cpu.method = CPU_NONE;
	window_measure(&w, &t);
	assert_true(isnan(w.device_s) && isnan(w.per_gigabit_ms) && isnan(w.shares.busiest_core));
	assert_true(isnan(w.shares.generator) && isnan(w.goodput_bps));
	assert_int_equal(w.limited, LIMITED_UNDETERMINED);
}

static void bursts_spent_and_unspent(void **state)
{
	struct trial t = measured();
	struct window w;

	/* Four filters in use, buckets of 1 MB full at first, 8 Mbit/s = 1 MB/s each:
	 * a second before the window brought 4 MB. */
	(void)state;
	t.policy.limit_bps = 8000000;
	t.policy.filter_count = 8;
	t.device.bucket_bytes = 1000000;
	window_measure(&w, &t);
	assert_true(w.limit_bps == 32e6);
	assert_true(w.unspent_bytes == 4e6); /* nothing was forwarded: full, not more */
	t.window[0].at[PLACE_OUT].tx_bytes = 6000000;
	t.window[1].at[PLACE_OUT].tx_bytes += 6000000;
	window_measure(&w, &t);
	assert_true(w.unspent_bytes == 2e6);
	t.window[0].at[PLACE_OUT].tx_bytes = 9000000;
	window_measure(&w, &t);
	assert_true(w.unspent_bytes == 0);
}

static void without_a_device_the_clients_interface_counts(void **state)
{
	struct trial t = measured();
	struct window w;

	(void)state;
	t.base.device = t.window[0].device = t.window[1].device = false;
	t.window[1].at[PLACE_CLIENT] = t.window[1].at[PLACE_IN];
	t.window[1].at[PLACE_SERVER] = t.window[1].at[PLACE_OUT];
	memset(&t.window[1].at[PLACE_IN], 0, sizeof(t.window[1].at[PLACE_IN]));
	window_measure(&w, &t);
	assert_true(w.interface_bytes_per_s == 790000000);
	assert_true(isnan(w.per_gigabit_ms));
	assert_int_equal(w.limited, LIMITED_GENERATOR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_and_cpu),
		cmocka_unit_test(what_is_not_measured_is_no_number),
		cmocka_unit_test(bursts_spent_and_unspent),
		cmocka_unit_test(without_a_device_the_clients_interface_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
