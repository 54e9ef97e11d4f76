/* SPDX-License-Identifier: BSD-2-Clause */
/* A policy's name says what a setting of the command line made of it. */
#ifndef HARNESS_SCENARIO_RENAME_H
#define HARNESS_SCENARIO_RENAME_H

#include "harness/scenario/keys.h"
#include "harness/scenario/tree.h"

/* Before value is set everywhere: every policy that has a name and another value
 * of key gets the new one behind its name, "filters, limit 4Mbit". Nothing for a
 * key of another section, or one that is a column and so in the table already. */
void rename_policies(struct tree *root, const struct key *key, const struct tree *value);

#endif
