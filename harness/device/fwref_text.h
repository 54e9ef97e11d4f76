/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef HARNESS_DEVICE_FWREF_TEXT_H
#define HARNESS_DEVICE_FWREF_TEXT_H

#include "harness/policy.h"
#include "harness/settings.h"

/* The policy in fwref's words (HACKING.md); malloc'ed, NULL when out of memory. */
char *fwref_text(const struct policy *policy, enum classifier classifier);

#endif
