/* SPDX-License-Identifier: BSD-2-Clause */
/* The abstract policy of a trial: what the devices translate into their own
 * language. Filters that match the test's traffic come last (RFC 3511 4.7):
 * with C client addresses and N filters, N - C match nothing and stand first. */
#ifndef HARNESS_POLICY_H
#define HARNESS_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/address.h"
#include "harness/settings.h"

struct filter {
	struct address client; /* permitted as source or as destination */
};

struct policy {
	int ip;
	uint32_t filter_count;      /* 0: permit everything */
	struct filter *filters;     /* owned */
	enum inspect inspect;
	bool nat;
	struct prefix inside;       /* the client addresses, what NAT translates */
	struct address nat_address; /* the egress interface's */
	uint64_t limit_bps;         /* 0: unlimited */
	uint64_t burst_bytes;       /* of each limit; 0: no limit */
	uint32_t flow_table_size;   /* the same for every device */
	uint32_t established_timeout_s;
};

/* Fills *out from the settings; free with policy_free. Returns 0 or -errno. */
int policy_make(const struct settings *settings, struct policy *out);
void policy_free(struct policy *policy);

#endif
