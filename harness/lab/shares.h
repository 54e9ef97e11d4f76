/* SPDX-License-Identifier: BSD-2-Clause */
/* CPU shares: which cores belong to the device and which to the generators, and
 * the steering of the interfaces' receive work there (RPS). */
#ifndef HARNESS_LAB_SHARES_H
#define HARNESS_LAB_SHARES_H

#include "harness/lab/lab.h"

/* Fills lab->cpu_shares, device_cores and generator_cores. allowed: the cores
 * this process may use. Without root, or with one core only, nobody has a share
 * and both get all. Without a device the generators get all. Returns 0, or
 * -EINVAL where the settings ask for a core that is not allowed or for the same
 * core twice, with the reason in why (SHARES_WHY_BYTES), untouched else. */
#define SHARES_WHY_BYTES 160
int shares_choose(struct lab *lab, const struct lab_host *host, const struct cores *allowed, char *why);

/* Steers the receive work of every lab interface, where there is a device. Returns 0 or -errno, logged. */
int shares_steer(const struct lab *lab);

/* Steers all receive queues of one interface; sysfs from namespace_sysfs. */
int shares_steer_interface(int sysfs, const char *interface, const struct cores *cores);

#endif
