/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines that are no rules: one function each, found by its first word. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/own.h"
#include "common/units.h"
#include "firewall-ref/policy_word.h"

const char *const policy_timer_names[POLICY_TIMERS] = { "established", "transitory", "udp", "icmp" };

static const char *const on_off[] = { "on", "off", NULL };

/* A setting is given once. */
static int setting_once(const struct words *w, uint32_t *given)
{
	if (*given)
		return words_refuse(w, w->column, "given already in line %u", *given);
	*given = w->policy->line;
	return 0;
}

static int setting_classifier(struct words *w)
{
	static const char *const names[] = { "tuple", "linear", NULL };

	words_next(w);
	if (words_in(w, names) < 0)
		return words_expected(w, "tuple or linear", names);
	w->policy->classifier = words_is(w, "tuple") ? POLICY_TUPLE : POLICY_LINEAR;
	return words_end(w, NULL);
}

static int setting_inspect(struct words *w)
{
	static const char *const names[] = { "tcp", NULL };

	words_next(w);
	if (words_in(w, names) < 0)
		return words_expected(w, "tcp", names);
	words_next(w);
	if (words_in(w, on_off) < 0)
		return words_expected(w, "on or off", on_off);
	w->policy->inspect_tcp = words_is(w, "on");
	return words_end(w, NULL);
}

/* No host has it: "this", loopback, multicast, broadcast. */
static bool setting_nat_unusable(const struct address *address)
{
	return !address->bytes[0] || address->bytes[0] == 127 || address->bytes[0] >= 224;
}

static int setting_nat_to(struct words *w, struct policy_nat *nat)
{
	static const char *const names[] = { "interface", NULL };

	words_next(w);
	if (words_is(w, "interface"))
		return 0;
	if (address_read(w->word, &nat->address))
		return words_expected(w, "interface or an IPv4 address", names);
	if (nat->address.family != 4)
		return words_refuse(w, w->column, "NAT to an IPv6 address is unsupported for now");
	if (setting_nat_unusable(&nat->address))
		return words_refuse(w, w->column, "%.60s is no address that answers come back to",
				    w->word);
	if (prefix_contains(&nat->prefix, &nat->address))
		return words_refuse(w, w->column, "%.60s is itself in the prefix that is translated",
				    w->word);
	return 0;
}

static int setting_nat(struct words *w)
{
	static const char *const to[] = { "to", NULL };
	struct policy_nat nat = { .on = true, .line = w->policy->line };
	int error;

	words_next(w);
	error = prefix_read(w->word, &nat.prefix);
	if (error == -ERANGE)
		return words_refuse(w, w->column, "%.60s has address bits behind its length", w->word);
	if (error)
		return words_expected(w, "the IPv4 prefix to translate", NULL);
	if (nat.prefix.address.family != 4)
		return words_refuse(w, w->column, "NAT of an IPv6 prefix is unsupported for now");
	words_next(w);
	if (!words_is(w, "to"))
		return words_expected(w, "to", to);
	if (setting_nat_to(w, &nat))
		return -EINVAL;
	w->policy->nat = nat;
	return words_end(w, NULL);
}

static int setting_flow_table(struct words *w)
{
	uint64_t flows;

	words_next(w);
	if (units_read_count(w->word, &flows))
		return words_expected(w, "a number of flows", NULL);
	if (flows < POLICY_FLOWS_MIN || flows > POLICY_FLOWS_MAX)
		return words_refuse(w, w->column, "a flow table has %d to %d flows",
				    POLICY_FLOWS_MIN, POLICY_FLOWS_MAX);
	w->policy->flow_table = (uint32_t)flows;
	return words_end(w, NULL);
}

static int setting_timeout(struct words *w)
{
	const char *const names[] = { policy_timer_names[0], policy_timer_names[1],
				      policy_timer_names[2], policy_timer_names[3], NULL };
	uint64_t ns;
	int row;

	words_next(w);
	row = words_in(w, names);
	if (row < 0)
		return words_expected(w, "established, transitory, udp or icmp", names);
	if (setting_once(w, &w->policy->given[4 + row]))
		return -EINVAL;
	words_next(w);
	if (units_read_time_ns(w->word, &ns))
		return words_expected(w, units_expected_time, NULL);
	if (ns < POLICY_TIMEOUT_MIN_NS || ns > POLICY_TIMEOUT_MAX_NS)
		return words_refuse(w, w->column, "a timeout is 1s to 30d");
	w->policy->timeout_ns[row] = ns;
	return words_end(w, NULL);
}

static const struct setting {
	const char *word;
	int (*read)(struct words *w);
	bool once; /* timeouts: once a timer, see there */
} settings[] = {
	{ "classifier", setting_classifier, true },
	{ "inspect", setting_inspect, true },
	{ "nat", setting_nat, true },
	{ "flow-table", setting_flow_table, true },
	{ "timeout", setting_timeout, false },
};

const char *const policy_first_words[] = {
	"permit", "deny", "classifier", "inspect", "nat", "flow-table", "timeout", NULL
};
_Static_assert(ARRAY_LEN(policy_first_words) == ARRAY_LEN(settings) + 3, "a word each");
_Static_assert(ARRAY_LEN(((struct policy *)0)->given) == 4 + POLICY_TIMERS, "a line each");

int policy_setting_read(struct words *w)
{
	for (uint32_t i = 0; i < ARRAY_LEN(settings); i++) {
		if (!words_is(w, settings[i].word))
			continue;
		if (settings[i].once && setting_once(w, &w->policy->given[i]))
			return -EINVAL;
		return settings[i].read(w);
	}
	return 1;
}
