/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/options.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"
#include "common/units.h"
#include "trafficgen/check.h"
#include "trafficgen/workload/workload.h"

enum type { TYPE_FLAG, TYPE_COUNT, TYPE_SECONDS, TYPE_SIZE, TYPE_TEXT, TYPE_CORES, TYPE_WORKLOAD };
enum { FOR_CLIENT = 1, FOR_SERVER = 2, FOR_BOTH = 3 };

struct row {
	char letter;            /* 0: none */
	const char *name;
	enum type type;
	uint8_t roles;
	size_t at, size;        /* of the field in struct options */
	double least, most;     /* of the value as written: a count, seconds, bytes */
	const char *value;      /* its name in the help */
	const char *help;
};

#define FIELD(f) offsetof(struct options, f), sizeof(((struct options *)0)->f)

static const struct row rows[] = {
	{ 'c', "client", TYPE_TEXT, FOR_CLIENT, FIELD(servers_text), 0, 0, "POOL",
	  "server addresses: A, A-B, A/len or a comma list; client c starts at server c mod S" },
	{ 'p', "port", TYPE_COUNT, FOR_BOTH, FIELD(port), 1, 65535, "PORT", "server port (5201)" },
	{ 'B', "bind", TYPE_TEXT, FOR_BOTH, FIELD(bind_text), 0, 0, "POOL",
	  "client addresses, connection i from i mod M; server: addresses to listen on (all)" },
	{ 'P', "parallel", TYPE_COUNT, FOR_CLIENT, FIELD(connections), 1, 1000000, "N",
	  "connections (1)" },
	{ 't', "time", TYPE_SECONDS, FOR_CLIENT, FIELD(duration_ns), 0.001, 4e6, "SECONDS",
	  "how long to measure (10)" },
	{ 'n', "bytes", TYPE_SIZE, FOR_CLIENT, FIELD(amount_bytes), 1, 1e18, "BYTES",
	  "send so much each way instead, in sum over the connections (K M G are 1024)" },
	{ 'O', "omit", TYPE_SECONDS, FOR_CLIENT, FIELD(warm_up_ns), 0, 4e6, "SECONDS",
	  "warm up so long, and until every connection has moved data (0)" },
	{ 'R', "reverse", TYPE_FLAG, FOR_CLIENT, FIELD(reverse), 0, 0, NULL, "the server sends" },
	{ 0, "bidir", TYPE_FLAG, FOR_CLIENT, FIELD(bidir), 0, 0, NULL, "both send" },
	{ 'l', "length", TYPE_SIZE, FOR_CLIENT, FIELD(write_bytes), 0, 16777216, "BYTES",
	  "bytes a write (0: about 192K, whole segments)" },
	{ 'w', "window", TYPE_SIZE, FOR_CLIENT, FIELD(window_bytes), 1024, 1e9, "BYTES",
	  "socket buffers of both ends (the kernel's own tuning)" },
	{ 'C', "congestion", TYPE_TEXT, FOR_CLIENT, FIELD(congestion), 0, 0, "NAME",
	  "congestion control of both ends (the kernel's default)" },
	{ '4', "version4", TYPE_FLAG, FOR_BOTH, FIELD(only4), 0, 0, NULL, "IPv4 only" },
	{ '6', "version6", TYPE_FLAG, FOR_BOTH, FIELD(only6), 0, 0, NULL, "IPv6 only" },
	{ 0, "copy", TYPE_FLAG, FOR_CLIENT, FIELD(copy), 0, 0, NULL,
	  "write from and read into a buffer, both ends, instead of zero-copy" },
	{ 0, "verify", TYPE_FLAG, FOR_CLIENT, FIELD(verify), 0, 0, NULL,
	  "check every byte received, both ends (implies --copy)" },
	{ 0, "public", TYPE_FLAG, FOR_CLIENT, FIELD(public), 0, 0, NULL,
	  "send to public addresses, too: they are mine, and the network is isolated" },
	{ 'i', "interval", TYPE_SECONDS, FOR_BOTH, FIELD(interval_ns), 0, 86400, "SECONDS",
	  "time between reports (1), 0: none" },
	{ 'J', "json", TYPE_FLAG, FOR_BOTH, FIELD(json), 0, 0, NULL, "one JSON object a line" },
	{ 0, "cores", TYPE_CORES, FOR_BOTH, FIELD(cores), 0, 0, "LIST",
	  "one thread on each of these cores (all allowed ones)" },
	{ 0, "workload", TYPE_WORKLOAD, FOR_CLIENT, FIELD(workload), 0, 0, "NAME",
	  "what a connection does (stream)" },
	{ 0, "connect-timeout", TYPE_SECONDS, FOR_CLIENT, FIELD(connect_timeout_ns), 0.1, 3600,
	  "SECONDS", "a connection that is not open by then has failed (5)" },
	{ 0, "silence", TYPE_SECONDS, FOR_BOTH, FIELD(silence_ns), 1, 3600, "SECONDS",
	  "a peer that is silent for so long has vanished (5)" },
	{ 0, "drain", TYPE_SECONDS, FOR_CLIENT, FIELD(drain_ns), 0, 3600, "SECONDS",
	  "wait so long at the end for what is under way (10)" },
	{ '1', "one-off", TYPE_FLAG, FOR_SERVER, FIELD(one_off), 0, 0, NULL, "serve one test, then end" },
};

