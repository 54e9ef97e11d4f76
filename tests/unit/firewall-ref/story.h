/* SPDX-License-Identifier: BSD-2-Clause */
/* Stories: sequences of packets and what must become of each. stories_test.c tells
 * every one of them to both builds of the data path. */
#ifndef TESTS_FIREWALL_REF_STORY_H
#define TESTS_FIREWALL_REF_STORY_H

#include "firewall-ref/datapath/verdict.h"
#include "tests/unit/firewall-ref/frame.h"

enum { STACK = -1, FORWARD = 0 }; /* or a drop reason */

struct step {
	struct packet packet;
	int expect;
	/* If it is forwarded: what it must bear, where that differs. 0: as it came. */
	enum host leaves_from, leaves_to;
	bool translated;          /* the two above are meant */
	uint16_t leaves_from_port, leaves_to_port;
	bool any_port;            /* a port of the firewall's choice: not compared */
	const char *reload;       /* publish this policy before the packet */
};

struct story {
	const char *name, *policy;
	struct step step[26];     /* ends where from == to */
};

#define FIN 1
#define SYN 2
#define RST 4
#define PSH 8
#define ACK 16
/* Client and server of one connection; sequence numbers of both begin at 1000 and
 * 5000. C: from the client, S: from the server. */
#define C(f, s, a, n) { .from = CLIENT, .to = SERVER, .protocol = 6, .from_port = 4000, .to_port = 80, \
			.flags = f, .sequence = s, .acknowledgement = a, .payload = n }
#define S(f, s, a, n) { .outside = true, .from = SERVER, .to = CLIENT, .protocol = 6, .from_port = 80, \
			.to_port = 4000, .flags = f, .sequence = s, .acknowledgement = a, .payload = n }
#define N(f, s, a, n) { .outside = true, .from = SERVER, .to = OUTSIDE, .protocol = 6, .from_port = 80, \
			.to_port = 4000, .flags = f, .sequence = s, .acknowledgement = a, .payload = n }
#define OPEN { C(SYN, 1000, 0, 0), FORWARD }, { S(SYN | ACK, 5000, 1001, 0), FORWARD }, \
	     { C(ACK, 1001, 5001, 0), FORWARD }
#define ANY(p, f, t, fp, tp, n) { .from = f, .to = t, .protocol = p, .from_port = fp, .to_port = tp, .payload = n }
#define BACK(p, f, t, fp, tp, n) { .outside = true, .from = f, .to = t, .protocol = p, .from_port = fp, \
				   .to_port = tp, .payload = n }
#define BENT(b) { .from = CLIENT, .to = SERVER, .protocol = 17, .from_port = 9, .to_port = 9, .payload = 20, .bend = b }
#define BENT_TCP(b) { .from = CLIENT, .to = SERVER, .protocol = 6, .from_port = 9, .to_port = 9, .flags = SYN, .bend = b }
#define BENT_6(b) { .from = CLIENT_6, .to = SERVER_6, .protocol = 17, .from_port = 9, .to_port = 9, .payload = 20, .bend = b }

#define INSPECT "inspect tcp on\n"
#define STATELESS "inspect tcp off\n"
#define NAT "nat 198.18.64.0/18 to interface\n"
#define ALL "permit ip between any and any\n"

