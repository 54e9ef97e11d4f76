/* SPDX-License-Identifier: BSD-2-Clause */
/* A lab: three nodes in a row, client - device - server, and the cores each may
 * use. One lab a trial group: lab_open makes it, lab_close takes it away; what
 * cannot live in a namespace (a host-wide sysctl) is recorded on disk before it
 * is changed, so that `fwbench clean` can put it back after a kill -9.
 *
 * lab_enter must have been called once, early in main, single-threaded: it
 * enters a mount namespace of its own (as an ordinary user also a user
 * namespace) with a private /run/netns. */
#ifndef HARNESS_LAB_LAB_H
#define HARNESS_LAB_LAB_H

#include <stdbool.h>
#include <stdint.h>

#include "common/child.h"
#include "common/cores.h"
#include "harness/lab/addresses.h"
#include "harness/settings.h"

struct lab {
	struct lab_settings settings;
	int ip;                        /* the measured family; both are configured */
	int netns_fd[NODE_COUNT];      /* device: -1 with topology direct */
	char netns_name[NODE_COUNT][32];
	bool cpu_shares;               /* false: no root; cores are shared, RPS not set */
	/* With topology direct the device has none and the generators all; without
	 * shares both have all. */
	struct cores device_cores, generator_cores;
	char congestion_control[32];   /* the same in every node */
	bool ipv6;                     /* false: the kernel has none, IPv4 alone is there */
	int rtnl_fd[NODE_COUNT];       /* netlink sockets inside the nodes, for interface_read */
	char run_id[64];
	bool host_root, state_held;    /* for lab_close */
};

#define LAB_BRIDGE "br0"               /* in the device, topology bridged */
extern const char *const lab_node_names[NODE_COUNT]; /* "client", "device", "server" */

/* Names of the interfaces, the same in every lab. Device ones: "in", "out";
 * client "c0", server "s0". With topology direct only c0 and s0 exist. */
const char *lab_interface(enum lab_node node, bool server_side);

struct lab_host {                      /* what this process may do, found by lab_enter */
	bool root;                     /* real root: CPU shares, kernel path, softirq probe */
	bool namespaces;               /* namespaces can be made at all */
	char why[160];                 /* if not: what is missing and the way out */
};

/* Returns 0, or -errno with the one line said and nothing changed on the host
 * (the caller exits with EXIT_MISSING). */
int lab_enter(struct lab_host *host);
/* Builds the nodes for these settings and verifies them with one ping each way
 * of each family. run_id goes into the names. Returns 0 or -errno, logged, with
 * everything taken away again. */
int lab_open(struct lab *lab, const struct lab_host *host, const struct settings *settings,
	     const char *run_id);
void lab_close(struct lab *lab);
/* Are the cores there that the settings ask for? 0, or -ENOTSUP with the reason in
 * why. Makes nothing; lab_open would fail with the same words. */
int lab_supports(const struct settings *settings, const struct lab_host *host, char *why,
		 size_t why_size);

/* Runs a program inside a node to its end / starts it there, on the node's
 * cores. Same results as child_run / child_start. lab_start takes both stdout
 * and stderr (child->out, child->err: the caller reads them); what lab_run does
 * not take goes to /dev/null. A child that has to be gone with its node is ended
 * by the caller before lab_close. */
int lab_run(const struct lab *lab, enum lab_node node, const char *const *argv, const char *input,
	    char **out, char **err);
int lab_start(const struct lab *lab, enum lab_node node, const char *const *argv,
	      struct child *child);
/* Writes a sysctl (path below /proc/sys, with slashes) inside a node. */
int lab_sysctl(const struct lab *lab, enum lab_node node, const char *path, const char *value);
/* Puts back what dead runs left on the host (a sysctl, its state file; the rest
 * the kernel took away). *removed: how many runs that were; dry_run: only counted.
 * Works before and after lab_enter. Returns 0 or -errno, logged. */
int lab_clean(bool dry_run, unsigned *removed);

#endif
