/* SPDX-License-Identifier: BSD-2-Clause */
/* The policy: text, one rule a line, into one struct. The file, the control
 * socket and the fuzzer share one parser: policy_init, policy_line for every
 * line, policy_finish. A bad line is noted and reading goes on, so that one run
 * of `fwref check` shows every mistake; a policy with a note of severity
 * POLICY_ERROR must not be used. compile.h makes the data path's arrays of it.
 * The text is described in fwref-policy(5). */
#ifndef FIREWALL_REF_POLICY_H
#define FIREWALL_REF_POLICY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/address.h"

/* Bounds of one policy, stated in fwref-policy(5). */
enum {
	POLICY_RULES_MAX = 100000,
	POLICY_PORTS_MAX = 16,          /* ports and ranges in one list */
	POLICY_RANGES_MAX = 1000000,    /* ports and ranges in all lists */
	POLICY_LINE_MAX = 1024,         /* bytes of a line */
	POLICY_NOTES_MAX = 20,          /* errors and warnings kept, the rest are counted */
	POLICY_FLOWS_MIN = 16,
	POLICY_FLOWS_MAX = 4194304,
	POLICY_FLOWS_DEFAULT = 262144,
};
#define POLICY_BYTES_MAX (64u << 20)            /* of a file or a message */
#define POLICY_RATE_MIN_BPS 1000ull
#define POLICY_RATE_MAX_BPS 400000000000ull
#define POLICY_BURST_MIN_BYTES 1500ull
#define POLICY_BURST_MAX_BYTES 0x3fffffffull /* credit is bits x 1e9 in 63 bits */
#define POLICY_TIMEOUT_MIN_NS 1000000000ull
#define POLICY_TIMEOUT_MAX_NS (30 * 86400 * 1000000000ull)

enum policy_classifier { POLICY_TUPLE, POLICY_LINEAR };
enum policy_severity { POLICY_WARNING, POLICY_ERROR };

enum policy_timer {
	POLICY_TIMER_ESTABLISHED, POLICY_TIMER_TRANSITORY, POLICY_TIMER_UDP, POLICY_TIMER_ICMP,
	POLICY_TIMERS
};
extern const char *const policy_timer_names[POLICY_TIMERS];

#define POLICY_PROTOCOL_ANY (-1)

struct policy_range {
	uint16_t first, last; /* both included */
};

/* One side of a rule. family 0: any address; no ranges: any port. */
struct policy_side {
	struct prefix prefix;
	uint32_t range, ranges; /* into struct policy.ranges; ascending, apart from each other */
};

struct policy_rule {
	bool permit;
	bool between;           /* in either direction, ports mirrored */
	int16_t protocol;       /* POLICY_PROTOCOL_ANY or its number */
	uint8_t family;         /* 4, 6; 0: both */
	uint32_t line;
	struct policy_side side[2]; /* from, to */
	uint64_t rate_bps;      /* 0: no limit */
	uint64_t burst_bytes;   /* given or the default, once there is a rate */
	uint32_t text;          /* offset into struct policy.texts */
};

struct policy_nat {
	bool on;
	struct prefix prefix;   /* sources that are translated */
	struct address address; /* family 0: the egress interface's */
	uint32_t line;
};

struct policy_note {
	enum policy_severity severity;
	uint32_t line, column;  /* from 1 */
	char text[220];
};

struct policy {
	enum policy_classifier classifier;
	bool inspect_tcp;
	struct policy_nat nat;
	uint32_t flow_table;
	uint64_t timeout_ns[POLICY_TIMERS]; /* 0: the data path's default */
	struct policy_rule *rules;
	uint32_t rule_count;
	struct policy_range *ranges;
	uint32_t range_count;
	char *texts;            /* the rules as written, NUL after each */
	uint32_t texts_bytes;

	char name[128];         /* of the file, for messages */
	struct policy_note notes[POLICY_NOTES_MAX];
	uint32_t note_count, errors, warnings; /* counts of all, kept or not */
	/* While reading. */
	uint32_t line, rules_room, ranges_room, texts_room;
	uint32_t given[8];      /* line of each setting, by its row; 0: not given */
	bool out_of_memory;
};

/* Everything at its default: tuple, inspection on, no NAT, deny. */
void policy_init(struct policy *policy, const char *name);
/* One line without its end; may hold any bytes. Mistakes become notes. */
void policy_line(struct policy *policy, const char *text, size_t bytes);
/* The checks that need the whole. Returns 0, -EINVAL if there are errors, or
 * -ENOMEM. Warnings alone pass. */
int policy_finish(struct policy *policy);
/* init, every line, finish. */
int policy_read_text(struct policy *policy, const char *name, const char *text, size_t bytes);
/* The same from a file; -errno of open and read is noted too. */
int policy_read_file(struct policy *policy, const char *path);
/* Rules that an earlier one covers whole, NAT that no rule permits and the like,
 * as warnings. Takes a second or so for 100,000 rules; `fwref check` only. */
void policy_lint(struct policy *policy);
void policy_free(struct policy *policy);

/* "FILE:LINE:COLUMN: text", warnings marked so. */
void policy_note_print(FILE *to, const struct policy *policy, const struct policy_note *note);
/* The first error as one line into out; "" if there is none. */
char *policy_first_error(char *out, size_t size, const struct policy *policy);

static inline const char *policy_text(const struct policy *policy, const struct policy_rule *rule)
{
	return policy->texts + rule->text;
}

#define OWN_POLICY __attribute__((cleanup(policy_free)))

#endif
