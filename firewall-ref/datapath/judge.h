/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* What the policy says of a packet: the rule that decides, its counter, its limit. */
#ifndef DATAPATH_JUDGE_H
#define DATAPATH_JUDGE_H

#include "firewall-ref/datapath/layer.h"
#include "firewall-ref/datapath/limit.h"

LAYER_INLINE void judge_count(struct filter_count *count, const struct descriptor *d, int passed)
{
	if (!count)
		return;
	if (passed) {
		count->packets += d->packets;
		count->bytes += d->wire_bytes;
	} else {
		count->limited_packets += d->packets;
		count->limited_bytes += d->wire_bytes;
	}
}

LAYER_INLINE int judge_limit(struct layer *layer, const struct descriptor *d, __u32 slot,
			     const struct rules_filter *filter)
{
	struct bucket *bucket = bucket_at(layer, slot, d->filter);
	__u64 now_ns = time_ns(layer);
	__u64 rate_bps = filter->rate_bps, burst_bytes = filter->burst_bytes;
	int pass;

	if (!bucket || !rate_bps)
		return 1;
	if (lock_take(&bucket->lock))
		return 0;
	pass = limit_pass(bucket, rate_bps, burst_bytes, d->wire_bytes, now_ns);
	lock_give(&bucket->lock);
	return pass;
}

/* The key that the rules see. With inspection a flow is judged by its first
 * packet, else every packet by itself. */
LAYER_INLINE void judge_key(struct descriptor *d, const struct flow *flow,
			    const struct setting *setting)
{
	if (!flow || (!d->direction && !(setting->flags & SETTING_INSPECT)))
		d->inside = d->key;
	else if (setting->flags & SETTING_INSPECT)
		d->inside = flow->key[0];
	else
		flow_key_reverse(&d->inside, &flow->key[0]);
}

/* Asks the rules: 0, or DROP_DENIED. Fills d->filter. */
LAYER_INLINE __u32 judge_rules(struct layer *layer, struct descriptor *d,
			       const struct setting *setting, __u32 slot, struct flow *flow)
{
	const struct rules_filter *filter;

	judge_key(d, flow, setting);
	d->filter = classify_call(layer, slot, setting, &d->inside);
	filter = d->filter == RULES_NONE ? 0 : rules_filter_at(layer, slot, d->filter);
	if (!filter || !filter->permit) {
		if (filter)
			judge_count(filter_count_at(layer, slot, d->filter), d, 1);
		return DROP_DENIED;
	}
	d->limited = !!filter->rate_bps;
	if (flow) {
		flow->filter = d->filter;
		flow->generation = setting->generation;
		flow->flags = (__u8)((flow->flags & ~FLOW_LIMITED) | (d->limited ? FLOW_LIMITED : 0));
	}
	return 0;
}

/* Charges the filter's limit, if it has one, and counts. 0 or DROP_LIMITED. */
LAYER_INLINE __u32 judge_pay(struct layer *layer, const struct descriptor *d, __u32 slot)
{
	int passed = 1;

	if (d->limited) {
		const struct rules_filter *filter = rules_filter_at(layer, slot, d->filter);

		passed = !filter || judge_limit(layer, d, slot, filter);
	}
	judge_count(filter_count_at(layer, slot, d->filter), d, passed);
	return passed ? 0 : DROP_LIMITED;
}

#endif
