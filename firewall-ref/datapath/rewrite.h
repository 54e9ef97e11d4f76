/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The one place that changes a packet: link addresses, TTL, and under NAT the
 * addresses and ports, with every checksum that covers them. */
#ifndef DATAPATH_REWRITE_H
#define DATAPATH_REWRITE_H

#include "firewall-ref/datapath/checksum.h"
#include "firewall-ref/datapath/parse.h"

struct rewrite_change {
	__be32 source, destination;         /* IPv4 addresses to bear */
	__be16 source_port, destination_port;
	__u64 address_diff;                 /* for checksums with a pseudo-header */
};

LAYER_INLINE int rewrite_link(struct layer *layer, const struct next_hop *hop)
{
	struct header_ethernet *ethernet = packet_at(layer, 0, sizeof(*ethernet));

	if (!ethernet)
		return -1;
	if (hop->flags & HOP_RESOLVE)
		return 0;
	__builtin_memcpy(ethernet->destination, hop->destination, 6);
	__builtin_memcpy(ethernet->source, hop->source, 6);
	return 0;
}

LAYER_INLINE __u32 rewrite_ttl_word(__u8 ttl, __u8 next)
{
	return ttl | (__u32)next << 8; /* as it lies in memory, little end first */
}

/* TTL one less; addresses as in change, if there is one. */
LAYER_INLINE int rewrite_ipv4(struct layer *layer, struct rewrite_change *change)
{
	struct header_ipv4 *ip = packet_at(layer, PARSE_L3, sizeof(*ip));
	__u64 diff;

	if (!ip)
		return -1;
	diff = checksum_diff(rewrite_ttl_word(ip->ttl, 0), rewrite_ttl_word((__u8)(ip->ttl - 1), 0));
	if (change) {
		change->address_diff = checksum_diff(ip->source, change->source) +
				       checksum_diff(ip->destination, change->destination);
		diff += change->address_diff;
		ip->source = change->source;
		ip->destination = change->destination;
	}
	ip->ttl--;
	ip->sum = checksum_changed(ip->sum, diff);
	return 0;
}

LAYER_INLINE int rewrite_ipv6(struct layer *layer)
{
	struct header_ipv6 *ip = packet_at(layer, PARSE_L3, sizeof(*ip));

	if (!ip)
		return -1;
	packet_sum_changed(layer, checksum_fold(checksum_diff((__u32)ip->hop_limit << 8,
							      (__u32)(ip->hop_limit - 1) << 8)));
	ip->hop_limit--;
	return 0;
}

/* The new field of a TCP or UDP checksum. Ports are not summed into a partial one:
 * who completes it reads them from the packet. */
LAYER_INLINE __u16 rewrite_sum(struct layer *layer, __u16 field, const struct rewrite_change *change,
			       __u64 port_diff)
{
	if (packet_partial(layer))
		return checksum_partial_changed(field, change->address_diff);
	return checksum_changed(field, change->address_diff + port_diff);
}

LAYER_INLINE int rewrite_tcp(struct layer *layer, const struct rewrite_change *change)
{
	struct header_tcp *tcp = packet_at(layer, PARSE_L4_IPV4, sizeof(*tcp));
	__u64 diff;

	if (!tcp)
		return -1;
	diff = checksum_diff(tcp->source, change->source_port) +
	       checksum_diff(tcp->destination, change->destination_port);
	tcp->source = change->source_port;
	tcp->destination = change->destination_port;
	tcp->sum = rewrite_sum(layer, tcp->sum, change, diff);
	return 0;
}

LAYER_INLINE int rewrite_udp(struct layer *layer, const struct rewrite_change *change)
{
	struct header_udp *udp = packet_at(layer, PARSE_L4_IPV4, sizeof(*udp));
	__u64 diff;

	if (!udp)
		return -1;
	diff = checksum_diff(udp->source, change->source_port) +
	       checksum_diff(udp->destination, change->destination_port);
	udp->source = change->source_port;
	udp->destination = change->destination_port;
	if (packet_partial(layer)) {
		udp->sum = rewrite_sum(layer, udp->sum, change, diff);
	} else if (udp->sum) { /* 0: sent without one */
		__u16 sum = rewrite_sum(layer, udp->sum, change, diff);

		udp->sum = sum ? sum : 0xffff;
	}
	return 0;
}

/* ICMP sums no addresses; the identifier is its port. */
LAYER_INLINE int rewrite_icmp(struct layer *layer, const struct rewrite_change *change)
{
	struct header_icmp *icmp = packet_at(layer, PARSE_L4_IPV4, sizeof(*icmp));

	if (!icmp)
		return -1;
	icmp->sum = checksum_changed(icmp->sum, checksum_diff(icmp->identifier, change->source_port));
	icmp->identifier = change->source_port;
	return 0;
}

LAYER_INLINE int rewrite_translated(struct layer *layer, const struct descriptor *d,
				    const struct flow *flow)
{
	const struct flow_key *other = &flow->key[!d->direction];
	struct rewrite_change change = {
		.source = other->destination[0],
		.destination = other->source[0],
		.source_port = other->destination_port,
		.destination_port = other->source_port,
	};

	if (rewrite_ipv4(layer, &change))
		return -1;
	switch (d->key.protocol) {
	case PROTOCOL_TCP:
		packet_sum_changed(layer, (__u16)~checksum_fold(change.address_diff));
		return rewrite_tcp(layer, &change);
	case PROTOCOL_UDP:
		packet_sum_changed(layer, (__u16)~checksum_fold(change.address_diff));
		return rewrite_udp(layer, &change);
	case PROTOCOL_ICMP:
		return rewrite_icmp(layer, &change);
	default:
		return 0;
	}
}

/* flow: a null pointer without. Returns 0, or -1 if the packet is not what it
 * was when it was parsed. */
LAYER_INLINE int rewrite(struct layer *layer, const struct descriptor *d, const struct flow *flow)
{
	int result;

	if (d->key.family == 6)
		result = rewrite_ipv6(layer);
	else if (flow && flow->flags & FLOW_NAT)
		result = rewrite_translated(layer, d, flow);
	else
		result = rewrite_ipv4(layer, 0);
	return result ? result : rewrite_link(layer, &d->hop);
}

#endif
