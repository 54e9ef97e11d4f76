/* SPDX-License-Identifier: BSD-2-Clause */
/* One ICMP echo, to see that a way is open. */
#ifndef HARNESS_LAB_PING_H
#define HARNESS_LAB_PING_H

#include <stdint.h>

#include "common/address.h"

/* Sends echo requests from an address of the namespace every 20 ms until one is
 * answered. Returns 0, -ETIMEDOUT after timeout_ms, or -errno; nothing logged. */
int ping(int netns_fd, const struct address *from, const struct address *to, uint32_t timeout_ms);

#endif
