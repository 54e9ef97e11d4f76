/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef HARNESS_DEVICE_NFTABLES_TEXT_H
#define HARNESS_DEVICE_NFTABLES_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/policy.h"
#include "harness/settings.h"

/* Does this policy need connection tracking? Without it no rule names ct, and
 * the kernel keeps conntrack's hooks out of the namespace altogether. */
bool nftables_tracks(const struct policy *policy);
/* The size of a limit's bucket: one second of the rate plus the burst. */
uint64_t nftables_bucket_bytes(const struct policy *policy);
/* The ruleset as `nft -f` reads it; malloc'ed, NULL when out of memory. */
char *nftables_text(const struct policy *policy, enum nft_style style);

#endif
