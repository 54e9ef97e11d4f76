/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line. One typed table (options.c) reads it, fills this struct,
 * writes the help and heads every result. Const after options_parse. */
#ifndef TRAFFICGEN_OPTIONS_H
#define TRAFFICGEN_OPTIONS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/cores.h"
#include "trafficgen/hello.h"
#include "trafficgen/pool.h"

enum role { ROLE_NONE, ROLE_CLIENT, ROLE_SERVER };

struct workload;

struct options {
	enum role role;
	const struct workload *workload;
	char servers_text[256], bind_text[256];
	struct pools servers;          /* client: where to */
	struct pools bind;             /* client: from where, server: where to listen; may be empty */
	uint32_t port;
	uint32_t connections;
	uint64_t duration_ns;          /* 0: by amount */
	uint64_t amount_bytes;         /* each direction, over all connections; 0: by time */
	uint64_t warm_up_ns;
	uint64_t interval_ns;          /* 0: no interval reports */
	bool reverse, bidir;
	bool only4, only6;
	uint64_t write_bytes;          /* 0: flow.c chooses */
	uint64_t window_bytes;         /* 0: the kernel's own tuning */
	char congestion[HELLO_CONGESTION_BYTES]; /* empty: the kernel's default */
	struct cores cores;
	bool copy, verify, json, one_off, public;
	uint64_t connect_timeout_ns;
	uint64_t silence_ns;           /* a peer silent for so long has vanished */
	uint64_t drain_ns;
};

enum options_result { OPTIONS_RUN, OPTIONS_SHOWN, OPTIONS_WRONG };

/* Reads, resolves and checks. What is wrong is logged; --help and --version
 * print to stdout and return OPTIONS_SHOWN. */
enum options_result options_parse(int argc, char **argv, struct options *out);
/* Every resolved option that applies to the role, by its long name. */
json_t *options_json(const struct options *options);
void options_help(FILE *out);

/* enum hello_flag of the client's options. */
uint8_t options_flags(const struct options *options);

#endif
