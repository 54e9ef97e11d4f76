/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/device/device.h"

/* What a trial takes besides its warm-up and duration. */
#define SET_UP_NS 500000000ull    /* lab, device, generators, connections */
#define QUIET_NS 1000000000ull    /* before the counters are read */
#define TEAR_DOWN_NS 200000000ull
#define DRAIN_MAX_NS 10000000000ull /* fwgen's patience */
#define REPORT_NS 100000000ull    /* its figure, after the run */
/* Under a limit what is under way at the end arrives no faster than it may. How
 * much that is, in windows of a connection and direction, and the time it takes
 * besides, which timeouts of the lost tail decide: measured with windows of 32 to
 * 128 KiB and with the one that the kernel arrives at by itself. */
#define DRAIN_BASE_NS 1000000000ull
#define DRAIN_WINDOWS 4.0
#define DRAIN_AUTO_WINDOW_BYTES 327680.0

static uint64_t drain_ns(const struct settings *s)
{
	double window = s->load.window_bytes ? s->load.window_bytes : DRAIN_AUTO_WINDOW_BYTES;
	double directions = s->load.direction == DIRECTION_BOTH ? 2 : 1;
	double bits = 8.0 * window * DRAIN_WINDOWS * directions * s->load.connections / s->load.clients;
	double ns;

	if (!s->policy.present || !s->policy.limit_bps)
		return 0;
	ns = DRAIN_BASE_NS + bits / (double)s->policy.limit_bps * 1e9;
	return ns < (double)DRAIN_MAX_NS ? (uint64_t)ns : DRAIN_MAX_NS;
}

uint64_t plan_trial_ns(const struct row *row)
{
	return SET_UP_NS + row->settings.load.warm_up_ns + row->settings.load.duration_ns +
	       drain_ns(&row->settings) + QUIET_NS + TEAR_DOWN_NS + REPORT_NS;
}

/* splitmix64 (Steele, Lea, Flood 2014): a whole generator in one word of state. */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/* Fisher-Yates; the modulo's bias over 2^64 is of no account here. */
static void shuffle(struct trial_plan *trials, unsigned count, uint64_t *state)
{
	for (unsigned i = count; i > 1; i--) {
		unsigned j = (unsigned)(random_next(state) % i);
		struct trial_plan swap = trials[i - 1];

		trials[i - 1] = trials[j];
		trials[j] = swap;
	}
}

/* Every row once a round, each round in an order of its own: what changes on the
 * machine in the course of a run meets all rows alike. */
static int plan_trials(struct plan *plan)
{
	uint64_t state = plan->seed;

	plan->trials = calloc((size_t)plan->row_count * plan->repetitions, sizeof(*plan->trials));
	if (!plan->trials)
		return log_err(-ENOMEM, "out of memory");
	for (unsigned r = 0; r < plan->repetitions; r++) {
		struct trial_plan *round = &plan->trials[plan->trial_count];

		for (unsigned i = 0; i < plan->row_count; i++)
			round[i] = (struct trial_plan){ .row = i, .repetition = r + 1 };
		shuffle(round, plan->row_count, &state);
		plan->trial_count += plan->row_count;
	}
	for (unsigned i = 0; i < plan->trial_count; i++)
		plan->trials[i].trial = i + 1;
	return 0;
}

/* A row that cannot run here takes no time. */
static void plan_add_up(struct plan *plan)
{
	plan->expected_ns = 0;
	for (unsigned i = 0; i < plan->trial_count; i++) {
		const struct row *row = &plan->rows[plan->trials[i].row];

		if (!*row->unsupported)
			plan->expected_ns += plan_trial_ns(row);
	}
}

/* The row that row i is compared with: same columns, the baseline's device. For
 * device none the policy does not matter; for another baseline it must be the same. */
static int find_baseline(const struct scenario *scenario, unsigned i)
{
	const struct scenario_row *row = scenario_row(scenario, i);
	const char *name = scenario_baseline(scenario);

	if (!strcmp(row->device_name, name))
		return -1;
	for (unsigned j = 0; j < scenario_row_count(scenario); j++) {
		const struct scenario_row *other = scenario_row(scenario, j);

		if (strcmp(other->device_name, name))
			continue;
		if (other->settings.policy.present ? !strcmp(other->rest, row->rest) :
						     !strcmp(other->bare, row->bare))
			return (int)j;
	}
	return -1;
}

