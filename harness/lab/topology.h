/* SPDX-License-Identifier: BSD-2-Clause */
/* The lab's links, addresses and routes as `ip -batch` wants them. Text only:
 * nothing here touches the system. */
#ifndef HARNESS_LAB_TOPOLOGY_H
#define HARNESS_LAB_TOPOLOGY_H

#include <stdio.h>

#include "harness/lab/lab.h"

/* Writes the node's batch. To be run inside the nodes in their order: the client's
 * batch makes the pair that ends in the next node, and so on. */
void topology_batch(FILE *out, const struct lab *lab, enum lab_node node);

/* The node's sysctls, "path=value" (path below /proc/sys with slashes), in their
 * order; ends with NULL. To be written before there are interfaces: new ones take
 * over what `default` says. */
const char *const *topology_sysctls(enum lab_node node);

#endif
