/* SPDX-License-Identifier: BSD-2-Clause */
/* permit|deny PROTOCOL from|between SIDE to|and SIDE [limit RATE [burst SIZE]] */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "common/units.h"
#include "firewall-ref/policy_word.h"

static const struct protocol {
	const char *name;
	int16_t number;
	uint8_t family;
} protocols[] = {
	{ "ip", POLICY_PROTOCOL_ANY, 0 }, { "tcp", 6, 0 }, { "udp", 17, 0 },
	{ "icmp", 1, 4 }, { "icmp6", 58, 6 },
};
static const char *const protocol_names[] = { "ip", "tcp", "udp", "icmp", "icmp6", NULL };
_Static_assert(ARRAY_LEN(protocol_names) == ARRAY_LEN(protocols) + 1, "a name each");

/* Decimal digits only, at most max; false otherwise. */
static bool rule_number(const char *text, size_t n, uint32_t max, uint32_t *out)
{
	uint32_t value = 0;

	if (!n || n > 9)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		value = value * 10 + (uint32_t)(text[i] - '0');
	}
	*out = value;
	return value <= max;
}

static int rule_protocol(struct words *w, struct policy_rule *rule)
{
	int row;
	uint32_t number;

	words_next(w);
	row = words_in(w, protocol_names);
	if (row >= 0) {
		rule->protocol = protocols[row].number;
		rule->family = protocols[row].family;
		return 0;
	}
	if (!rule_number(w->word, strlen(w->word), 255, &number))
		return words_expected(w, "a protocol (ip, tcp, udp, icmp, icmp6 or 0-255)",
				      protocol_names);
	rule->protocol = (int16_t)number;
	return 0;
}

static int rule_port(const struct words *w, const char *part, size_t n, struct policy_range *out)
{
	const char *dash = memchr(part, '-', n);
	size_t head = dash ? (size_t)(dash - part) : n;
	uint32_t first, last;
	uint32_t column = w->column + (uint32_t)(part - w->word);

	if (!n)
		return words_refuse(w, column, "expected a port beside the comma, got nothing "
				    "(a list has no spaces)");
	if (!rule_number(part, head, 65535, &first) ||
	    (dash && !rule_number(dash + 1, n - head - 1, 65535, &last)))
		return words_refuse(w, column, "expected a port (0-65535) or a range such as "
				    "8000-8100, got \"%.*s\"", (int)(n > 40 ? 40 : n), part);
	if (!dash)
		last = first;
	if (last < first)
		return words_refuse(w, column, "the range %u-%u ends before it begins", first, last);
	*out = (struct policy_range){ (uint16_t)first, (uint16_t)last };
	return 0;
}

static int rule_range_order(const void *a, const void *b)
{
	const struct policy_range *x = a, *y = b;

	return x->first != y->first ? x->first - y->first : x->last - y->last;
}

/* Sorts, and joins what overlaps or touches. Returns the new count. */
static uint32_t rule_ranges_join(struct policy_range *r, uint32_t n)
{
	uint32_t kept = 0;

	qsort(r, n, sizeof(*r), rule_range_order);
	for (uint32_t i = 1; i < n; i++) {
		if (r[i].first <= (uint32_t)r[kept].last + 1) {
			if (r[i].last > r[kept].last)
				r[kept].last = r[i].last;
		} else {
			r[++kept] = r[i];
		}
	}
	return kept + 1;
}

/* The list behind the word port. */
static int rule_ports(struct words *w, const struct policy_rule *rule, struct policy_side *side)
{
	struct policy *policy = w->policy;
	struct policy_range list[POLICY_PORTS_MAX];
	uint32_t n = 0;

	if (rule->protocol != 6 && rule->protocol != 17)
		return words_refuse(w, w->column, "only tcp and udp have ports; write permit tcp … "
				    "and permit udp …");
	if (!words_next(w))
		return words_expected(w, "a port, or a list such as 80,443,8000-8100", NULL);
	for (const char *part = w->word;; n++) {
		size_t length = strcspn(part, ",");

		if (n == POLICY_PORTS_MAX)
			return words_refuse(w, w->column, "more than %d ports and ranges in one list",
					    POLICY_PORTS_MAX);
		if (rule_port(w, part, length, &list[n]))
			return -EINVAL;
		if (!part[length]) {
			n++;
			break;
		}
		part += length + 1;
	}
	n = rule_ranges_join(list, n);
	if (policy->range_count + n > POLICY_RANGES_MAX)
		return words_refuse(w, w->column, "more than %d ports and ranges in the policy",
				    POLICY_RANGES_MAX);
	side->range = policy->range_count;
	side->ranges = n;
	for (uint32_t i = 0; i < n; i++) {
		if (!policy_grow(policy, &policy->ranges, &policy->ranges_room, policy->range_count,
				 sizeof(*policy->ranges)))
			return -ENOMEM;
		policy->ranges[policy->range_count++] = list[i];
	}
	return 0;
}

static int rule_prefix(struct words *w, struct policy_rule *rule, struct policy_side *side)
{
	static const char *const any[] = { "any", NULL };
	int error;

	if (words_is(w, "any"))
		return 0;
	error = prefix_read(w->word, &side->prefix);
	if (error == -ERANGE)
		return words_refuse(w, w->column, "%.60s has address bits behind its length", w->word);
	if (error)
		return words_expected(w, "an address, a prefix or any", any);
	if (rule->family && rule->family != side->prefix.address.family)
		return words_refuse(w, w->column, "%.60s is IPv%u, but the rule is IPv%u by then",
				    w->word, side->prefix.address.family, rule->family);
	rule->family = side->prefix.address.family;
	return 0;
}