/* A step says what matters; the rest is zero. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

static const struct story stories[] = {
	{ "tcp_open_data_close", INSPECT "permit tcp from 198.18.64.0/18 to any port 80\n", {
		OPEN,
		{ C(ACK | PSH, 1001, 5001, 1400), FORWARD },
		{ S(ACK, 5001, 2401, 1400), FORWARD },
		{ C(FIN | ACK, 2401, 6401, 0), FORWARD },
		{ S(ACK, 6401, 2402, 700), FORWARD },
		{ S(FIN | ACK, 7101, 2402, 0), FORWARD },
		{ C(ACK, 2402, 7102, 0), FORWARD },
		/* Case 22: the same ports again, at once. */
		{ C(SYN, 900000, 0, 0), FORWARD },
		{ S(SYN | ACK, 800000, 900001, 0), FORWARD },
		{ C(ACK, 900001, 800001, 10), FORWARD },
	} },
	{ "tcp_never_begins_late", INSPECT ALL, {
		{ C(ACK, 1001, 5001, 100), DROP_TCP_STATE },
		{ C(SYN | ACK, 1001, 5001, 0), DROP_TCP_STATE },
		{ C(FIN | ACK, 1001, 5001, 0), DROP_TCP_STATE },
		{ C(RST, 1001, 0, 0), DROP_TCP_STATE },
		{ C(SYN | FIN, 1001, 0, 0), DROP_TCP_FLAGS },
		{ C(0, 1001, 0, 0), DROP_TCP_FLAGS },
		{ C(FIN | PSH | 32, 1001, 0, 0), DROP_TCP_FLAGS },
	} },
	{ "tcp_out_of_window", INSPECT ALL, {
		OPEN,
		{ C(ACK, 101001, 5001, 100), DROP_TCP_WINDOW },  /* case 75: beyond the edge */
		{ C(ACK, 1001, 5001, 100), FORWARD },            /* and the session survives */
		{ C(ACK, 1101, 9000, 100), DROP_TCP_WINDOW },    /* acknowledges what was never sent */
		{ C(ACK, 1001 - 70000u, 5001, 10), DROP_TCP_WINDOW }, /* older than any window */
		{ C(ACK, 1101, 5001 - 70000u, 10), DROP_TCP_WINDOW },
		{ S(ACK, 5001, 1101, 1400), FORWARD },
		{ S(ACK, 5001, 1101, 1400), FORWARD },           /* sent again */
		{ C(ACK, 1100, 6401, 0), FORWARD },              /* keep-alive */
	} },
	{ "tcp_reset", INSPECT ALL, {
		OPEN,
		{ S(RST, 4000, 0, 0), DROP_TCP_RST },            /* before what is acknowledged */
		{ S(RST, 5001 + 100000, 0, 0), DROP_TCP_RST },   /* beyond the window */
		{ S(RST, 5001 + 100, 0, 0), FORWARD },           /* within, but not the next: */
		{ C(ACK, 1001, 5001, 0), FORWARD },              /* challenge ACK, it lives */
		{ C(ACK, 1001, 5001, 50), FORWARD },
		{ S(RST, 5001, 0, 0), FORWARD },                 /* the next: closed */
		{ S(SYN | ACK, 5001, 1051, 0), DROP_TCP_STATE },
		{ C(SYN, 70000, 0, 0), FORWARD },                /* and opened anew */
		{ S(RST | ACK, 0, 70001, 0), FORWARD },          /* refused */
	} },
	{ "tcp_reset_of_an_opening", INSPECT ALL, {
		{ C(SYN, 1000, 0, 0), FORWARD },
		{ S(RST, 0, 0, 0), DROP_TCP_RST },               /* answers no SYN */
		{ S(RST | ACK, 0, 3000, 0), DROP_TCP_RST },
		{ S(SYN | ACK, 5000, 3000, 0), DROP_TCP_STATE },
		{ S(ACK, 7777, 3333, 0), FORWARD },              /* an older connection's challenge */
		{ C(RST, 3333, 0, 0), FORWARD },                 /* ended by the client */
		{ C(SYN, 1000, 0, 0), FORWARD },
		{ S(SYN | ACK, 5000, 1001, 0), FORWARD },
	} },
	{ "tcp_restart_inside_a_connection", INSPECT ALL, {
		OPEN,
		{ C(SYN, 5555000, 0, 0), FORWARD },              /* the client has lost it */
		{ S(SYN | ACK, 99000, 5555001, 0), FORWARD },    /* and so has the server */
		{ C(ACK, 5555001, 99001, 100), FORWARD },
		{ C(ACK, 1001, 5001, 100), DROP_TCP_WINDOW },
	} },
	{ "tcp_window_scale", INSPECT ALL, {
		{ { .from = CLIENT, .to = SERVER, .protocol = 6, .from_port = 4000, .to_port = 80,
		    .flags = SYN, .sequence = 1000, .scale = 8 }, FORWARD },
		{ { .outside = true, .from = SERVER, .to = CLIENT, .protocol = 6, .from_port = 80,
		    .to_port = 4000, .flags = SYN | ACK, .sequence = 5000, .acknowledgement = 1001,
		    .scale = 8 }, FORWARD },
		{ C(ACK, 1001, 5001, 0), FORWARD },              /* window 65535 << 7 */
		{ S(ACK, 5001 + 8000000, 1001, 100), FORWARD },
		{ S(ACK, 5001 + 9000000, 1001, 100), DROP_TCP_WINDOW },
	} },
	{ "tcp_window_scale_of_one_side", INSPECT ALL, {
		{ { .from = CLIENT, .to = SERVER, .protocol = 6, .from_port = 4000, .to_port = 80,
		    .flags = SYN, .sequence = 1000, .scale = 8 }, FORWARD },
		{ S(SYN | ACK, 5000, 1001, 0), FORWARD },
		{ C(ACK, 1001, 5001, 0), FORWARD },
		{ S(ACK, 5001 + 8000000, 1001, 100), DROP_TCP_WINDOW },
		{ S(ACK, 5001 + 60000, 1001, 100), FORWARD },
	} },
	{ "tcp_simultaneous_open", INSPECT ALL, {
		{ C(SYN, 1000, 0, 0), FORWARD },
		{ S(SYN, 5000, 0, 0), FORWARD },
		{ C(SYN | ACK, 1000, 5001, 0), FORWARD },
		{ S(SYN | ACK, 5000, 1001, 0), FORWARD },
		{ C(ACK, 1001, 5001, 10), FORWARD },
		{ S(ACK, 5001, 1011, 10), FORWARD },
	} },
	{ "udp_and_echo", INSPECT "permit udp from 198.18.64.0/18 to any port 53\npermit icmp from any to any\n", {
		{ BACK(17, SERVER, CLIENT, 53, 3000, 30), DROP_DENIED },
		{ ANY(17, CLIENT, SERVER, 3000, 53, 30), FORWARD },
		{ BACK(17, SERVER, CLIENT, 53, 3000, 60), FORWARD },
		{ BACK(17, SERVER, CLIENT, 53, 3001, 60), DROP_DENIED },
		{ { .outside = true, .from = SERVER, .to = CLIENT, .protocol = 1, .from_port = 7, .flags = 1 },
		  DROP_NO_FLOW },
		{ ANY(1, CLIENT, SERVER, 7, 0, 56), FORWARD },
		{ { .outside = true, .from = SERVER, .to = CLIENT, .protocol = 1, .from_port = 7, .flags = 1 },
		  FORWARD },
		{ { .from = CLIENT, .to = SERVER, .protocol = 1, .bend = BEND_ICMP_OTHER }, DROP_ICMP },
	} },
	{ "nat_both_ways", INSPECT NAT "permit ip between 198.18.64.1 and any\n", {
		{ C(SYN, 1000, 0, 0), FORWARD, OUTSIDE, SERVER, true, 4000, 80 },
		{ N(SYN | ACK, 5000, 1001, 0), FORWARD, SERVER, CLIENT, true, 80, 4000 },
		{ C(ACK, 1001, 5001, 1399), FORWARD, OUTSIDE, SERVER, true, 4000, 80 },
		{ N(ACK, 5001, 2400, 11), FORWARD, SERVER, CLIENT, true, 80, 4000 },
		{ N(ACK, 905001, 2400, 11), DROP_TCP_WINDOW },
		{ S(ACK, 5012, 2400, 11), DROP_TCP_STATE },      /* to the inside address: no flow of that key */
		{ N(RST, 5012, 0, 0), FORWARD, SERVER, CLIENT, true, 80, 4000 },
		{ ANY(17, CLIENT, SERVER, 3000, 53, 31), FORWARD, OUTSIDE, SERVER, true, 3000, 53 },
		{ BACK(17, SERVER, OUTSIDE, 53, 3000, 60), FORWARD, SERVER, CLIENT, true, 53, 3000 },
		{ { .from = CLIENT, .to = SERVER, .protocol = 17, .from_port = 3005, .to_port = 53,
		    .bend = BEND_UDP_NO_SUM }, FORWARD, OUTSIDE, SERVER, true, 3005, 53 },
		{ ANY(1, CLIENT, SERVER, 99, 0, 56), FORWARD, OUTSIDE, SERVER, true, 99, 0 },
		{ { .outside = true, .from = SERVER, .to = OUTSIDE, .protocol = 1, .from_port = 99, .flags = 1 },
		  FORWARD, SERVER, CLIENT, true, 99, 0 },
		{ ANY(47, CLIENT, SERVER, 0, 0, 40), DROP_NAT_PROTOCOL },
		{ BACK(6, SERVER, OUTSIDE, 80, 22, 0), STACK },  /* of no flow: for the firewall itself */
		{ ANY(17, CLIENT_2, SERVER, 3000, 53, 30), DROP_DENIED },
	} },
	{ "nat_port_collision", INSPECT NAT ALL, {
		{ ANY(17, CLIENT, SERVER, 3000, 53, 30), FORWARD, OUTSIDE, SERVER, true, 3000, 53 },
		{ ANY(17, CLIENT_2, SERVER, 3000, 53, 30), FORWARD, OUTSIDE, SERVER, true, .any_port = true },
		{ BACK(17, SERVER, OUTSIDE, 53, 3000, 9), FORWARD, SERVER, CLIENT, true, 53, 3000 },
		{ ANY(1, CLIENT, SERVER, 77, 0, 30), FORWARD, OUTSIDE, SERVER, true, 77, 0 },
		{ ANY(1, CLIENT_2, SERVER, 77, 0, 30), FORWARD, OUTSIDE, SERVER, true, .any_port = true },
	} },
	{ "nat_without_inspection", STATELESS NAT "permit ip between 198.18.64.1 and any\n", {
		{ C(ACK, 1, 1, 10), FORWARD, OUTSIDE, SERVER, true, 4000, 80 },
		{ N(ACK, 900000, 7, 10), FORWARD, SERVER, CLIENT, true, 80, 4000 },
		{ C(ACK, 2, 1, 10), DROP_DENIED, .reload = STATELESS NAT "permit ip from any to 198.18.64.1\n" },
		{ N(ACK, 900000, 7, 10), FORWARD, SERVER, CLIENT, true, 80, 4000 },
	} },
	{ "stateless", STATELESS "permit tcp from 198.18.64.1 to 198.19.64.0/18 port 80-90\npermit icmp between any and any\n", {
		{ C(ACK, 1, 1, 10), FORWARD },
		{ S(ACK, 1, 1, 10), DROP_DENIED },               /* both directions are asked for */
		{ C(SYN | FIN, 1, 1, 10), FORWARD },
		{ ANY(6, CLIENT_2, SERVER, 4000, 80, 10), DROP_DENIED },
		{ ANY(6, CLIENT, SERVER, 4000, 91, 10), DROP_DENIED },
		{ { .outside = true, .from = SERVER, .to = CLIENT, .protocol = 1, .from_port = 9, .flags = 1 }, FORWARD },
	} },
	{ "ipv6", INSPECT "permit ip from 2001:2:0:40::/64 to any\n", {
		{ { .from = CLIENT_6, .to = SERVER_6, .protocol = 6, .from_port = 1, .to_port = 2, .flags = SYN,
		    .sequence = 1000, .scale = 3 }, FORWARD },
		{ { .outside = true, .from = SERVER_6, .to = CLIENT_6, .protocol = 6, .from_port = 2, .to_port = 1,
		    .flags = SYN | ACK, .sequence = 5000, .acknowledgement = 1001 }, FORWARD },
		{ { .from = CLIENT_6, .to = SERVER_6, .protocol = 6, .from_port = 1, .to_port = 2, .flags = ACK,
		    .sequence = 1001, .acknowledgement = 5001, .payload = 1111 }, FORWARD },
		{ ANY(17, CLIENT_6, SERVER_6, 1, 2, 33), FORWARD },
		{ BACK(17, SERVER_6, CLIENT_6, 2, 1, 33), FORWARD },
		{ ANY(58, CLIENT_6, SERVER_6, 5, 0, 20), FORWARD },
		{ BACK(17, SERVER_6, CLIENT_6, 2, 7, 33), DROP_DENIED },
		{ { .from = CLIENT_6, .to = SERVER_6, .protocol = 17, .ttl = 1 }, DROP_TTL },
	} },
	{ "limit", INSPECT "permit udp from 198.18.64.1 to any limit 1kbit burst 3000\n" ALL, {
		{ ANY(17, CLIENT, SERVER, 1, 2, 1400), FORWARD },
		{ ANY(17, CLIENT, SERVER, 1, 2, 1400), FORWARD },
		{ ANY(17, CLIENT, SERVER, 1, 2, 1400), DROP_LIMITED },
		{ BACK(17, SERVER, CLIENT, 2, 1, 1400), DROP_LIMITED },  /* one bucket for both directions */
		{ ANY(17, CLIENT, SERVER, 3, 4, 1400), DROP_LIMITED },   /* and for all flows of the filter */
		{ ANY(17, CLIENT_2, SERVER, 3, 4, 1400), FORWARD },
	} },
	{ "super_packets", INSPECT "permit udp from 198.18.64.1 to any limit 1kbit burst 3150\n" ALL, {
		/* 3 segments of 1000 and their headers: 3084 on the wire, one more byte would not fit. */
		{ { .from = CLIENT, .to = SERVER, .protocol = 17, .from_port = 1, .to_port = 2, .payload = 3000,
		    .gso = 1000 }, FORWARD },
		{ ANY(17, CLIENT, SERVER, 1, 2, 80), DROP_LIMITED },
		{ ANY(17, CLIENT_2, SERVER, 1, 2, 3000), DROP_TOO_BIG },
		{ { .from = CLIENT_2, .to = SERVER, .protocol = 17, .from_port = 1, .to_port = 2, .payload = 3000,
		    .gso = 1472 }, FORWARD },
		{ { .from = CLIENT_2, .to = SERVER, .protocol = 17, .from_port = 1, .to_port = 2, .payload = 3000,
		    .gso = 1473 }, DROP_TOO_BIG },
	} },
	{ "default_deny_and_ttl", INSPECT "deny udp from any to any port 53\npermit udp from any to any\n", {
		{ ANY(6, CLIENT, SERVER, 1, 2, 0), DROP_TCP_FLAGS },
		{ C(SYN, 1, 0, 0), DROP_DENIED },
		{ ANY(17, CLIENT, SERVER, 1, 53, 0), DROP_DENIED },
		{ ANY(17, CLIENT, SERVER, 1, 54, 0), FORWARD },
		{ { .from = CLIENT, .to = SERVER, .protocol = 17, .from_port = 1, .to_port = 54, .ttl = 1 }, DROP_TTL },
		{ { .from = CLIENT, .to = SERVER, .protocol = 17, .from_port = 9, .to_port = 54, .ttl = 1 }, DROP_TTL },
		{ { .from = CLIENT, .to = SERVER, .protocol = 17, .from_port = 9, .to_port = 54, .ttl = 2 }, FORWARD },
		{ { .from = CLIENT, .to = GATEWAY, .protocol = 17, .from_port = 9, .to_port = 54, .ttl = 1 }, STACK },
	} },
	{ "malformed", STATELESS ALL, {
		{ BENT(BEND_NONE), FORWARD },
		{ BENT(BEND_VERSION), DROP_MALFORMED },
		{ BENT(BEND_SHORT_HEADER), DROP_MALFORMED },
		{ BENT(BEND_LENGTH), DROP_MALFORMED },
		{ BENT(BEND_HEADER_SUM), DROP_MALFORMED },
		{ BENT(BEND_SOURCE), DROP_MALFORMED },
		{ BENT(BEND_UDP_LENGTH), DROP_MALFORMED },
		{ BENT_TCP(BEND_TCP_OFFSET), DROP_MALFORMED },
		{ BENT(BEND_OPTIONS), DROP_IP_OPTIONS },
		{ BENT(BEND_FRAGMENT), DROP_FRAGMENT },
		{ BENT(BEND_LAST_FRAGMENT), DROP_FRAGMENT },
		{ BENT(BEND_TRUNCATED), DROP_TRUNCATED },
		{ BENT(BEND_VLAN), DROP_VLAN },
		{ BENT(BEND_ARP), STACK },
		{ BENT(BEND_MULTICAST), STACK },
		{ BENT_6(BEND_NONE), FORWARD },
		{ BENT_6(BEND_VERSION), DROP_MALFORMED },
		{ BENT_6(BEND_EXTENSION), DROP_EXTENSION },
		{ BENT_6(BEND_FRAGMENT_6), DROP_FRAGMENT },
		{ BENT_6(BEND_TRUNCATED), DROP_TRUNCATED },
		{ BENT_6(BEND_UDP_LENGTH), DROP_MALFORMED },
		{ BENT_6(BEND_NONE), FORWARD },
	} },
	{ "spoofed", STATELESS ALL, {
		{ ANY(6, CLIENT, CLIENT_ITSELF, 80, 80, 0), DROP_MALFORMED }, /* LAND */
		{ ANY(17, CLIENT, CLIENT_ITSELF, 9, 9, 20), DROP_MALFORMED },
		{ ANY(17, CLIENT_6, CLIENT_6_ITSELF, 9, 9, 20), DROP_MALFORMED },
		{ ANY(17, NOBODY_6, SERVER_6, 9, 9, 20), DROP_MALFORMED },
		{ ANY(17, LOOPBACK_6, SERVER_6, 9, 9, 20), DROP_MALFORMED },
		{ ANY(17, OUTSIDE, SERVER, 9, 9, 20), FORWARD },
	} },
	{ "spoofed_nat_address", INSPECT NAT ALL, {
		{ ANY(17, OUTSIDE, SERVER, 9, 9, 20), DROP_MALFORMED },
		{ BACK(17, OUTSIDE, CLIENT, 9, 9, 20), DROP_MALFORMED },
		{ { .from = CLIENT, .to = CLIENT_ITSELF, .protocol = 6, .from_port = 80, .to_port = 80, .flags = SYN },
		  DROP_MALFORMED },
		{ C(SYN, 1000, 0, 0), FORWARD, OUTSIDE, SERVER, true, 4000, 80 },
	} },
	{ "reload", INSPECT ALL, {
		OPEN,
		{ C(ACK, 1001, 5001, 10), FORWARD, .reload = INSPECT "permit tcp from 198.18.64.1 to any port 80\n" },
		{ S(ACK, 5001, 1011, 10), FORWARD },
		{ S(ACK, 5011, 1011, 10), DROP_DENIED, .reload = INSPECT "deny ip from any to any\n" },
		{ C(ACK, 1011, 5011, 10), DROP_TCP_STATE },      /* the flow is gone */
	} },
};

#endif
