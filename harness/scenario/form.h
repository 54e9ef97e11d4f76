/* SPDX-License-Identifier: BSD-2-Clause */
/* One form for the several spellings of a scenario, before files are merged:
 *   device: X          is  device: {kind: X, name: ""}, here, in matrix and in rows;
 *   matrix             is  a mapping of full paths ("load.connections", "device",
 *                          "policy") to lists;
 *   rows               is  a list of small scenarios. */
#ifndef HARNESS_SCENARIO_FORM_H
#define HARNESS_SCENARIO_FORM_H

#include "harness/scenario/tree.h"

/* "device" and "policy": sections that may be a column as a whole. */
bool is_column_section(const char *name);
/* Changes one file's tree in place. 0 or -EINVAL, logged. */
int form_tree(struct tree *root);
/* A copy of one value of the column "device", "policy" or a key's path. */
struct tree *form_column(const char *path, const struct tree *value);

#endif
