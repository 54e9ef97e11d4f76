/* SPDX-License-Identifier: BSD-2-Clause */
/* Packet sockets get copies: the kernel's stack sees every packet as well. It
 * drops what is not for itself (forwarding is off), but it would answer replies to
 * the NAT address, of whose connections it knows nothing, with RSTs. So a filter
 * (classic BPF, no privilege but the namespace's CAP_NET_ADMIN) stands on the
 * ingress hook, behind the packet sockets: it lets through what is for the
 * firewall itself, and spares the stack the rest.
 *
 * Under NAT, TCP and UDP to the NAT address are the stack's below port 1024 only. */
#ifndef USER_SHIELD_H
#define USER_SHIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "firewall-ref/user/netlink.h"

struct shield {
	uint32_t interface[2];
	const char *name[2];
	bool qdisc_ours[2];             /* we added clsact, we remove it */
	bool attached[2];
};

/* Puts the filter on both interfaces, in the place of one left by a fwref that was
 * killed, or renews it for the addresses of now. nat_address: 0: none. 0 or
 * -errno, logged. */
int shield_raise(struct shield *shield, uint32_t nat_address);
/* Takes away what shield_raise has put there, and nothing else. */
void shield_lower(struct shield *shield);

#endif
