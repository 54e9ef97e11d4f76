/* SPDX-License-Identifier: BSD-2-Clause */
/* One connection, from socket to close. A few words and no buffer: thousands of
 * them are open at once. Owned by one worker, touched by no other thread. */
#ifndef TRAFFICGEN_FLOW_H
#define TRAFFICGEN_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "common/address.h"
#include "trafficgen/hello.h"
#include "trafficgen/options.h"
#include "trafficgen/test.h"

enum flow_state {
	FLOW_WAKE,       /* not a connection: the worker's eventfd */
	FLOW_LISTENING,  /* not a connection: a listener */
	FLOW_CONNECTING, /* client: SYN sent */
	FLOW_WAITING,    /* client: open, the start is not given yet; server: no hello yet */
	FLOW_RUNNING,    /* the workload has it */
	FLOW_CLOSED,     /* fd gone; freed once no list holds it */
};

/* What of the hello the workload goes by. */
struct plan {
	bool client, sends, receives, by_amount, copy, verify;
	uint32_t write_bytes;
	uint64_t send_bytes;           /* with by_amount */
	uint64_t send_key, receive_key;
};

struct flow {
	int fd;
	uint8_t state;                 /* enum flow_state */
	bool sent_all, received_all;   /* half-closed by us, by the peer */
	bool finishing;                /* finish has been called */
	bool queued;                   /* in the worker's queue of OUTCOME_MORE */
	bool moved;                    /* data has gone over in each wanted direction */
	int error;                     /* errno of OUTCOME_FAILED */
	uint32_t again;                /* EPOLL bits the workload acts on at its turn */
	uint32_t index;
	uint8_t slot;                  /* of its test */
	uint64_t sent_bytes, received_bytes;
	uint64_t mark_bytes;           /* sent + received when the window began */
	uint64_t deadline_ns;          /* of the state, where it has one */
	struct plan plan;
	const struct workload *workload;
	struct tally *tally;
	struct flow *next, *previous;  /* of its state's list */
	struct flow *queue_next;
};

/* Client: the flow's socket, bound and on its way. Returns 0 (under way or
 * open) or -errno, not logged: the worker counts. */
int flow_connect(struct flow *flow, const struct options *options);
/* Options both ends set before data flows. Returns 0 or -errno. */
int flow_tune(int fd, const struct options *options, uint32_t write_bytes);
int flow_set_window(int fd, uint32_t window_bytes);
int flow_set_congestion(int fd, const char *name);

/* The hello of connection index of the test. */
struct hello flow_hello(const struct options *options, uint64_t test, uint32_t index);
void flow_plan(struct flow *flow, const struct hello *hello, bool client);

/* Whether data has gone over, by TCP_INFO where the flow only sends. */
bool flow_has_moved(const struct flow *flow);
/* Kernel memory of its socket (SO_MEMINFO). */
uint64_t flow_socket_bytes(const struct flow *flow);
/* Adds its TCP_INFO to the tally's record; right before the close. */
void flow_record_tcp(const struct flow *flow);
void flow_close(struct flow *flow, bool reset);

/* Lists through next and previous. */
void flow_link(struct flow **list, struct flow *flow);
void flow_unlink(struct flow **list, struct flow *flow);

#endif
