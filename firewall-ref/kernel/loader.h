/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel path: loads the tc program, attaches it to the ingress hook of both
 * interfaces and answers the control side (struct path_ops path_kernel in path.h). */
#ifndef KERNEL_LOADER_H
#define KERNEL_LOADER_H

#include "firewall-ref/path.h"

#endif
