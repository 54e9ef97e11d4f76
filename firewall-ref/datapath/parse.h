/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* Frame -> descriptor. What cannot be read to the end fails closed: IPv4
 * options, IPv6 extension headers and fragments are dropped and counted, so the
 * transport header stands at one of two constant offsets. */
#ifndef DATAPATH_PARSE_H
#define DATAPATH_PARSE_H

#include "firewall-ref/datapath/checksum.h"
#include "firewall-ref/datapath/header.h"
#include "firewall-ref/datapath/layer.h"

#define PARSE_L3 14u
#define PARSE_L4_IPV4 34u
#define PARSE_L4_IPV6 54u
/* Bytes that the stages look at: up to the end of TCP without its options. */
#define PARSE_HEADS_IPV4 54u
#define PARSE_HEADS_IPV6 74u

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

LAYER_INLINE __u16 parse_header_sum(const struct header_ipv4 *ip)
{
	const layer_u32 *word = (const void *)ip;

	return checksum_fold((__u64)word[0] + word[1] + word[2] + word[3] + word[4]);
}

/* Sources that no packet on the wire may have: multicast, loopback, "this". */
LAYER_INLINE int parse_bad_source(__be32 source)
{
	__u32 first = HEADER_BE32(source) >> 24;

	return first >= 224 || first == 127 || first == 0;
}

LAYER_INLINE enum verdict parse_ipv4(struct layer *layer, struct descriptor *d)
{
	const struct header_ipv4 *ip = packet_at(layer, PARSE_L3, sizeof(*ip));
	__u32 length;

	if (!ip)
		return parse_drop(d, DROP_TRUNCATED);
	length = HEADER_BE16(ip->length);
	if (ip->version_words >> 4 != 4 || (ip->version_words & 15) < 5 || length < sizeof(*ip))
		return parse_drop(d, DROP_MALFORMED);
	if (length > packet_bytes(layer) - PARSE_L3)
		return parse_drop(d, DROP_TRUNCATED);
	d->wire_bytes = length;
	if (HEADER_BE32(ip->destination) >> 28 == 14 || ip->destination == 0xffffffff)
		return VERDICT_STACK;
	if (ip->version_words != 0x45)
		return parse_drop(d, DROP_IP_OPTIONS);
	if (parse_header_sum(ip) != 0xffff || parse_bad_source(ip->source))
		return parse_drop(d, DROP_MALFORMED);
	if (ip->fragment & HEADER_BE16(0x3fff))
		return parse_drop(d, DROP_FRAGMENT);
	d->key.family = 4;
	d->key.protocol = ip->protocol;
	d->key.source[0] = ip->source;
	d->key.destination[0] = ip->destination;
	d->ttl = ip->ttl;
	return VERDICT_FORWARD;
}

LAYER_INLINE enum verdict parse_ipv6_next(struct descriptor *d, __u8 next)
{
	switch (next) {
	case PROTOCOL_FRAGMENT:
		return parse_drop(d, DROP_FRAGMENT);
	case PROTOCOL_HOP_BY_HOP: case PROTOCOL_ROUTING: case PROTOCOL_DESTINATION:
	case PROTOCOL_MOBILITY: case PROTOCOL_HIP: case PROTOCOL_SHIM6:
		return parse_drop(d, DROP_EXTENSION);
	default:
		return VERDICT_FORWARD;
	}
}

