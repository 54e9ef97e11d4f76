/* SPDX-License-Identifier: BSD-2-Clause */
/* The third pass: what no single key can say. */
#ifndef HARNESS_SCENARIO_RULES_H
#define HARNESS_SCENARIO_RULES_H

#include "harness/scenario/keys.h"

/* marks as keys_read leaves them; row: where the row itself was written. 0 or
 * -EINVAL, logged, at the first of the rule's keys that was written somewhere. */
int rules_check(const struct values *values, const struct mark *marks, const struct mark *row);

#endif
