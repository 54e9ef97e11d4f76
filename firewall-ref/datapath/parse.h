/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* Frame -> descriptor. What cannot be read to the end fails closed: IPv4
 * options, IPv6 extension headers and fragments are dropped and counted, so the
 * transport header stands at one of two constant offsets. */
#ifndef DATAPATH_PARSE_H
#define DATAPATH_PARSE_H

#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>

#include "firewall-ref/datapath/checksum.h"
#include "firewall-ref/datapath/layer.h"

#define PARSE_L3 14u
#define PARSE_L4_IPV4 34u
#define PARSE_L4_IPV6 54u
#define PARSE_HEADS 74u /* bytes the stages look at: IPv6 and TCP without options */

#define PARSE_BE16(x) ((__u16)__builtin_bswap16((__u16)(x)))
#define PARSE_BE32(x) ((__u32)__builtin_bswap32((__u32)(x)))

enum parse_icmp {
	PARSE_ICMP_REPLY = 0,
	PARSE_ICMP_REQUEST = 8,
	PARSE_ICMP6_REQUEST = 128,
	PARSE_ICMP6_REPLY = 129,
};

LAYER_INLINE enum verdict parse_drop(struct descriptor *d, enum drop_reason reason)
{
	d->reason = reason;
	return VERDICT_DROP;
}

LAYER_INLINE __u16 parse_header_sum(const struct iphdr *ip)
{
	const layer_u32 *word = (const void *)ip;

	return checksum_fold((__u64)word[0] + word[1] + word[2] + word[3] + word[4]);
}

/* Sources that no packet on the wire may have: multicast, loopback, "this". */
LAYER_INLINE int parse_bad_source(__be32 source)
{
	__u32 first = PARSE_BE32(source) >> 24;

	return first >= 224 || first == 127 || first == 0;
}

LAYER_INLINE enum verdict parse_ipv4(struct layer *layer, struct descriptor *d)
{
	const struct iphdr *ip = packet_at(layer, PARSE_L3, sizeof(*ip));
	__u32 length;

	if (!ip)
		return parse_drop(d, DROP_TRUNCATED);
	length = PARSE_BE16(ip->tot_len);
	if (ip->version != 4 || ip->ihl < 5 || length < sizeof(*ip))
		return parse_drop(d, DROP_MALFORMED);
	if (length > packet_bytes(layer) - PARSE_L3)
		return parse_drop(d, DROP_TRUNCATED);
	d->wire_bytes = length;
	if (PARSE_BE32(ip->daddr) >> 28 == 14 || ip->daddr == 0xffffffff)
		return VERDICT_STACK;
	if (ip->ihl != 5)
		return parse_drop(d, DROP_IP_OPTIONS);
	if (parse_header_sum(ip) != 0xffff || parse_bad_source(ip->saddr))
		return parse_drop(d, DROP_MALFORMED);
	if (ip->frag_off & PARSE_BE16(0x3fff))
		return parse_drop(d, DROP_FRAGMENT);
	d->key.family = 4;
	d->key.protocol = ip->protocol;
	d->key.source[0] = ip->saddr;
	d->key.destination[0] = ip->daddr;
	d->ttl = ip->ttl;
	return VERDICT_FORWARD;
}

LAYER_INLINE enum verdict parse_ipv6_next(struct descriptor *d, __u8 next)
{
	switch (next) {
	case IPPROTO_FRAGMENT:
		return parse_drop(d, DROP_FRAGMENT);
	case IPPROTO_HOPOPTS: case IPPROTO_ROUTING: case IPPROTO_DSTOPTS:
	case IPPROTO_MH: case 139: case 140: /* HIP, Shim6 */
		return parse_drop(d, DROP_EXTENSION);
	default:
		return VERDICT_FORWARD;
	}
}

LAYER_INLINE enum verdict parse_ipv6(struct layer *layer, struct descriptor *d)
{
	const struct ipv6hdr *ip = packet_at(layer, PARSE_L3, sizeof(*ip));
	const __be32 *source, *destination;
	__u32 length;

	if (!ip)
		return parse_drop(d, DROP_TRUNCATED);
	if (ip->version != 6)
		return parse_drop(d, DROP_MALFORMED);
	length = PARSE_BE16(ip->payload_len) + (__u32)sizeof(*ip);
	if (length > packet_bytes(layer) - PARSE_L3)
		return parse_drop(d, DROP_TRUNCATED);
	d->wire_bytes = length;
	source = ip->saddr.s6_addr32;
	destination = ip->daddr.s6_addr32;
	if (PARSE_BE32(source[0]) >> 24 == 0xff)
		return parse_drop(d, DROP_MALFORMED);
	/* Multicast and link-local are never forwarded: ND, MLD, RA. */
	if (PARSE_BE32(destination[0]) >> 24 == 0xff || PARSE_BE32(source[0]) >> 22 == 0x3fa ||
	    PARSE_BE32(destination[0]) >> 22 == 0x3fa)
		return VERDICT_STACK;
	d->key.family = 6;
	d->key.protocol = ip->nexthdr;
	for (int i = 0; i < 4; i++) {
		d->key.source[i] = source[i];
		d->key.destination[i] = destination[i];
	}
	d->ttl = ip->hop_limit;
	return parse_ipv6_next(d, ip->nexthdr);
}

