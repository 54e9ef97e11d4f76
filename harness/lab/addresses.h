/* SPDX-License-Identifier: BSD-2-Clause */
/* The lab's addresses, from the benchmarking ranges 198.18.0.0/15 (RFC 2544)
 * and 2001:2::/48 (RFC 5180). The table stands in HACKING.md. */
#ifndef HARNESS_LAB_ADDRESSES_H
#define HARNESS_LAB_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/address.h"

enum lab_node { NODE_CLIENT, NODE_DEVICE, NODE_SERVER, NODE_COUNT };

#define LAB_CLIENTS_MAX 16000u
#define LAB_SERVERS_MAX 16000u

struct address lab_client(int ip, uint32_t i);       /* i-th client address */
struct address lab_server(int ip, uint32_t i);
struct prefix lab_client_prefix(int ip);             /* all client addresses */
struct prefix lab_server_prefix(int ip);
struct address lab_link(int ip, enum lab_node node, bool server_side); /* interface address */
/* An address that no client has and no filter of a policy names: a probe from
 * it must get nothing through a policy with filters. */
struct address lab_stranger(int ip);

#endif
