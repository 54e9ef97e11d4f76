/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/trial/sample.h"

#include <math.h>
#include <string.h>

#include "common/clock.h"

const char sample_head[] = "trial,time_s,omitted,interface_rx_bytes_per_s,interface_tx_bytes_per_s,"
			   "interface_rx_pps,interface_tx_pps,generator_bps,device_cpu_share,"
			   "generator_cpu_share,steal_share\n";

static const struct {
	enum lab_node node;
	bool server_side;
} places[] = {
	[PLACE_CLIENT] = { NODE_CLIENT, false },
	[PLACE_IN] = { NODE_DEVICE, false },
	[PLACE_OUT] = { NODE_DEVICE, true },
	[PLACE_SERVER] = { NODE_SERVER, true },
};

/* Every figure of a sample that was never filled. */
static void reading_forget_cpu(struct cpu_sample *cpu)
{
	memset(cpu, 0xff, sizeof(*cpu));
	cpu->method = CPU_NONE;
}

int reading_take(struct reading *r, const struct lab *lab, struct cpu_probe *probe)
{
	r->device = lab->settings.topology != TOPOLOGY_DIRECT;
	r->time_ns = clock_now_ns();
	if (!probe || cpu_probe_read(probe, &r->cpu))
		reading_forget_cpu(&r->cpu);
	for (int i = 0; i < PLACE_COUNT; i++) {
		int code;

		if (!r->device && (i == PLACE_IN || i == PLACE_OUT))
			continue;
		code = interface_read(lab, places[i].node,
				      lab_interface(places[i].node, places[i].server_side), &r->at[i]);
		if (code)
			return code;
	}
	return 0;
}

enum sample_place reading_shown(const struct reading *r)
{
	return r->device ? PLACE_IN : PLACE_CLIENT;
}

static double share_of(uint64_t a, uint64_t b, double wall_ns)
{
	uint64_t used = sample_difference(a, b);

	return used == PROBE_UNKNOWN || wall_ns <= 0 ? NAN : (double)used / wall_ns;
}

/* The busiest of n cores. */
static double share_most(const uint64_t *a, const uint64_t *b, unsigned n, double wall_ns)
{
	double most = NAN;

	for (unsigned i = 0; i < n; i++) {
		double share = share_of(a[i], b[i], wall_ns);

		if (isnan(most) || share > most)
			most = share;
	}
	return most;
}

void sample_shares(struct shares *s, const struct reading *a, const struct reading *b,
		   const struct lab *lab)
{
	bool timed = a->cpu.time_ns != PROBE_UNKNOWN && b->cpu.time_ns != PROBE_UNKNOWN;
	double wall_ns = timed ? (double)(b->cpu.time_ns - a->cpu.time_ns) : 0;
	double device = wall_ns * lab->device_cores.count;
	double generator = wall_ns * lab->generator_cores.count;
	bool known = b->cpu.method != CPU_NONE;

	s->device = known ? share_of(a->cpu.device_ns, b->cpu.device_ns, device) : NAN;
	s->busiest_core = known ? share_most(a->cpu.device_core_ns, b->cpu.device_core_ns,
					     lab->device_cores.count, wall_ns) : NAN;
	s->generator_mean = share_of(a->cpu.generator_not_idle_ns, b->cpu.generator_not_idle_ns, generator);
	s->generator = share_most(a->cpu.generator_core_not_idle_ns, b->cpu.generator_core_not_idle_ns,
				  lab->generator_cores.count, wall_ns);
	/* With shared cores the two sets are one. */
	s->steal = share_of(a->cpu.steal_ns, b->cpu.steal_ns,
			    lab->cpu_shares ? device + generator : generator);
}

static void sample_field(FILE *out, double value, int digits)
{
	if (isfinite(value))
		fprintf(out, ",%.*f", digits, value);
	else
		fputc(',', out);
}

void sample_print(FILE *out, const struct sample *sample, const struct reading *a,
		  const struct reading *b, const struct lab *lab)
{
	double seconds = (double)(b->time_ns - a->time_ns) / NS_PER_S;
	const struct interface_sample *from = &a->at[reading_shown(a)], *to = &b->at[reading_shown(b)];
	struct shares shares;

	if (seconds <= 0)
		return;
	sample_shares(&shares, a, b, lab);
	fprintf(out, "%u,%.3f,%d", sample->trial, (double)(b->time_ns - sample->first_ns) / NS_PER_S,
		sample->omitted);
	sample_field(out, (double)(to->rx_bytes - from->rx_bytes) / seconds, 0);
	sample_field(out, (double)(to->tx_bytes - from->tx_bytes) / seconds, 0);
	sample_field(out, (double)(to->rx_packets - from->rx_packets) / seconds, 0);
	sample_field(out, (double)(to->tx_packets - from->tx_packets) / seconds, 0);
	sample_field(out, sample->generator_bps, 0);
	sample_field(out, shares.device, 4);
	sample_field(out, shares.generator_mean, 4);
	sample_field(out, shares.steal, 4);
	fputc('\n', out);
}
