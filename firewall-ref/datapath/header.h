/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* The headers of a frame as they lie on the wire. Of our own, because the
 * kernel's and the C library's cannot both be included. */
#ifndef DATAPATH_HEADER_H
#define DATAPATH_HEADER_H

#include <linux/types.h>

#define HEADER_BE16(x) ((__u16)__builtin_bswap16((__u16)(x)))
#define HEADER_BE32(x) ((__u32)__builtin_bswap32((__u32)(x)))

enum header_type { HEADER_IPV4 = 0x0800, HEADER_IPV6 = 0x86dd, HEADER_VLAN = 0x8100, HEADER_QINQ = 0x88a8 };

enum header_protocol {
	PROTOCOL_HOP_BY_HOP = 0,
	PROTOCOL_ICMP = 1,
	PROTOCOL_TCP = 6,
	PROTOCOL_UDP = 17,
	PROTOCOL_ROUTING = 43,
	PROTOCOL_FRAGMENT = 44,
	PROTOCOL_ICMP6 = 58,
	PROTOCOL_DESTINATION = 60,
	PROTOCOL_MOBILITY = 135,
	PROTOCOL_HIP = 139,
	PROTOCOL_SHIM6 = 140,
};

struct header_ethernet {
	__u8 destination[6], source[6];
	__be16 type;
};

struct header_ipv4 {
	__u8 version_words, tos;
	__be16 length, identification, fragment;
	__u8 ttl, protocol;
	__u16 sum;
	__be32 source, destination;
};

struct header_ipv6 {
	__be32 version_class_label;
	__be16 payload_length;
	__u8 next, hop_limit;
	__be32 source[4], destination[4];
};

struct header_tcp {
	__be16 source, destination;
	__be32 sequence, acknowledgement;
	__u8 offset, flags;
	__be16 window;
	__u16 sum;
	__be16 urgent;
};

struct header_udp {
	__be16 source, destination, length;
	__u16 sum;
};

struct header_icmp {
	__u8 type, code;
	__u16 sum;
	__be16 identifier, sequence;
};

_Static_assert(sizeof(struct header_ethernet) == 14 && sizeof(struct header_ipv4) == 20 &&
	       sizeof(struct header_ipv6) == 40 && sizeof(struct header_tcp) == 20 &&
	       sizeof(struct header_udp) == 8 && sizeof(struct header_icmp) == 8, "no padding");

#endif
