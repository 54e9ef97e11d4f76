/* SPDX-License-Identifier: BSD-2-Clause */
/* A way to run the data path between two interfaces: in the kernel (tc) or in
 * user space (AF_PACKET). main picks one table of functions; control calls them.
 *
 * Threads: all functions are called from one thread, the control thread. The
 * kernel path has no threads of its own; the user path starts its workers in
 * open and joins them in close. */
#ifndef FIREWALL_REF_PATH_H
#define FIREWALL_REF_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/cores.h"
#include "firewall-ref/datapath/flow.h"
#include "firewall-ref/datapath/tables.h"
#include "firewall-ref/policy_compile.h"

struct path; /* each implementation's own */

struct path_options {
	const char *inside, *outside; /* interface names in this network namespace */
	const struct cores *cores;    /* user path: its workers; NULL: anywhere */
	uint32_t flow_table_size;     /* flows; fixed until close */
	uint32_t filter_capacity;     /* filters a policy may have until close; at least FILTERS_MIN */
};

struct path_stats {
	uint32_t generation;
	struct totals totals;
	struct filter_count *filters; /* owned by the caller, filter_capacity entries */
	uint32_t filter_capacity;     /* filled: min(capacity, the policy's filters) */
	uint64_t flows[FLOW_STATE_COUNT];
	uint32_t flows_used, flows_size;
};

/* Called for each live flow; non-zero ends the walk and is returned. idle_ns:
 * since its last packet. */
typedef int path_flow_visit(void *context, const struct flow *flow, uint64_t idle_ns);

struct path_ops {
	const char *name; /* "kernel", "user" */
	/* Opens and attaches, dropping everything until the first publish. 0 or
	 * -errno, logged; *out untouched on failure and nothing left attached.
	 * -ENOTSUP, -EPERM: not possible here (auto then tries the other path). */
	int (*open)(const struct path_options *options, struct path **out);
	/* Copies the policy beside the active one and switches in one step. The
	 * path sets the generation; the caller keeps ownership; rules may be NULL
	 * with SETTING_EMPTY. 0 or -errno, logged (-E2BIG: more filters than the
	 * capacity); on failure the old policy stays. */
	int (*publish)(struct path *path, const struct setting *setting,
		       const struct compiled *rules);
	int (*stats)(struct path *path, struct path_stats *stats);
	int (*flows)(struct path *path, path_flow_visit *visit, void *context);
	/* Removes flows whose time has run out; called about once a second.
	 * Returns the number removed or -errno. */
	int (*sweep)(struct path *path);
	void (*close)(struct path *path); /* detaches, frees; NULL is allowed */
};

extern const struct path_ops path_user;
#ifdef HAVE_BPF
extern const struct path_ops path_kernel;
#endif

#endif