static int rows_read(const struct row *row, const char *text, void *field)
{
	uint64_t value;
	int code;

	switch (row->type) {
	case TYPE_FLAG:
		*(bool *)field = true;
		return 0;
	case TYPE_TEXT:
		if (strlen(text) >= row->size)
			return -ERANGE;
		strcpy(field, text);
		return 0;
	case TYPE_CORES:
		return cores_read(text, field);
	case TYPE_WORKLOAD:
		return (*(const struct workload **)field = workload_find(text)) ? 0 : -EINVAL;
	case TYPE_COUNT:
		code = units_read_count(text, &value);
		break;
	case TYPE_SECONDS:
		code = units_read_seconds_ns(text, &value);
		break;
	default:
		code = units_read_iperf_size_bytes(text, &value);
	}
	if (code)
		return code;
	double shown = row->type == TYPE_SECONDS ? (double)value / 1e9 : (double)value;
	if (shown < row->least || shown > row->most)
		return -ERANGE;
	if (row->size == sizeof(uint32_t))
		*(uint32_t *)field = (uint32_t)value;
	else
		*(uint64_t *)field = value;
	return 0;
}

static const char *rows_expect(const struct row *row)
{
	static const char *const expected[] = {
		[TYPE_COUNT] = "a whole number", [TYPE_SECONDS] = "seconds such as 10 or 1.5",
		[TYPE_SIZE] = "bytes such as 1448 or 128K", [TYPE_TEXT] = "a shorter text",
		[TYPE_CORES] = "cores such as 0-3 or 1,4", [TYPE_WORKLOAD] = "a workload (see --help)",
	};

	return expected[row->type];
}

static enum options_result rows_store(const struct row *row, const char *text, struct options *out)
{
	int code = rows_read(row, text, (char *)out + row->at);

	if (code == -ERANGE && row->most > 0)
		log_err(code, "--%s %s: must be %.15g to %.15g", row->name, text, row->least, row->most);
	else if (code)
		log_err(code, "--%s %s: not %s", row->name, text, rows_expect(row));
	return code ? OPTIONS_WRONG : OPTIONS_RUN;
}

static const struct row *rows_find(int letter, int index)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (letter ? rows[i].letter == letter : (int)i == index)
			return &rows[i];
	return NULL;
}

void options_help(FILE *out)
{
	fputs("usage: fwgen server [options]\n"
	      "       fwgen client -c POOL [options]      also: fwgen -s, fwgen -c POOL\n\n", out);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char left[64], letter[6] = "   ";

		if (rows[i].letter)
			snprintf(letter, sizeof(letter), "-%c,", rows[i].letter);
		snprintf(left, sizeof(left), "%s --%s %s", letter, rows[i].name,
			 rows[i].value ? rows[i].value : "");
		fprintf(out, "  %-30s%s%s\n", left, rows[i].roles == FOR_SERVER ? "server: " : "",
			rows[i].help);
	}
	fputs("  -h, --help, -v, --version\n\nworkloads:\n", out);
	for (size_t i = 0; workload_at(i); i++)
		fprintf(out, "  %-12s%s\n", workload_at(i)->name, workload_at(i)->help);
}

static const struct options defaults = {
	.port = 5201, .connections = 1, .interval_ns = NS_PER_S,
	.connect_timeout_ns = 5 * NS_PER_S, .silence_ns = 5 * NS_PER_S, .drain_ns = 10 * NS_PER_S,
};

enum { LONG_ROW = 1000 };

/* getopt's two lists, from the table. */
static void options_lists(char *letters, struct option *longs)
{
	size_t n = 0;

	letters += sprintf(letters, "+:shv");
	for (; n < ARRAY_LEN(rows); n++) {
		if (rows[n].letter)
			letters += sprintf(letters, "%c%s", rows[n].letter, rows[n].value ? ":" : "");
		longs[n] = (struct option){ rows[n].name, !!rows[n].value, NULL, LONG_ROW + (int)n };
	}
	longs[n++] = (struct option){ "help", 0, NULL, 'h' };
	longs[n++] = (struct option){ "version", 0, NULL, 'v' };
	longs[n++] = (struct option){ "server", 0, NULL, 's' };
	longs[n] = (struct option){ 0 };
}