/* length bytes of the transport header: the offset is a constant in each arm. */
LAYER_INLINE void *parse_transport_at(struct layer *layer, const struct descriptor *d, __u32 length)
{
	return d->key.family == 4 ? packet_at(layer, PARSE_L4_IPV4, length)
				  : packet_at(layer, PARSE_L4_IPV6, length);
}

/* bytes: of the IP packet behind the IP header. Returns the transport header's
 * length, 0 if it does not fit. */
LAYER_INLINE __u32 parse_tcp(struct layer *layer, struct descriptor *d, __u32 bytes)
{
	const struct tcphdr *tcp = parse_transport_at(layer, d, sizeof(*tcp));
	__u32 header;

	if (!tcp || bytes < sizeof(*tcp))
		return 0;
	header = tcp->doff * 4u;
	if (header < sizeof(*tcp) || header > bytes)
		return 0;
	d->key.source_port = tcp->source;
	d->key.destination_port = tcp->dest;
	d->sequence = PARSE_BE32(tcp->seq);
	d->acknowledgement = PARSE_BE32(tcp->ack_seq);
	d->window = PARSE_BE16(tcp->window);
	d->tcp_flags = ((const __u8 *)tcp)[13];
	d->tcp_header_bytes = (__u8)header;
	d->payload_bytes = bytes - header;
	return header;
}

LAYER_INLINE __u32 parse_udp(struct layer *layer, struct descriptor *d, __u32 bytes)
{
	const struct udphdr *udp = parse_transport_at(layer, d, sizeof(*udp));
	__u32 length;

	if (!udp || bytes < sizeof(*udp))
		return 0;
	length = PARSE_BE16(udp->len);
	if (length < sizeof(*udp) || length > bytes)
		return 0;
	d->key.source_port = udp->source;
	d->key.destination_port = udp->dest;
	return sizeof(*udp);
}

LAYER_INLINE __u32 parse_icmp(struct layer *layer, struct descriptor *d, __u32 bytes)
{
	const __u8 *icmp = parse_transport_at(layer, d, 8);
	int v4 = d->key.family == 4;

	if (!icmp || bytes < 8)
		return 0;
	if (icmp[0] == (v4 ? PARSE_ICMP_REQUEST : PARSE_ICMP6_REQUEST))
		d->icmp = ICMP_KIND_REQUEST;
	else if (icmp[0] == (v4 ? PARSE_ICMP_REPLY : PARSE_ICMP6_REPLY))
		d->icmp = ICMP_KIND_REPLY;
	else
		d->icmp = ICMP_KIND_OTHER;
	if (d->icmp != ICMP_KIND_OTHER) {
		d->key.source_port = *(const __be16 *)(const void *)(icmp + 4);
		d->key.destination_port = d->key.source_port;
	}
	return 8;
}

/* A super-packet stands for the segments it will become. */
LAYER_INLINE void parse_segments(struct layer *layer, struct descriptor *d, __u32 headers)
{
	__u32 gso = packet_gso_bytes(layer);
	__u32 payload = d->wire_bytes - headers;

	d->packets = 1;
	d->segment_bytes = d->wire_bytes;
	if (!gso || payload <= gso)
		return;
	d->packets = (payload + gso - 1) / gso;
	d->segment_bytes = headers + gso;
	d->wire_bytes += (d->packets - 1) * headers;
}

/* Ethernet and IP. Returns VERDICT_FORWARD to go on. */
LAYER_INLINE enum verdict parse_network(struct layer *layer, struct descriptor *d)
{
	const struct ethhdr *ethernet = packet_at(layer, 0, sizeof(*ethernet));

	d->packets = 1;
	if (!ethernet)
		return parse_drop(d, DROP_TRUNCATED);
	if (packet_tagged(layer))
		return parse_drop(d, DROP_VLAN);
	switch (ethernet->h_proto) {
	case PARSE_BE16(ETH_P_IP):
		return parse_ipv4(layer, d);
	case PARSE_BE16(ETH_P_IPV6):
		return parse_ipv6(layer, d);
	case PARSE_BE16(ETH_P_8021Q):
	case PARSE_BE16(ETH_P_8021AD):
		return parse_drop(d, DROP_VLAN);
	default:
		return VERDICT_STACK;
	}
}

/* The transport header, after parse_network. */
LAYER_INLINE enum verdict parse_transport(struct layer *layer, struct descriptor *d)
{
	__u32 header = d->key.family == 4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	__u32 bytes = d->wire_bytes - header, transport;

	switch (d->key.protocol) {
	case IPPROTO_TCP:
		transport = parse_tcp(layer, d, bytes);
		break;
	case IPPROTO_UDP:
		transport = parse_udp(layer, d, bytes);
		break;
	case IPPROTO_ICMP:
	case IPPROTO_ICMPV6:
		if ((d->key.protocol == IPPROTO_ICMP) != (d->key.family == 4))
			return parse_drop(d, DROP_MALFORMED);
		transport = parse_icmp(layer, d, bytes);
		break;
	default:
		parse_segments(layer, d, header);
		return VERDICT_FORWARD;
	}
	if (!transport)
		return parse_drop(d, DROP_MALFORMED);
	parse_segments(layer, d, header + transport);
	return VERDICT_FORWARD;
}

#endif
