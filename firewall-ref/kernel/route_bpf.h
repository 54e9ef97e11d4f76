/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The layer's words about routing: the kernel's tables, and what is kept of their
 * answers by destination. After layer_bpf.h. */
#ifndef KERNEL_ROUTE_BPF_H
#define KERNEL_ROUTE_BPF_H

#include "firewall-ref/kernel/layer_bpf.h"

LAYER_INLINE void layer_fib_key(struct bpf_fib_lookup *fib, const struct layer *layer,
				const struct flow_key *key)
{
	fib->ifindex = layer->skb->ifindex;
	fib->l4_protocol = key->protocol;
	fib->sport = key->source_port;
	fib->dport = key->destination_port;
	fib->tot_len = 1;
	if (key->family == 4) {
		fib->family = 2; /* AF_INET */
		fib->ipv4_src = key->source[0];
		fib->ipv4_dst = key->destination[0];
		return;
	}
	fib->family = 10; /* AF_INET6 */
	for (int i = 0; i < 4; i++) {
		fib->ipv6_src[i] = key->source[i];
		fib->ipv6_dst[i] = key->destination[i];
	}
}

/* The kernel's routing table. The packet's length is not told, so the answer is
 * the way's MTU, to be compared later; a silent neighbour is for the stack to find. */
static __attribute__((noinline)) int layer_fib(struct layer *layer, const struct flow_key *key,
					       struct next_hop *hop)
{
	struct bpf_fib_lookup fib = { 0 };
	long result;

	layer_fib_key(&fib, layer, key);
	result = bpf_fib_lookup(layer->skb, &fib, sizeof(fib), 0);
	if (result == BPF_FIB_LKUP_RET_NOT_FWDED)
		return ROUTE_LOCAL;
	if (result != BPF_FIB_LKUP_RET_SUCCESS && result != BPF_FIB_LKUP_RET_NO_NEIGH)
		return ROUTE_NONE;
	if (fib.ifindex != inside_interface && fib.ifindex != outside_interface)
		return ROUTE_NONE;
	hop->until_ns = 0;
	hop->interface = fib.ifindex;
	/* Without a neighbour the kernel answers before it has looked the MTU up. */
	hop->mtu = result == BPF_FIB_LKUP_RET_SUCCESS ? fib.mtu_result : 0;
	__builtin_memcpy(hop->destination, fib.dmac, 6);
	__builtin_memcpy(hop->source, fib.smac, 6);
	hop->flags = result == BPF_FIB_LKUP_RET_NO_NEIGH ? HOP_RESOLVE : 0;
	return ROUTE_FORWARD;
}

LAYER_INLINE enum route_result route_ask(struct layer *layer, const struct descriptor *d,
					 const struct flow_key *key, struct next_hop *hop)
{
	return layer_fib(layer, key, hop);
}

/* By destination, directly mapped, each core its own. */
LAYER_INLINE struct kept_hop *layer_kept(const struct flow_key *key)
{
	const __be32 *a = key->destination;
	__u32 i = ((a[0] ^ a[1] ^ a[2] ^ a[3]) * 0x9e3779b1u) >> (32 - KEPT_HOPS_BITS);

	return bpf_map_lookup_elem(&kept_hops, &i);
}

LAYER_INLINE struct next_hop *route_kept(struct layer *layer, const struct flow_key *key)
{
	struct kept_hop *kept = layer_kept(key);
	__u32 differ;

	if (!kept)
		return 0;
	differ = (kept->destination[0] ^ key->destination[0]) |
		 (kept->destination[1] ^ key->destination[1]) |
		 (kept->destination[2] ^ key->destination[2]) |
		 (kept->destination[3] ^ key->destination[3]);
	return differ || kept->family != key->family ? 0 : &kept->hop;
}

LAYER_INLINE void route_keep(struct layer *layer, const struct flow_key *key,
			     const struct next_hop *hop)
{
	struct kept_hop *kept = layer_kept(key);

	if (!kept)
		return;
	for (int i = 0; i < 4; i++)
		kept->destination[i] = key->destination[i];
	kept->family = key->family;
	kept->hop = *hop;
}

#endif
