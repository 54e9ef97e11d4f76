/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef HARNESS_DEVICE_FWREF_TEXT_H
#define HARNESS_DEVICE_FWREF_TEXT_H

#include "harness/policy.h"
#include "harness/settings.h"

/* The burst of a limit: as asked for, else a tenth of a second of the rate, but
 * two super-packets at least. Always written out, so that it is known. */
uint64_t fwref_burst_bytes(const struct policy *policy);
/* The policy in fwref's words (HACKING.md); malloc'ed, NULL when out of memory. */
char *fwref_text(const struct policy *policy, enum classifier classifier);

#endif
