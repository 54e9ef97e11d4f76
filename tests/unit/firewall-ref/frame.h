/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames for the data path's tests, built and checked by plain means: every
 * checksum is summed anew over all its bytes, nothing of datapath/ is used. */
#ifndef TESTS_FIREWALL_REF_FRAME_H
#define TESTS_FIREWALL_REF_FRAME_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { FRAME_MAX = 4096, FRAME_ETHERNET = 14 };

/* The hosts of the stories. */
enum host { CLIENT, CLIENT_2, SERVER, GATEWAY, OUTSIDE, CLIENT_ITSELF, CLIENT_6, SERVER_6, CLIENT_6_ITSELF,
	    NOBODY_6, LOOPBACK_6, HOSTS };

static const char *const host_text[HOSTS] __attribute__((unused)) = {
	[CLIENT] = "198.18.64.1", [CLIENT_2] = "198.18.64.2", [SERVER] = "198.19.64.1",
	[GATEWAY] = "198.18.0.1", [OUTSIDE] = "198.19.0.1",
	[CLIENT_6] = "2001:2:0:40::1", [SERVER_6] = "2001:2:0:80::1",
	/* A step ends where from == to: those who send to themselves have two names. */
	[CLIENT_ITSELF] = "198.18.64.1", [CLIENT_6_ITSELF] = "2001:2:0:40::1",
	[NOBODY_6] = "::", [LOOPBACK_6] = "::1",
};

/* What is wrong with the frame, if anything. */
enum bend {
	BEND_NONE,
	BEND_VERSION, BEND_SHORT_HEADER, BEND_OPTIONS, BEND_HEADER_SUM, BEND_LENGTH, BEND_FRAGMENT,
	BEND_LAST_FRAGMENT, BEND_SOURCE, BEND_TCP_OFFSET, BEND_UDP_LENGTH, BEND_EXTENSION,
	BEND_FRAGMENT_6, BEND_ARP, BEND_VLAN, BEND_MULTICAST, BEND_TRUNCATED, BEND_ICMP_OTHER,
	BEND_UDP_NO_SUM,
};

struct packet {
	bool outside;             /* comes in on the outside interface */
	enum host from, to;
	uint8_t protocol;         /* 6, 17, 1 (58 on IPv6), others */
	uint16_t from_port, to_port; /* ICMP echo: from_port is the identifier */
	uint8_t flags;            /* TCP; ICMP: 1 is a reply */
	uint32_t sequence, acknowledgement;
	uint16_t window;          /* 0: 65535 */
	uint8_t scale;            /* offered on a SYN: scale + 1 */
	uint16_t payload;
	uint8_t ttl;              /* 0: 64 */
	uint16_t gso;
	enum bend bend;
};

struct frame {
	uint32_t bytes;
	_Alignas(8) uint8_t room[2];   /* so that the IP header is aligned to 4 */
	uint8_t at[FRAME_MAX];
};