LAYER_INLINE enum verdict parse_ipv6(struct layer *layer, struct descriptor *d)
{
	const struct header_ipv6 *ip = packet_at(layer, PARSE_L3, sizeof(*ip));
	const __be32 *source, *destination;
	__u32 length;

	if (!ip)
		return parse_drop(d, DROP_TRUNCATED);
	if (HEADER_BE32(ip->version_class_label) >> 28 != 6)
		return parse_drop(d, DROP_MALFORMED);
	length = HEADER_BE16(ip->payload_length) + (__u32)sizeof(*ip);
	if (length > packet_bytes(layer) - PARSE_L3)
		return parse_drop(d, DROP_TRUNCATED);
	d->wire_bytes = length;
	source = ip->source;
	destination = ip->destination;
	if (HEADER_BE32(source[0]) >> 24 == 0xff)
		return parse_drop(d, DROP_MALFORMED);
	/* Multicast and link-local are never forwarded: ND, MLD, RA. */
	if (HEADER_BE32(destination[0]) >> 24 == 0xff || HEADER_BE32(source[0]) >> 22 == 0x3fa ||
	    HEADER_BE32(destination[0]) >> 22 == 0x3fa)
		return VERDICT_STACK;
	d->key.family = 6;
	d->key.protocol = ip->next;
	for (int i = 0; i < 4; i++) {
		d->key.source[i] = source[i];
		d->key.destination[i] = destination[i];
	}
	d->ttl = ip->hop_limit;
	return parse_ipv6_next(d, ip->next);
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
	const struct header_tcp *tcp = parse_transport_at(layer, d, sizeof(*tcp));
	__u32 header;

	if (!tcp || bytes < sizeof(*tcp))
		return 0;
	header = (tcp->offset >> 4) * 4u;
	if (header < sizeof(*tcp) || header > bytes)
		return 0;
	d->key.source_port = tcp->source;
	d->key.destination_port = tcp->destination;
	d->sequence = HEADER_BE32(tcp->sequence);
	d->acknowledgement = HEADER_BE32(tcp->acknowledgement);
	d->window = HEADER_BE16(tcp->window);
	d->tcp_flags = tcp->flags;
	d->tcp_header_bytes = (__u8)header;
	d->payload_bytes = bytes - header;
	return header;
}

LAYER_INLINE __u32 parse_udp(struct layer *layer, struct descriptor *d, __u32 bytes)
{
	const struct header_udp *udp = parse_transport_at(layer, d, sizeof(*udp));
	__u32 length;

	if (!udp || bytes < sizeof(*udp))
		return 0;
	length = HEADER_BE16(udp->length);
	if (length < sizeof(*udp) || length > bytes)
		return 0;
	d->key.source_port = udp->source;
	d->key.destination_port = udp->destination;
	return sizeof(*udp);
}

LAYER_INLINE __u32 parse_icmp(struct layer *layer, struct descriptor *d, __u32 bytes)
{
	const struct header_icmp *icmp = parse_transport_at(layer, d, sizeof(*icmp));
	int v4 = d->key.family == 4;

	if (!icmp || bytes < sizeof(*icmp))
		return 0;
	if (icmp->type == (v4 ? PARSE_ICMP_REQUEST : PARSE_ICMP6_REQUEST))
		d->icmp = ICMP_KIND_REQUEST;
	else if (icmp->type == (v4 ? PARSE_ICMP_REPLY : PARSE_ICMP6_REPLY))
		d->icmp = ICMP_KIND_REPLY;
	else
		d->icmp = ICMP_KIND_OTHER;
	if (d->icmp != ICMP_KIND_OTHER) {
		d->key.source_port = icmp->identifier;
		d->key.destination_port = d->key.source_port;
	}
	return sizeof(*icmp);
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
	const struct header_ethernet *ethernet = packet_at(layer, 0, sizeof(*ethernet));

	d->packets = 1;
	if (!ethernet)
		return parse_drop(d, DROP_TRUNCATED);
	if (packet_tagged(layer))
		return parse_drop(d, DROP_VLAN);
	switch (ethernet->type) {
	case HEADER_BE16(HEADER_IPV4):
		return parse_ipv4(layer, d);
	case HEADER_BE16(HEADER_IPV6):
		return parse_ipv6(layer, d);
	case HEADER_BE16(HEADER_VLAN):
	case HEADER_BE16(HEADER_QINQ):
		return parse_drop(d, DROP_VLAN);
	default:
		return VERDICT_STACK;
	}
}

/* The transport header, after parse_network. */
LAYER_INLINE enum verdict parse_transport(struct layer *layer, struct descriptor *d)
{
	__u32 header = d->key.family == 4 ? sizeof(struct header_ipv4) : sizeof(struct header_ipv6);
	__u32 bytes = d->wire_bytes - header, transport;

	switch (d->key.protocol) {
	case PROTOCOL_TCP:
		transport = parse_tcp(layer, d, bytes);
		break;
	case PROTOCOL_UDP:
		transport = parse_udp(layer, d, bytes);
		break;
	case PROTOCOL_ICMP:
	case PROTOCOL_ICMP6:
		if ((d->key.protocol == PROTOCOL_ICMP) != (d->key.family == 4))
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