static int find_kind(const struct scenario *scenario, const char *bare, const char *kind)
{
	for (unsigned j = 0; j < scenario_row_count(scenario); j++)
		if (!strcmp(scenario_row(scenario, j)->settings.device.kind, kind) &&
		    !strcmp(scenario_row(scenario, j)->bare, bare))
			return (int)j;
	return -1;
}

static int find_hidden(const struct plan *plan, const json_t *key)
{
	for (unsigned j = 0; j < plan->row_count; j++)
		if (plan->rows[j].hidden && json_equal(plan->rows[j].key, key))
			return (int)j;
	return -1;
}

/* fwref measured against fwref --empty, everything else against plain routing. */
static struct settings empty_settings(const struct settings *of)
{
	struct settings s = *of;

	if (strcmp(s.device.kind, "fwref"))
		s.device = (struct device_settings){ .kind = "none" };
	else
		s.device.empty = true;
	s.policy = (struct policy_settings){ 0 };
	s.published_bps = 0;
	s.require = REQUIRE_NOTHING;
	return s;
}

/* The empty form of row i, added to the plan if no row is it already. */
static int empty_row(struct plan *plan, unsigned i)
{
	const struct scenario_row *row = scenario_row(plan->scenario, i);
	int index;

	if (!strcmp(row->settings.device.kind, "none"))
		return -1;
	index = strcmp(row->settings.device.kind, "fwref") ?
		find_kind(plan->scenario, row->bare, "none") : -1;
	if (index < 0)
		index = find_hidden(plan, row->hidden_key);
	if (index >= 0)
		return index;
	plan->rows[plan->row_count] = (struct row){
		.index = plan->row_count,
		.key = json_incref(row->hidden_key),
		.settings = empty_settings(&row->settings),
		.baseline = -1,
		.empty = -1,
		.hidden = true,
	};
	return (int)plan->row_count++;
}

static int plan_rows(struct plan *plan)
{
	unsigned count = scenario_row_count(plan->scenario);

	plan->rows = calloc((size_t)count * 2, sizeof(*plan->rows));
	if (!plan->rows)
		return log_err(-ENOMEM, "out of memory");
	for (unsigned i = 0; i < count; i++) {
		const struct scenario_row *from = scenario_row(plan->scenario, i);

		plan->rows[plan->row_count++] = (struct row){
			.index = i,
			.key = json_incref(from->key),
			.settings = from->settings,
			.baseline = find_baseline(plan->scenario, i),
		};
	}
	for (unsigned i = 0; i < count; i++)
		plan->rows[i].empty = empty_row(plan, i);
	return 0;
}

int plan_make(struct scenario *scenario, struct plan *out)
{
	struct plan plan = {
		.scenario = scenario,
		.repetitions = scenario_repeat(scenario),
		.seed = scenario_seed(scenario),
	};
	int err = plan_rows(&plan);

	if (!err)
		err = plan_trials(&plan);
	if (err) {
		plan_free(&plan);
		return err;
	}
	plan_add_up(&plan);
	*out = plan;
	return 0;
}

void plan_ask(struct plan *plan, const struct lab_host *host)
{
	for (unsigned i = 0; i < plan->row_count; i++) {
		struct row *row = &plan->rows[i];
		const struct device_kind *kind = device_find(row->settings.device.kind);

		*row->unsupported = '\0';
		if (lab_supports(&row->settings, host, row->unsupported, sizeof(row->unsupported)))
			continue;
		if (kind && device_supports(kind, &row->settings, host, row->unsupported,
					    sizeof(row->unsupported)) && !*row->unsupported)
			strcpy(row->unsupported, "the device cannot do this here");
	}
	plan_add_up(plan);
}

void plan_free(struct plan *plan)
{
	for (unsigned i = 0; i < plan->row_count; i++)
		json_decref(plan->rows[i].key);
	free(plan->rows);
	free(plan->trials);
	*plan = (struct plan){ 0 };
}
