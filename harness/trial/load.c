/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/trial/load.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"
#include "common/program.h"

#define LOAD_READY_MS 15000
#define LOAD_REAP_MS 2000
#define LOAD_GRACE_MS 500

static const char *const side_names[] = { "client", "server" };

static const char *const kind_names[] = {
	[LOAD_START] = "start", [LOAD_READY] = "ready", [LOAD_CONNECTED] = "connected",
	[LOAD_MEASURE] = "measure", [LOAD_INTERVAL] = "interval", [LOAD_END] = "end",
};

uint32_t load_clients(const struct settings *s)
{
	if (s->load.clients)
		return s->load.clients;
	if (s->policy.present && s->policy.filters)
		return s->policy.filters;
	return s->load.connections < 500 ? s->load.connections : 500;
}

struct load_event load_read_event(enum load_side side, const char *line)
{
	struct load_event event = { .side = side, .kind = LOAD_OTHER };
	const char *name;

	event.body = json_loads(line, 0, NULL);
	if (!json_is_object(event.body)) {
		json_decref(event.body);
		event.body = NULL;
		return event;
	}
	name = json_string_value(json_object_get(event.body, "event"));
	for (size_t i = 0; name && i < ARRAY_LEN(kind_names); i++)
		if (!strcmp(name, kind_names[i]))
			event.kind = (enum load_kind)i;
	return event;
}

static int load_start(struct load *load, enum load_side side, const char *const *argv)
{
	enum lab_node node = side == LOAD_CLIENT ? NODE_CLIENT : NODE_SERVER;

	return lab_start(load->lab, node, argv, &load->side[side].child);
}

/* "A" or "A-B" for count addresses from first. */
static void load_pool(char *out, size_t size, struct address first, struct address last)
{
	char a[ADDRESS_TEXT_BYTES], b[ADDRESS_TEXT_BYTES];

	address_print(a, sizeof(a), &first);
	address_print(b, sizeof(b), &last);
	if (strcmp(a, b))
		snprintf(out, size, "%s-%s", a, b);
	else
		snprintf(out, size, "%s", a);
}

static int load_wait_ready(struct load *load)
{
	uint64_t end = clock_now_ns() + LOAD_READY_MS * NS_PER_MS;

	for (;;) {
		struct load_event event;
		struct pollfd p[LOAD_POLL_MAX];
		uint64_t now = clock_now_ns();

		while (load_next(load, &event)) {
			json_decref(event.body);
			if (event.kind == LOAD_READY)
				return 0;
			if (event.kind == LOAD_DEAD)
				return log_err(-EIO, "%s", load->side[LOAD_SERVER].said);
		}
		if (now >= end)
			return log_err(-ETIMEDOUT, "fwgen server: not ready after %d s",
				       LOAD_READY_MS / 1000);
		poll(p, load_poll(load, p), (int)((end - now) / NS_PER_MS) + 1);
	}
}

/* Listens on every address of the node, so that thousands of server addresses
 * need no socket each. */
int load_open(struct load *load, const struct lab *lab, const struct settings *settings)
{
	char program[4096], port[16], cores[1024];
	const char *argv[12];
	int n = 0, code;

	*load = (struct load){ .lab = lab, .settings = settings };
	load->side[LOAD_CLIENT].child = (struct child)CHILD_NONE;
	load->side[LOAD_SERVER].child = (struct child)CHILD_NONE;
	snprintf(port, sizeof(port), "%d", LOAD_PORT);
	argv[n++] = program_find("fwgen", program, sizeof(program));
	argv[n++] = "server";
	argv[n++] = "-p";
	argv[n++] = port;
	argv[n++] = "--json";
	if (lab->generator_cores.count) {
		argv[n++] = "--cores";
		argv[n++] = cores_print(cores, sizeof(cores), &lab->generator_cores);
	}
	argv[n] = NULL;
	code = load_start(load, LOAD_SERVER, argv);
	return code ? code : load_wait_ready(load);
}