static enum options_result options_role(struct options *out, enum role role)
{
	if (out->role && out->role != role) {
		log_err(-EINVAL, "server or client, not both: see fwgen --help");
		return OPTIONS_WRONG;
	}
	out->role = role;
	return OPTIONS_RUN;
}

/* One answer of getopt_long. seen gets the rows that were given. */
static enum options_result options_take(int got, char **argv, struct options *out, uint64_t *seen)
{
	const struct row *row;

	switch (got) {
	case 's':
		return options_role(out, ROLE_SERVER);
	case 'h':
		options_help(stdout);
		return OPTIONS_SHOWN;
	case 'v':
		printf("fwgen %s\n", VERSION);
		return OPTIONS_SHOWN;
	case '?':
		log_err(-EINVAL, "unknown option %s: see fwgen --help", argv[optind - 1]);
		return OPTIONS_WRONG;
	case ':':
		log_err(-EINVAL, "%s needs a value: see fwgen --help", argv[optind - 1]);
		return OPTIONS_WRONG;
	}
	row = got >= LONG_ROW ? rows_find(0, got - LONG_ROW) : rows_find(got, 0);
	*seen |= 1ull << (row - rows);
	if (row->letter == 'c' && options_role(out, ROLE_CLIENT))
		return OPTIONS_WRONG;
	return rows_store(row, optarg, out);
}

/* The subcommand, if the first word is one. */
static enum role options_subcommand(int *argc, char ***argv)
{
	static const char *const words[] = { [ROLE_CLIENT] = "client", [ROLE_SERVER] = "server" };

	for (enum role role = ROLE_CLIENT; *argc > 1 && role <= ROLE_SERVER; role++) {
		if (!strcmp((*argv)[1], words[role])) {
			(*argc)--;
			(*argv)++;
			return role;
		}
	}
	return ROLE_NONE;
}

static int check_roles(const struct options *o, uint64_t seen)
{
	unsigned role = o->role == ROLE_CLIENT ? FOR_CLIENT : FOR_SERVER;

	if (o->role == ROLE_NONE)
		return log_err(-EINVAL, "say server or client: see fwgen --help");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (seen >> i & 1 && !(rows[i].roles & role))
			return log_err(-EINVAL, "--%s is for the %s only", rows[i].name,
				       role == FOR_SERVER ? "client" : "server");
	return 0;
}

enum options_result options_parse(int argc, char **argv, struct options *out)
{
	struct option longs[ARRAY_LEN(rows) + 4];
	char letters[3 * ARRAY_LEN(rows) + 8];
	struct options o = defaults;
	uint64_t seen = 0;

	o.workload = workload_at(0);
	o.role = options_subcommand(&argc, &argv);
	options_lists(letters, longs);
	optind = 0;
	for (int got; (got = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
		enum options_result result = options_take(got, argv, &o, &seen);

		if (result != OPTIONS_RUN)
			return result;
	}
	if (optind < argc) {
		log_err(-EINVAL, "%s: not an option: see fwgen --help", argv[optind]);
		return OPTIONS_WRONG;
	}
	if (check_roles(&o, seen) || options_check(&o))
		return OPTIONS_WRONG;
	*out = o;
	return OPTIONS_RUN;
}

static json_t *rows_json(const struct row *row, const void *field)
{
	uint64_t value = row->size == sizeof(uint32_t) ? *(const uint32_t *)field :
			 row->size == sizeof(uint64_t) ? *(const uint64_t *)field : 0;
	char text[1024];

	switch (row->type) {
	case TYPE_FLAG:
		return json_boolean(*(const bool *)field);
	case TYPE_TEXT:
		return *(const char *)field ? json_string(field) : json_null();
	case TYPE_CORES:
		return json_string(cores_print(text, sizeof(text), field));
	case TYPE_WORKLOAD:
		return json_string((*(const struct workload *const *)field)->name);
	case TYPE_SECONDS:
		return json_real((double)value / 1e9);
	default:
		return json_integer((json_int_t)value);
	}
}

json_t *options_json(const struct options *options)
{
	unsigned role = options->role == ROLE_CLIENT ? FOR_CLIENT : FOR_SERVER;
	json_t *object = json_object();

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].roles & role)
			json_object_set_new(object, rows[i].name,
					    rows_json(&rows[i], (const char *)options + rows[i].at));
	return object;
}

uint8_t options_flags(const struct options *options)
{
	unsigned flags = options->bidir   ? HELLO_CLIENT_SENDS | HELLO_SERVER_SENDS :
			 options->reverse ? HELLO_SERVER_SENDS :
					    HELLO_CLIENT_SENDS;

	flags |= (options->amount_bytes ? HELLO_AMOUNT : 0u) | (options->copy ? HELLO_COPY : 0u) |
		 (options->verify ? HELLO_VERIFY : 0u);
	return (uint8_t)flags;
}
