/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The data path on the tc ingress hook of both interfaces.
 *
 * By what it uses it needs Linux 5.17, with BTF and a JIT:
 *   5.10  bpf_redirect_neigh; inner arrays of any length; bpf_probe_read_kernel in tc
 *         programs, to see whether a checksum is partial (summed_bpf.h)
 *   5.11  bpf_ktime_get_coarse_ns
 *   5.12  atomic compare-and-exchange; global functions that take pointers to memory;
 *         bpf_fib_lookup's answer holds the MTU
 *   5.13  batches of arrays per core
 *   5.17  bpf_loop
 * and takes what newer ones have:
 *   6.2   bpf_cast_to_kern_ctx instead of bpf_probe_read_kernel, which costs a call
 *   6.6   tcx links instead of clsact filters (loader.c)
 * Its tests pass on 6.1, Debian 12's, and on 6.18. */
#include <linux/bpf.h>
#include <linux/if_packet.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>

#include "firewall-ref/kernel/layer_bpf.h"
#include "firewall-ref/kernel/route_bpf.h"
#include "firewall-ref/datapath/pipeline.h"
#include "firewall-ref/kernel/shared.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* The link addresses stand already, unless the neighbour is still to be found
 * (or to be confirmed): then the stack writes them. */
static __always_inline int forward(const struct descriptor *d)
{
	if (d->hop.flags)
		return (int)bpf_redirect_neigh(d->hop.interface, 0, 0, 0);
	return (int)bpf_redirect(d->hop.interface, 0);
}

/* Headers may lie outside the linear part of a packet. No more is pulled than the
 * stages look at: the payload of a large packet begins right behind. */
static __always_inline void pull(struct __sk_buff *skb)
{
	__u32 heads = skb->protocol == HEADER_BE16(HEADER_IPV6) ? PARSE_HEADS_IPV6 : PARSE_HEADS_IPV4;
	__u32 linear = (__u32)(skb->data_end - skb->data);

	if (linear < heads && linear < skb->len)
		bpf_skb_pull_data(skb, skb->len < heads ? skb->len : heads);
}

SEC("tc")
int fwref(struct __sk_buff *skb)
{
	struct layer layer = { .skb = skb, .summed = summed_read(skb) };
	struct descriptor d = { 0 };

	/* Of another link address, or of all, on an interface that hears them: the stack
	 * forwards none of those either, and delivers what is its own. */
	if (skb->pkt_type != PACKET_HOST)
		return TC_ACT_OK;
	pull(skb);
	switch (pipeline_run(&layer, &d)) {
	case VERDICT_FORWARD:
		return forward(&d);
	case VERDICT_STACK:
		return TC_ACT_OK;
	default:
		return TC_ACT_SHOT;
	}
}

/* For tests: the verdict and reason of a frame without sending it anywhere;
 * verdict in the low byte, reason above. */
SEC("tc")
int judge(struct __sk_buff *skb)
{
	struct layer layer = { .skb = skb, .summed = summed_read(skb) };
	struct descriptor d = { 0 };
	enum verdict verdict;

	pull(skb);
	verdict = pipeline_run(&layer, &d);
	return (int)(verdict | d.reason << 8);
}

/* Live flows by state; the control thread alone runs sweep. */
__u32 sweep_states[FLOW_STATE_COUNT];

struct sweep_walk {
	struct layer *layer;
	__u64 now_ns;
	__u32 first, which, removed;
};

static long sweep_step(__u32 index, void *context)
{
	struct sweep_walk *walk = context;
	__u32 i = walk->first + index;
	struct flow *flow = flow_at(walk->layer, i);
	__u32 serial, state;

	if (!flow)
		return 1;
	serial = flow->serial;
	state = flow->state;
	if (state == FLOW_FREE || state >= FLOW_STATE_COUNT)
		return 0;
	if (walk->which == SWEEP_ALL ||
	    (walk->which == SWEEP_OVER && timer_over(flow, walk->now_ns)))
		walk->removed += flow_remove(walk->layer, flow, i, serial);
	else
		sweep_states[state]++;
	return 0;
}

SEC("tc")
int sweep(struct __sk_buff *skb)
{
	struct layer layer = { .skb = skb };
	struct sweep_walk walk = { .layer = &layer, .now_ns = bpf_ktime_get_coarse_ns(),
				   .first = skb->cb[SWEEP_FIRST], .which = skb->cb[SWEEP_WHICH] };
	__u32 count = skb->cb[SWEEP_COUNT];

	bpf_loop(count < SWEEP_RECORDS ? count : SWEEP_RECORDS, sweep_step, &walk, 0);
	return (int)walk.removed;
}
