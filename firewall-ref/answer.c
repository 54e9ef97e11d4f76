/* SPDX-License-Identifier: BSD-2-Clause */
/* What `fwref ctl stats` and `fwref ctl flows` show, as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/address.h"
#include "common/own.h"
#include "firewall-ref/firewall.h"

static json_t *answer_filters(const struct firewall *firewall, const struct path_stats *stats)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < firewall->policy.rule_count; i++) {
		const struct policy_rule *rule = &firewall->policy.rules[i];
		const struct filter_count *count = &stats->filters[i];
		json_t *filter = json_pack("{s:I s:s s:I s:I s:I s:I s:o}",
			"line", (json_int_t)rule->line, "text", policy_text(&firewall->policy, rule),
			"packets", (json_int_t)count->packets, "bytes", (json_int_t)count->bytes,
			"limited_packets", (json_int_t)count->limited_packets,
			"limited_bytes", (json_int_t)count->limited_bytes,
			"limit_bps", rule->rate_bps ? json_integer((json_int_t)rule->rate_bps)
						    : json_null());

		json_array_append_new(list, filter);
	}
	return list;
}

/* Only reasons that occurred. Bytes of what the ring lost are not known: null. */
static void answer_drops(json_t *answer, const struct totals *totals)
{
	json_t *packets = json_object(), *bytes = json_object();

	for (int i = DROP_NONE + 1; i < DROP_COUNT; i++) {
		const struct packets_bytes *drop = &totals->drop[i];

		if (!drop->packets)
			continue;
		json_object_set_new(packets, drop_reason_names[i],
				    json_integer((json_int_t)drop->packets));
		json_object_set_new(bytes, drop_reason_names[i],
				    i == DROP_RING ? json_null() : json_integer((json_int_t)drop->bytes));
	}
	json_object_set_new(answer, "drops", packets);
	json_object_set_new(answer, "drop_bytes", bytes);
}

/* What came in is what went any way. */
static struct packets_bytes answer_received(const struct totals *totals)
{
	struct packets_bytes all = { totals->forwarded.packets + totals->stack.packets,
				     totals->forwarded.bytes + totals->stack.bytes };

	for (int i = DROP_NONE + 1; i < DROP_COUNT; i++) {
		all.packets += totals->drop[i].packets;
		all.bytes += totals->drop[i].bytes;
	}
	return all;
}

static json_t *answer_states(const struct path_stats *stats)
{
	json_t *states = json_object();

	for (int i = FLOW_FREE + 1; i < FLOW_STATE_COUNT; i++)
		if (stats->flows[i])
			json_object_set_new(states, flow_state_names[i],
					    json_integer((json_int_t)stats->flows[i]));
	return states;
}

json_t *firewall_stats(struct firewall *firewall)
{
	struct path_stats stats = { .filter_capacity = firewall->policy.rule_count };
	const struct totals *t = &stats.totals;
	struct packets_bytes received;
	OWN_MEM struct filter_count *filters = calloc(stats.filter_capacity + 1ul, sizeof(*filters));
	json_t *answer;

	if (!filters)
		return NULL;
	stats.filters = filters;
	if (firewall->ops->stats(firewall->path, &stats))
		return json_pack("{s:s s:s}", "event", "error", "error",
				 "the counters could not be read");
	received = answer_received(t);
	answer = json_pack("{s:s s:s s:I s:I s:I s:I s:I s:I s:I s:o}", "event", "stats",
			   "path", firewall->ops->name, "generation", (json_int_t)stats.generation,
			   "packets", (json_int_t)received.packets,
			   "bytes", (json_int_t)received.bytes,
			   "forwarded_packets", (json_int_t)t->forwarded.packets,
			   "forwarded_bytes", (json_int_t)t->forwarded.bytes,
			   "stack_packets", (json_int_t)t->stack.packets,
			   "stack_bytes", (json_int_t)t->stack.bytes,
			   "filters", answer_filters(firewall, &stats));
	if (!answer)
		return NULL;
	answer_drops(answer, t);
	json_object_set_new(answer, "flows", answer_states(&stats));
	json_object_set_new(answer, "flow_table",
			    json_pack("{s:I s:I}", "used", (json_int_t)stats.flows_used,
				      "size", (json_int_t)stats.flows_size));
	return answer;
}

static void answer_address(char *out, size_t size, const struct flow_key *key,
			   const __be32 words[4])
{
	struct address address = { .family = key->family };

	memcpy(address.bytes, words, key->family == 4 ? 4 : 16);
	address_print(out, size, &address);
}

static const char *answer_protocol(uint8_t protocol)
{
	switch (protocol) {
	case 6: return "tcp";
	case 17: return "udp";
	case 1: return "icmp";
	case 58: return "icmp6";
	default: return NULL;
	}
}

struct answer_walk {
	const struct firewall *firewall;
	json_t *list;
};

static int answer_flow(void *context, const struct flow *flow, uint64_t idle_ns)
{
	const struct answer_walk *walk = context;
	const struct policy *policy = &walk->firewall->policy;
	const struct flow_key *key = &flow->key[0], *reply = &flow->key[1];
	const char *protocol = answer_protocol(key->protocol);
	char source[ADDRESS_TEXT_BYTES], destination[ADDRESS_TEXT_BYTES], nat[ADDRESS_TEXT_BYTES];
	json_t *o;

	answer_address(source, sizeof(source), key, key->source);
	answer_address(destination, sizeof(destination), key, key->destination);
	o = json_pack("{s:o s:s s:s s:i s:s s:i s:f s:I}",
		      "protocol", protocol ? json_string(protocol) : json_integer(key->protocol),
		      "state", flow->state < FLOW_STATE_COUNT ? flow_state_names[flow->state] : "?",
		      "source", source, "source_port", be16toh(key->source_port),
		      "destination", destination, "destination_port", be16toh(key->destination_port),
		      "idle_s", (double)idle_ns / 1e9, "timeout_s", (json_int_t)flow->timeout_s);
	if (!o)
		return -ENOMEM;
	if (flow->flags & FLOW_NAT) {
		answer_address(nat, sizeof(nat), reply, reply->destination);
		json_object_set_new(o, "nat_source", json_string(nat));
		json_object_set_new(o, "nat_source_port", json_integer(be16toh(reply->destination_port)));
	}
	/* A flow that no packet has shown to the policy of now has no line in it yet. */
	if (flow->filter < policy->rule_count && flow->generation == walk->firewall->loads)
		json_object_set_new(o, "line", json_integer(policy->rules[flow->filter].line));
	return json_array_append_new(walk->list, o) ? -ENOMEM : 0;
}

json_t *firewall_flows(struct firewall *firewall)
{
	struct answer_walk walk = { firewall, json_array() };

	if (!walk.list)
		return NULL;
	if (firewall->ops->flows(firewall->path, answer_flow, &walk)) {
		json_decref(walk.list);
		return json_pack("{s:s s:s}", "event", "error", "error", "the flows could not be read");
	}
	return json_pack("{s:s s:s s:I s:o}", "event", "flows", "path", firewall->ops->name,
			 "count", (json_int_t)json_array_size(walk.list), "flows", walk.list);
}
