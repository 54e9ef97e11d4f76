/* SPDX-License-Identifier: BSD-2-Clause */
/* Segmentation offload of one interface: whether packets on it may be larger than
 * its MTU and stand for many (super-packets). */
#ifndef HARNESS_LAB_OFFLOAD_H
#define HARNESS_LAB_OFFLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The essential rows of `ethtool -k`. */
struct offload {
	const char *name;    /* as ethtool prints it */
	uint32_t get, set;   /* ETHTOOL_G*, ETHTOOL_S*; set 0: only read here */
};

extern const struct offload offload_table[];
extern const size_t offload_count;

/* on[i]: 1, 0, or -1 where the interface does not know it. 0 or -errno. */
int offload_read(int netns_fd, const char *interface, int *on);
/* off: no TSO, GSO, GRO. on: TSO and GSO; GRO stays as the kernel has it (on a
 * veth it would bring in NAPI, another way of receiving). Reads back what became
 * of it: -EOPNOTSUPP where the kernel kept its own mind. Returns 0 or -errno,
 * logged. */
int offload_set(int netns_fd, const char *interface, bool on);

#endif
