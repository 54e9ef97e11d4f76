/* SPDX-License-Identifier: BSD-2-Clause */
/* One fwref an interface. Two would each forward every packet of the user path, and
 * the first to end would take the other's ingress filter along. */
#ifndef FIREWALL_REF_CLAIM_H
#define FIREWALL_REF_CLAIM_H

struct claim {
	const char *name[2];
	unsigned interface[2];
	int fd[2];              /* held until claim_end; -1: none */
};

/* Claims both interfaces. 0, or -errno, logged, with neither claimed: -EBUSY where
 * a running fwref has one of them. */
int claim_begin(struct claim *claim, const char *inside, const char *outside);
/* The name of one that is no longer in this network namespace, or NULL. */
const char *claim_lost(const struct claim *claim);
void claim_end(struct claim *claim);

#endif
