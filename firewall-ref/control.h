/* SPDX-License-Identifier: BSD-2-Clause */
/* The control socket: a client sends one line (a word), gets one line of JSON and
 * is closed. Nobody is waited for: clients are non-blocking, at most
 * CONTROL_CLIENTS at once, each for CONTROL_PATIENCE_NS without progress. */
#ifndef FIREWALL_REF_CONTROL_H
#define FIREWALL_REF_CONTROL_H

#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

enum { CONTROL_CLIENTS = 16, CONTROL_LINE_MAX = 256 };
#define CONTROL_PATIENCE_NS 10000000000ull

struct control_client {
	int fd;                 /* -1: free */
	uint64_t since_ns;      /* of its last progress */
	char line[CONTROL_LINE_MAX];
	uint32_t line_bytes;
	char *answer;           /* owned; once there is one */
	size_t answer_bytes, sent_bytes;
};

struct control {
	int listen;
	char path[108];
	struct control_client clients[CONTROL_CLIENTS];
	/* Makes the answer to a word; owned by the caller; NULL: no memory. */
	json_t *(*answer)(void *context, const char *word);
	void *context;
};

/* Binds the socket, mode 0600. One left by a killed fwref is replaced; one that
 * somebody listens on is an error. 0 or -errno, logged. */
int control_open(struct control *control, const char *path);
void control_close(struct control *control); /* removes the socket */
/* Fills fds (CONTROL_CLIENTS + 1 at most) and returns their number. */
uint32_t control_poll(const struct control *control, struct pollfd *fds);
/* Does what can be done without waiting. */
void control_serve(struct control *control, uint64_t now_ns);
/* One word and its answer as text with a newline, as a client gets it; malloc'ed;
 * NULL: no memory. For the server and the fuzzer. */
char *control_answer(struct control *control, const char *line, size_t bytes);

/* The client: sends the word and prints the answer on stdout; an error in it on
 * stderr too. Returns an exit code. */
int control_ask(const char *path, const char *word);

#endif
