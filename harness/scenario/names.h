/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tables call a device and a policy. */
#ifndef HARNESS_SCENARIO_NAMES_H
#define HARNESS_SCENARIO_NAMES_H

#include "harness/scenario/keys.h"

/* The given name, or one made from the settings that differ from the defaults. */
void name_device(const struct values *values, char *out, size_t size);
void name_policy(const struct values *values, char *out, size_t size);

#endif