static inline uint32_t frame_sum(const uint8_t *bytes, size_t count, uint32_t sum)
{
	for (size_t i = 0; i + 1 < count; i += 2)
		sum += (uint32_t)(bytes[i] << 8 | bytes[i + 1]);
	if (count & 1)
		sum += (uint32_t)bytes[count - 1] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static inline bool frame_is_6(const struct frame *f)
{
	return f->at[12] == 0x86;
}

static inline uint8_t *frame_transport(struct frame *f)
{
	return f->at + FRAME_ETHERNET + (frame_is_6(f) ? 40 : 20);
}

static inline uint32_t frame_transport_bytes(const struct frame *f)
{
	const uint8_t *ip = f->at + FRAME_ETHERNET;

	return frame_is_6(f) ? (uint32_t)(ip[4] << 8 | ip[5]) : (uint32_t)(ip[2] << 8 | ip[3]) - 20;
}

/* The pseudo-header's sum, folded; 0 for ICMP of IPv4, which has none. */
static inline uint32_t frame_pseudo(struct frame *f)
{
	const uint8_t *ip = f->at + FRAME_ETHERNET;
	uint32_t count = frame_transport_bytes(f);

	if (frame_is_6(f))
		return frame_sum(ip + 8, 32, ip[6] + count);
	return ip[9] == 1 ? 0 : frame_sum(ip + 12, 8, ip[9] + count);
}

/* 0xffff if the transport checksum is right. */
static inline uint32_t frame_transport_sum(struct frame *f)
{
	return frame_sum(frame_transport(f), frame_transport_bytes(f), frame_pseudo(f));
}

/* Where the checksum of this protocol stands in its header. */
static inline uint8_t *frame_sum_field(struct frame *f, uint8_t protocol)
{
	return frame_transport(f) + (protocol == 6 ? 16 : protocol == 17 ? 6 : 2);
}

static inline void frame_put(uint8_t *at, uint32_t value, int bytes)
{
	while (bytes--) {
		at[bytes] = (uint8_t)value;
		value >>= 8;
	}
}

static inline uint32_t frame_header(uint8_t *t, const struct packet *p, bool six)
{
	uint32_t options = p->protocol == 6 && p->scale ? 4 : 0;

	if (p->protocol == 6) {
		frame_put(t, p->from_port, 2);
		frame_put(t + 2, p->to_port, 2);
		frame_put(t + 4, p->sequence, 4);
		frame_put(t + 8, p->acknowledgement, 4);
		t[12] = (uint8_t)((20 + options) / 4 << 4);
		t[13] = p->flags;
		frame_put(t + 14, p->window ? p->window : 65535, 2);
		if (options)
			memcpy(t + 20, (uint8_t[]){ 3, 3, (uint8_t)(p->scale - 1), 1 }, 4);
		return 20 + options;
	}
	if (p->protocol == 17) {
		frame_put(t, p->from_port, 2);
		frame_put(t + 2, p->to_port, 2);
		frame_put(t + 4, 8u + p->payload, 2);
		return 8;
	}
	if (p->protocol == 1 || p->protocol == 58) {
		t[0] = six ? (p->flags ? 129 : 128) : (p->flags ? 0 : 8);
		frame_put(t + 4, p->from_port, 2);
		return 8;
	}
	return 0;
}

static inline void frame_bend_early(struct frame *f, const struct packet *p)
{
	uint8_t *ip = f->at + FRAME_ETHERNET, *t = frame_transport(f);

	switch (p->bend) {
	case BEND_VERSION: ip[0] ^= 0x10; break;
	case BEND_SHORT_HEADER: ip[0] = 0x44; break;
	case BEND_OPTIONS: ip[0] = 0x46; break;
	case BEND_FRAGMENT: ip[6] |= 0x20; break;
	case BEND_LAST_FRAGMENT: ip[7] = 100; break;
	case BEND_SOURCE: ip[12] = 127; break;
	case BEND_MULTICAST: ip[16] = 224; break;
	case BEND_LENGTH: frame_put(ip + 2, 19, 2); break;
	case BEND_TCP_OFFSET: t[12] = 0x40; break;
	case BEND_UDP_LENGTH: frame_put(t + 4, 9000, 2); break;
	case BEND_EXTENSION: ip[6] = 60; break;
	case BEND_FRAGMENT_6: ip[6] = 44; break;
	case BEND_ICMP_OTHER: t[0] = 3; break;
	default: break;
	}
}

static inline void frame_bend_late(struct frame *f, const struct packet *p)
{
	switch (p->bend) {
	case BEND_HEADER_SUM: f->at[FRAME_ETHERNET + 10] ^= 1; break;
	case BEND_ARP: f->at[13] = 6; break;
	case BEND_VLAN: f->at[12] = 0x81; f->at[13] = 0; break;
	case BEND_TRUNCATED: f->bytes -= 1; break;
	case BEND_UDP_NO_SUM: frame_put(frame_sum_field(f, 17), 0, 2); break;
	default: break;
	}
}

/* Fills *f with the packet; checksums are right unless it is bent otherwise. */
static inline void frame_build(struct frame *f, const struct packet *p)
{
	bool six = p->from >= CLIENT_6;
	uint8_t *ip = f->at + FRAME_ETHERNET, *t;
	uint32_t length;

	memset(f, 0, sizeof(*f));
	memcpy(f->at, "\x02\0\0\0\0\1\x02\0\0\0\0\2", 12);
	frame_put(f->at + 12, six ? 0x86dd : 0x0800, 2);
	t = frame_transport(f);
	length = frame_header(t, p, six);
	for (uint32_t i = 0; i < p->payload; i++)
		t[length + i] = (uint8_t)(i * 7 + 1);
	length += p->payload;
	if (six) {
		ip[0] = 0x60;
		frame_put(ip + 4, length, 2);
		ip[6] = p->protocol;
		ip[7] = p->ttl ? p->ttl : 64;
		inet_pton(AF_INET6, host_text[p->from], ip + 8);
		inet_pton(AF_INET6, host_text[p->to], ip + 24);
	} else {
		ip[0] = 0x45;
		frame_put(ip + 2, length + 20, 2);
		ip[6] = 0x40;
		ip[8] = p->ttl ? p->ttl : 64;
		ip[9] = p->protocol;
		inet_pton(AF_INET, host_text[p->from], ip + 12);
		inet_pton(AF_INET, host_text[p->to], ip + 16);
	}
	f->bytes = FRAME_ETHERNET + (six ? 40 : 20) + length;
	if (p->protocol == 6 || p->protocol == 17 || p->protocol == 1 || p->protocol == 58)
		frame_put(frame_sum_field(f, p->protocol), ~frame_transport_sum(f) & 0xffff, 2);
	frame_bend_early(f, p);
	if (!six)
		frame_put(ip + 10, ~frame_sum(ip, 20, 0) & 0xffff, 2);
	frame_bend_late(f, p);
}

#endif
