/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel path's own state, shared by its loader, publication and readers.
 * Outside this folder it is struct path_ops path_kernel (path.h) and nothing else. */
#ifndef KERNEL_KERNEL_PATH_H
#define KERNEL_KERNEL_PATH_H

#include <bpf/libbpf.h>
#include <stdbool.h>

#include "firewall-ref/kernel/shared.h"
#include "firewall-ref/path.h"

struct fwref_bpf; /* the skeleton */

/* What is used of newer kernels where it is there. Tests leave it out to see that
 * the path works without. */
enum feature {
	FEATURE_CAST = 1, /* Linux 6.2: bpf_cast_to_kern_ctx */
	FEATURE_LINK = 2, /* Linux 6.6: tcx links */
	FEATURES = FEATURE_CAST | FEATURE_LINK,
};

/* Attached by a link, which ends with the process, or by a clsact filter, which
 * does not; then the filter's handle tells the next fwref whose the qdisc is. */
struct hook {
	int link;            /* -1: none */
	unsigned interface;  /* index, of a filter; 0: none */
	bool created;        /* the clsact qdisc is ours */
};

struct path {
	struct fwref_bpf *skeleton;
	struct hook hook[2];
	uint32_t flow_size, filter_capacity;
	unsigned cpus;
	uint32_t generation;
};

/* The functions of path_ops, one file each group. */
int kernel_path_publish(struct path *path, const struct setting *setting,
			const struct compiled *rules);
int kernel_path_stats(struct path *path, struct path_stats *stats);
int kernel_path_flows(struct path *path, path_flow_visit *visit, void *context);
int kernel_path_sweep(struct path *path);

/* Runs the program sweep over all records: how many flows it ended, with the
 * states of those that live in the skeleton's sweep_states, or -errno. */
int kernel_path_walk(struct path *path, enum sweep which);

/* path_ops.open with some of enum feature only. */
int kernel_path_open(const struct path_options *options, unsigned features, struct path **out);
/* Loads the programs and tables without attaching them: what open does first. For
 * tests the program `judge` instead of `fwref`. interface: inside, outside. */
int kernel_path_load(const struct path_options *options, const unsigned interface[2],
		     unsigned features, bool judge, struct path **out);
void kernel_path_free(struct path *path);

#endif