int load_begin(struct load *load)
{
	const struct settings *s = load->settings;
	const char *argv[32];
	char program[4096], port[16], cores[1024], clients[160], servers[160];
	char connections[16], seconds[32], warm_up[32], size[16], window[16];
	int n = 0;

	snprintf(port, sizeof(port), "%d", LOAD_PORT);
	snprintf(connections, sizeof(connections), "%u", s->load.connections);
	snprintf(seconds, sizeof(seconds), "%.3f", (double)s->load.duration_ns / NS_PER_S);
	snprintf(warm_up, sizeof(warm_up), "%.3f", (double)s->load.warm_up_ns / NS_PER_S);
	snprintf(size, sizeof(size), "%u", s->load.write_size_bytes);
	snprintf(window, sizeof(window), "%u", s->load.window_bytes);
	load_pool(clients, sizeof(clients), lab_client(s->ip, 0), lab_client(s->ip, load_clients(s) - 1));
	load_pool(servers, sizeof(servers), lab_server(s->ip, 0),
		  lab_server(s->ip, s->load.servers ? s->load.servers - 1 : 0));
	argv[n++] = program_find("fwgen", program, sizeof(program));
	argv[n++] = "client";
	argv[n++] = "-c", argv[n++] = servers;
	argv[n++] = "-p", argv[n++] = port;
	argv[n++] = "-B", argv[n++] = clients;
	argv[n++] = "-P", argv[n++] = connections;
	argv[n++] = "-t", argv[n++] = seconds;
	argv[n++] = "-O", argv[n++] = warm_up;
	if (s->load.direction != DIRECTION_UP)
		argv[n++] = s->load.direction == DIRECTION_BOTH ? "--bidir" : "-R";
	if (s->load.write_size_bytes)
		argv[n++] = "-l", argv[n++] = size;
	if (s->load.window_bytes)
		argv[n++] = "-w", argv[n++] = window;
	if (load->lab->generator_cores.count) {
		argv[n++] = "--cores";
		argv[n++] = cores_print(cores, sizeof(cores), &load->lab->generator_cores);
	}
	argv[n++] = "--json";
	argv[n] = NULL;
	return load_start(load, LOAD_CLIENT, argv);
}

nfds_t load_poll(const struct load *load, struct pollfd *p)
{
	nfds_t n = 0;

	for (int i = 0; i < LOAD_SIDES; i++) {
		const struct load_process *process = &load->side[i];

		if (!process->child.pid || process->over)
			continue;
		if (!process->out.ended)
			p[n++] = (struct pollfd){ process->child.out, POLLIN, 0 };
		if (!process->err.ended)
			p[n++] = (struct pollfd){ process->child.err, POLLIN, 0 };
	}
	return n;
}

static void load_listen(struct load_process *process)
{
	const char *line;

	while (lines_next(&process->err, process->child.err, &line) == 1)
		if (*line)
			snprintf(process->said, sizeof(process->said), "%s", line);
}

/* The process has closed its stdout: reap it and put its death into words. */
static void load_bury(struct load *load, enum load_side side)
{
	struct load_process *process = &load->side[side];
	char last[sizeof(process->said)];
	int code;

	if (child_wait(&process->child, LOAD_REAP_MS)) {
		child_signal(&process->child, SIGKILL);
		child_wait(&process->child, -1);
	}
	load_listen(process);
	memcpy(last, process->said, sizeof(last));
	code = child_exit_code(&process->child);
	process->over = true;
	snprintf(process->said, sizeof(process->said), code > 128 ? "fwgen %s: killed by signal %d%s%.140s" :
								    "fwgen %s: ended with code %d%s%.140s",
		 side_names[side], code > 128 ? code - 128 : code, last[0] ? ": " : "", last);
}

static bool load_next_of(struct load *load, enum load_side side, struct load_event *event)
{
	struct load_process *process = &load->side[side];
	const char *line;
	int got;

	if (!process->child.pid || process->over)
		return false;
	load_listen(process);
	got = lines_next(&process->out, process->child.out, &line);
	if (got == 1) {
		*event = load_read_event(side, line);
		if (event->kind == LOAD_END && !load->end[side])
			load->end[side] = json_incref(event->body);
		return true;
	}
	if (!got)
		return false;
	load_bury(load, side);
	*event = (struct load_event){ .side = side, .kind = LOAD_DEAD };
	return !load->end[side];
}

bool load_next(struct load *load, struct load_event *event)
{
	return load_next_of(load, LOAD_CLIENT, event) || load_next_of(load, LOAD_SERVER, event);
}

void load_interrupt(struct load *load)
{
	child_signal(&load->side[LOAD_CLIENT].child, SIGINT);
}

void load_close(struct load *load)
{
	/* The client first: a server that goes before it would look like a fault. */
	for (int i = 0; i < LOAD_SIDES; i++) {
		struct load_process *process = &load->side[i];

		child_end(&process->child, LOAD_GRACE_MS);
		lines_free(&process->out);
		lines_free(&process->err);
		json_decref(load->end[i]);
		load->end[i] = NULL;
	}
}