/* The next word, or the next two with a space before the unit: 64 KiB. */
static int rule_quantity(struct words *w, int (*read)(const char *text, uint64_t *out),
			 uint64_t *out)
{
	char text[44];
	size_t start, n;

	words_next(w);
	n = strlen(w->word);
	if (n < 20) {
		start = w->column - 1;
		memcpy(text, w->word, n);
		text[n] = ' ';
		words_next(w);
		if (*w->word && strlen(w->word) < 20) {
			memcpy(text + n + 1, w->word, strlen(w->word) + 1);
			if (!read(text, out))
				return 0;
		}
		w->at = start;
		words_next(w);
	}
	return read(w->word, out);
}

static int rule_burst(struct words *w, struct policy_rule *rule)
{
	if (rule_quantity(w, units_read_size_bytes, &rule->burst_bytes))
		return words_expected(w, units_expected_size, NULL);
	if (rule->burst_bytes < POLICY_BURST_MIN_BYTES || rule->burst_bytes > POLICY_BURST_MAX_BYTES)
		return words_refuse(w, w->column, "a burst is %llu to %llu bytes",
				    POLICY_BURST_MIN_BYTES, POLICY_BURST_MAX_BYTES);
	return 0;
}

static int rule_limit(struct words *w, struct policy_rule *rule)
{
	if (!rule->permit)
		return words_refuse(w, w->column, "a deny has no limit");
	if (rule->rate_bps)
		return words_refuse(w, w->column, "the rule has a limit already");
	if (rule_quantity(w, units_read_rate_bps, &rule->rate_bps))
		return words_expected(w, units_expected_rate, NULL);
	if (rule->rate_bps < POLICY_RATE_MIN_BPS || rule->rate_bps > POLICY_RATE_MAX_BPS)
		return words_refuse(w, w->column, "a limit is 1 kbit/s to 400 Gbit/s");
	return 0;
}

/* What may follow the second side. */
static int rule_tail(struct words *w, struct policy_rule *rule)
{
	static const char *const words[] = { "port", "limit", "burst", NULL };

	while (*w->word) {
		if (words_is(w, "limit")) {
			if (rule_limit(w, rule))
				return -EINVAL;
		} else if (words_is(w, "burst") && rule->rate_bps && !rule->burst_bytes) {
			if (rule_burst(w, rule))
				return -EINVAL;
		} else {
			return words_expected(w, rule->rate_bps ? "burst or the end of the line"
							       : "limit or the end of the line",
					      words);
		}
		words_next(w);
	}
	return 0;
}

/* A side and its ports; the word behind them is current afterwards. */
static int rule_side(struct words *w, struct policy_rule *rule, int which)
{
	struct policy_side *side = &rule->side[which];

	words_next(w);
	if (rule_prefix(w, rule, side))
		return -EINVAL;
	words_next(w);
	if (!words_is(w, "port"))
		return 0;
	if (rule_ports(w, rule, side))
		return -EINVAL;
	words_next(w);
	return 0;
}

static int rule_read(struct words *w, struct policy_rule *rule)
{
	static const char *const how[] = { "from", "between", NULL };
	static const char *const to[] = { "to", "port", NULL }, *const and[] = { "and", "port", NULL };

	rule->permit = words_is(w, "permit");
	if (rule_protocol(w, rule))
		return -EINVAL;
	words_next(w);
	if (words_in(w, how) < 0)
		return words_expected(w, "from or between", how);
	rule->between = words_is(w, "between");
	if (rule_side(w, rule, 0))
		return -EINVAL;
	if (!words_is(w, rule->between ? "and" : "to"))
		return words_expected(w, rule->between ? "and" : "to", rule->between ? and : to);
	if (rule_side(w, rule, 1))
		return -EINVAL;
	return rule_tail(w, rule);
}

/* The default burst: a second, so that what a connection could not use while it
 * waited for its retransmission timer is not lost (measured at 100 Mbit/s with one
 * connection: a tenth of a second lets it reach 49 %, a second 98 %); never less
 * than two super-packets. */
static uint64_t rule_default_burst(uint64_t rate_bps)
{
	uint64_t bytes = rate_bps / 8;

	if (bytes < 128 * 1024)
		bytes = 128 * 1024;
	return bytes < POLICY_BURST_MAX_BYTES ? bytes : POLICY_BURST_MAX_BYTES;
}

/* Keeps the line as written, from the action on, for `ctl stats`. */
static int rule_keep_text(struct words *w, struct policy_rule *rule, size_t start)
{
	struct policy *policy = w->policy;
	uint32_t n = (uint32_t)(w->bytes - start);

	if (!policy_grow(policy, &policy->texts, &policy->texts_room, policy->texts_bytes + n, 1))
		return -ENOMEM;
	rule->text = policy->texts_bytes;
	memcpy(policy->texts + policy->texts_bytes, w->line + start, n);
	policy->texts[policy->texts_bytes + n] = '\0';
	policy->texts_bytes += n + 1;
	return 0;
}

int policy_rule_read(struct words *w)
{
	struct policy *policy = w->policy;
	struct policy_rule rule = { .line = policy->line };
	size_t start = w->column - 1;

	if (policy->rule_count == POLICY_RULES_MAX)
		return words_refuse(w, w->column, "more than %d rules", POLICY_RULES_MAX);
	if (rule_read(w, &rule))
		return -EINVAL;
	if (rule.rate_bps && !rule.burst_bytes)
		rule.burst_bytes = rule_default_burst(rule.rate_bps);
	if (rule_keep_text(w, &rule, start) ||
	    !policy_grow(policy, &policy->rules, &policy->rules_room, policy->rule_count,
			 sizeof(*policy->rules)))
		return -ENOMEM;
	policy->rules[policy->rule_count++] = rule;
	return 0;
}
