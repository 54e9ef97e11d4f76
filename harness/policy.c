/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/policy.h"

#include <errno.h>
#include <stdlib.h>

#include "common/log.h"
#include "harness/lab/addresses.h"

/* The same for every device, so that none has the smaller table or forgets sooner. */
#define FLOW_TABLE_SIZE 262144u
#define ESTABLISHED_TIMEOUT_S 3600u
#define BURST_LEAST_BYTES 65536u           /* a super-packet */
#define BURST_MOST_BYTES ((1u << 30) - 1u) /* fwref's */

/* The burst of a limit where none is given: what the rate gives in a second. A
 * named limit of nftables holds no less, and a connection cannot use all of its
 * rate with much less, because it waits as long for its retransmission timer. */
static uint64_t policy_burst(const struct policy_settings *from)
{
	uint64_t second = from->limit_bps / 8;

	if (!from->limit_bps || from->burst_bytes)
		return from->burst_bytes;
	if (second < BURST_LEAST_BYTES)
		return BURST_LEAST_BYTES;
	return second < BURST_MOST_BYTES ? second : BURST_MOST_BYTES;
}

/* N filters for C clients: those for the N - C addresses behind the clients, which
 * no test uses, come first; then the clients' own (RFC 3511 4.7). */
int policy_make(const struct settings *settings, struct policy *out)
{
	const struct policy_settings *from = &settings->policy;
	uint32_t count = from->present ? from->filters : 0, clients = settings->load.clients;
	struct policy policy = {
		.ip = settings->ip,
		.filter_count = count,
		.inspect = from->inspect,
		.nat = from->nat,
		.inside = lab_client_prefix(settings->ip),
		.nat_address = lab_link(settings->ip, NODE_DEVICE, true),
		.limit_bps = from->limit_bps,
		.burst_bytes = policy_burst(from),
		.flow_table_size = FLOW_TABLE_SIZE,
		.established_timeout_s = ESTABLISHED_TIMEOUT_S,
	};

	if (count && clients > count)
		return log_err(-EINVAL, "policy: %u filters for %u clients", count, clients);
	if (count) {
		policy.filters = calloc(count, sizeof(*policy.filters));
		if (!policy.filters)
			return log_err(-ENOMEM, "out of memory");
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t unused = count - clients;

		policy.filters[i].client = lab_client(settings->ip, i < unused ? clients + i : i - unused);
	}
	*out = policy;
	return 0;
}

void policy_free(struct policy *policy)
{
	free(policy->filters);
	*policy = (struct policy){ 0 };
}
