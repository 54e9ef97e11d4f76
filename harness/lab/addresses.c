/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/lab/addresses.h"

/* The table of HACKING.md, one row a family. */
static const struct family {
	struct address client_link[NODE_COUNT]; /* client, device */
	struct address server_link[NODE_COUNT]; /* -, device, server */
	struct address client_net, server_net;
	uint8_t net_length;
	struct address stranger;
} families[] = {
	{
		.client_link = {
			[NODE_CLIENT] = { 4, { 198, 18, 0, 2 } },
			[NODE_DEVICE] = { 4, { 198, 18, 0, 1 } },
		},
		.server_link = {
			[NODE_DEVICE] = { 4, { 198, 19, 0, 1 } },
			[NODE_SERVER] = { 4, { 198, 19, 0, 2 } },
		},
		.client_net = { 4, { 198, 18, 64, 0 } },
		.server_net = { 4, { 198, 19, 64, 0 } },
		.net_length = 18,
		.stranger = { 4, { 198, 18, 127, 254 } },
	},
	{
		.client_link = {
			[NODE_CLIENT] = { 6, { 0x20, 0x01, 0, 2, [7] = 1, [15] = 2 } },
			[NODE_DEVICE] = { 6, { 0x20, 0x01, 0, 2, [7] = 1, [15] = 1 } },
		},
		.server_link = {
			[NODE_DEVICE] = { 6, { 0x20, 0x01, 0, 2, [7] = 2, [15] = 1 } },
			[NODE_SERVER] = { 6, { 0x20, 0x01, 0, 2, [7] = 2, [15] = 2 } },
		},
		.client_net = { 6, { 0x20, 0x01, 0, 2, [7] = 0x40 } },
		.server_net = { 6, { 0x20, 0x01, 0, 2, [7] = 0x80 } },
		.net_length = 64,
		.stranger = { 6, { 0x20, 0x01, 0, 2, [7] = 0x40, [8] = 0xff, [15] = 0xfe } },
	},
};

static const struct family *family(int ip)
{
	return &families[ip == 6];
}

struct address lab_client(int ip, uint32_t i)
{
	return address_add(&family(ip)->client_net, i + 1);
}

struct address lab_server(int ip, uint32_t i)
{
	return address_add(&family(ip)->server_net, i + 1);
}

struct prefix lab_client_prefix(int ip)
{
	return (struct prefix){ family(ip)->client_net, family(ip)->net_length };
}

struct prefix lab_server_prefix(int ip)
{
	return (struct prefix){ family(ip)->server_net, family(ip)->net_length };
}

struct address lab_link(int ip, enum lab_node node, bool server_side)
{
	/* An end node has one link only, whatever side is asked for. */
	if (node == NODE_SERVER || (node == NODE_DEVICE && server_side))
		return family(ip)->server_link[node];
	return family(ip)->client_link[node];
}

struct address lab_stranger(int ip)
{
	return family(ip)->stranger;
}
