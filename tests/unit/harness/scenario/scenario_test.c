/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/harness/scenario/files.h"

#include "common/own.h"

/* ---- what is wrong, and the one line that says so ------------------------ */

static const struct {
	const char *text, *said; /* said: without the program's name and the newline */
} bad[] = {
	{ "", "a.yaml:1:1: nothing in the file: a scenario is a mapping of keys, such as \"device: fwref\"" },
	{ "# only a comment\n", "a.yaml:1:1: nothing in the file: a scenario is a mapping of keys, such as \"device: fwref\"" },
	{ "- a\n", "a.yaml:1:1: not a mapping: a scenario is a mapping of keys, such as \"device: fwref\"" },
	{ "title: [\n", "a.yaml:2:1: not YAML: did not find expected node content, while parsing a flow node" },
	{ "title: a\n---\ntitle: b\n", "a.yaml:3:1: a second document: one scenario a file" },
	{ "title: a\nip: 4\ntitle: b\n", "a.yaml:3:1: key \"title\" is given twice, first in line 1" },
	{ "? [a]\n: b\n", "a.yaml:1:3: a key must be a plain word" },
	{ "title: \"a\\0b\"\n", "a.yaml:1:8: a zero byte inside a text" },
	{ "title: \"a\\nb\"\n", "a.yaml:1:8: title: expected one line of text, not a control character" },

	/* unknown keys, with the nearest or the right place */
	{ "titel: a\n", "a.yaml:1:1: unknown key \"titel\"; the nearest is \"title\"" },
	{ "load:\n  conections: 3\n", "a.yaml:2:3: unknown key \"conections\"; the nearest is \"connections\"" },
	{ "load: {warm_up: 2s}\n", "a.yaml:1:8: unknown key \"warm_up\"; the nearest is \"warm-up\"" },
	{ "polcy: {filters: 3}\n", "a.yaml:1:1: unknown key \"polcy\"; the nearest is \"policy\"" },
	{ "zzzzzzzzzz: 1\n", "a.yaml:1:1: unknown key \"zzzzzzzzzz\"; `fwbench list keys` names them all" },
	{ "connections: 3\n", "a.yaml:1:1: unknown key \"connections\" here; it is load.connections" },
	{ "load.connections: 3\n", "a.yaml:1:1: unknown key \"load.connections\" here; write it as load: {connections: …}" },
	{ "lab: {connections: 3}\n", "a.yaml:1:7: unknown key \"connections\" in lab; it is load.connections" },
	{ "published: 4Mbit\n", "a.yaml:1:1: published is given in rows only" },
	{ "matrix: {conections: [1]}\n", "a.yaml:1:10: matrix: unknown key \"conections\"; the nearest is \"connections\"" },
	{ "matrix: {load.conections: [1]}\n", "a.yaml:1:10: matrix: unknown key \"load.conections\"; the nearest is \"load.connections\"" },
	{ "matrix: {kind: [none]}\n", "a.yaml:1:10: matrix: \"kind\" may be lab.kind or device.kind: write it out" },
	{ "matrix: {repeat: [1, 2]}\n", "a.yaml:1:10: matrix: repeat is one for the whole scenario" },
	{ "matrix: {published: [1Mbit]}\n", "a.yaml:1:10: matrix: published belongs into rows" },
	{ "rows: [{seed: 3}]\n", "a.yaml:1:9: rows: seed is one for the whole scenario" },
	{ "rows: [{conections: 3}]\n", "a.yaml:1:9: rows: unknown key \"conections\"; the nearest is \"connections\"" },

	/* types, words, units, ranges */
	{ "load: 5\n", "a.yaml:1:7: load: expected a mapping of its keys" },
	{ "device: [none, fwref]\n", "a.yaml:1:9: device: expected a mapping of its keys; a list goes into matrix" },
	{ "load: {connections: [1, 2]}\n", "a.yaml:1:21: load.connections: expected one value, not a list; a list goes into matrix" },
	{ "load: {connections: {a: 1}}\n", "a.yaml:1:21: load.connections: expected one value, not a mapping" },
	{ "load: {connections: many}\n", "a.yaml:1:21: load.connections: expected a whole number such as 200 or 10k, not \"many\"" },
	{ "load: {connections: 1.5}\n", "a.yaml:1:21: load.connections: expected a whole number such as 200 or 10k, not \"1.5\"" },
	{ "load: {connections: -3}\n", "a.yaml:1:21: load.connections: expected a whole number such as 200 or 10k, not \"-3\"" },
	{ "load: {connections: 0}\n", "a.yaml:1:21: load.connections: 0 is outside 1 to 1000000" },
	{ "load: {clients: some}\n", "a.yaml:1:17: load.clients: expected a whole number such as 200 or 10k, or auto, not \"some\"" },
	{ "load: {duration: 10}\n", "a.yaml:1:18: load.duration: expected a time with its unit, such as 10s, 500ms or 2min, not \"10\"" },
	{ "load: {duration: 20ms}\n", "a.yaml:1:18: load.duration: 20ms is outside 1s to 24h" },
	{ "load: {warm-up: 0s}\n", "a.yaml:1:17: load.warm-up: 0s is outside 100ms to 10min" },
	{ "policy: {filters: 1, limit: 4}\n", "a.yaml:1:29: policy.limit: expected a rate with its unit, such as 4Mbit, 1.5Gbit/s or 500kB/s, or off, not \"4\"" },
	{ "policy: {filters: 1, limit: 4M}\n", "a.yaml:1:29: policy.limit: expected a rate with its unit, such as 4Mbit, 1.5Gbit/s or 500kB/s, or off, not \"4M\"" },
	{ "policy: {filters: 1, limit: 0bit}\n", "a.yaml:1:29: policy.limit: 0bit is outside 1kbit to 1000Gbit" },
	{ "policy: {inspect: on}\n", "a.yaml:1:19: policy.inspect: expected one of off or tcp, not \"on\"" },
	{ "policy: {nat: maybe}\n", "a.yaml:1:15: policy.nat: expected on or off, not \"maybe\"" },
	{ "ip: 5\n", "a.yaml:1:5: ip: expected 4 or 6, not \"5\"" },
	{ "lab: {topology: ruoted}\n", "a.yaml:1:17: lab.topology: expected one of direct, bridged or routed, not \"ruoted\"; did you mean routed?" },
	{ "lab: {mtu: 100}\n", "a.yaml:1:12: lab.mtu: 100 is outside 576 to 65535" },
	{ "lab: {device-cores: x}\n", "a.yaml:1:21: lab.device-cores: expected cores such as 0, 2-3 or 0,4-7, or auto, not \"x\"" },
	{ "device: {path: kernle}\n", "a.yaml:1:16: device.path: expected one of auto, kernel or user, not \"kernle\"; did you mean kernel?" },
	{ "load: {workload: flood}\n", "a.yaml:1:18: load.workload: expected stream, not \"flood\"" },
	{ "repeat: 0\n", "a.yaml:1:9: repeat: 0 is outside 1 to 1000" },

	/* matrix and rows */
	{ "matrix: [1]\n", "a.yaml:1:9: matrix: expected a mapping of keys to lists, such as {connections: [200, 500]}" },
	{ "matrix: {connections: []}\n", "a.yaml:1:23: matrix: load.connections: an empty list makes no rows" },
	{ "matrix: {connections: [1], load.connections: [2]}\n", "a.yaml:1:28: matrix: load.connections is given twice" },
	{ "matrix: {connections: [200, 2oo]}\n", "a.yaml:1:29: load.connections: expected a whole number such as 200 or 10k, not \"2oo\"" },
	{ "matrix: {ip: [4, 4]}\n", "a.yaml:1:18: two rows are called {\"ip\":4,\"device\":\"fwref\"}: give one of them a name" },
	{ "rows: 3\n", "a.yaml:1:7: rows: expected a list of mappings, such as - {connections: 200, device: none}" },
	{ "rows: [3]\n", "a.yaml:1:8: rows: expected a mapping, such as {connections: 200, device: none}" },
	{ "rows: [{connections: 3, load: {connections: 4}}]\n", "a.yaml:1:32: load.connections is given twice" },
	{ "rows: [{ip: 4}]\nmatrix: {ip: [4, 6]}\n", "a.yaml:2:10: matrix: ip is given in rows too: keep one of them" },
	{ "matrix:\n  connections: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]\n  servers: &l [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]\n  mtu: [1300, 1301, 1302, 1303, 1304, 1305, 1306, 1307, 1308, 1309, 1310, 1311, 1312]\n",
	  "a.yaml:4:3: more than 2000 combinations: split the scenario" },
	{ "baseline: nftables\ndevice: fwref\n", "a.yaml:1:11: baseline is \"nftables\" but no row has a device of that name" },

	/* rules over several keys */
	{ "load: {connections: 200,\n  clients: 300}\n", "a.yaml:2:12: load.clients is 300 but load.connections is 200: every client address needs a connection" },
	{ "load: {connections: 100}\nmatrix:\n  clients: [50, 150]\n", "a.yaml:3:17: load.clients is 150 but load.connections is 100: every client address needs a connection" },
	{ "load: {servers: 300}\n", "a.yaml:1:17: load.servers is 300 but load.connections is 200: every server address needs a connection" },
	{ "load: {connections: 20k, clients: 20k}\n", "a.yaml:1:35: load.clients is 20000 but the lab has 16000 client addresses" },
	{ "load: {connections: 20k, servers: 20k}\n", "a.yaml:1:35: load.servers is 20000 but the lab has 16000 server addresses" },
	{ "load: {connections: 40k, clients: 1}\n", "a.yaml:1:21: load.connections is 40000 but 1 client and 1 server addresses have ports for 28000" },
	{ "policy: {filters: 20000}\n", "a.yaml:1:19: policy.filters is 20000 but the lab has 16000 client addresses to filter" },
	{ "load: {clients: 100}\npolicy: {filters: 20}\n", "a.yaml:2:19: load.clients is 100 but policy.filters is 20: 80 clients would get nothing" },
	{ "device: iptables\n", "a.yaml:1:9: device.kind: iptables is not supported yet; expected one of none, nftables or fwref" },
	{ "matrix: {device: [none, {kind: external}]}\n", "a.yaml:1:32: device.kind: external is not supported yet; expected one of none, nftables or fwref" },
	{ "device: bridge\n", "a.yaml:1:9: device.kind: bridge is not supported yet; expected one of none, nftables or fwref" },
	{ "device: iptable\n", "a.yaml:1:9: device.kind: expected one of none, nftables or fwref, not \"iptable\"; did you mean nftables?" },
	{ "policy: {limit: 4Mbit}\n", "a.yaml:1:17: policy.limit is given but policy.filters is 0: a limit belongs to a filter" },
	{ "policy: {filters: 3, burst: 64KiB}\n", "a.yaml:1:29: policy.burst is given but policy.limit is off: a burst belongs to a limit" },
	{ "policy: {filters: 500, nat: on}\nload: {connections: 30k}\n", "a.yaml:1:29: load.connections is 30000 but one NAT address to 1 server addresses is sure of ports for 28000; more load.servers help" },
	{ "lab: {topology: direct}\n", "a.yaml:1:17: lab.topology is direct but device is fwref: direct has no device in the middle, say device: none" },
	{ "ip: 6\nlab: {mtu: 1000}\n", "a.yaml:2:12: lab.mtu is 1000 but ip is 6: IPv6 needs 1280 at least" },
	{ "lab: {device-cores: 0-1, generator-cores: 1-2}\n", "a.yaml:1:21: core 1 is in lab.device-cores and in lab.generator-cores: the device's CPU could not be told apart" },

	/* anchors that go too far */
	{ "x: &a [*a]\n", "a.yaml:1:4: nested deeper than 16 levels" },
	{ "<<: 3\n", "a.yaml:1:5: << expects a mapping, as in <<: *anchor" },
};

static void test_bad_scenarios(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(bad); i++) {
		struct scenario *scenario = NULL;
		char said[1024], expected[1024];

		file_write_text("a.yaml", bad[i].text);
		assert_int_not_equal(load_said("a.yaml", NULL, &scenario, said, sizeof(said)), 0);
		assert_null(scenario);
		snprintf(expected, sizeof(expected), "fwbench: %s\n", bad[i].said);
		assert_string_equal(said, expected);
	}
}

static void test_unreadable(void **state)
{
	struct scenario *scenario = NULL;
	char said[1024];

	(void)state;
	assert_int_not_equal(load_said("not-there.yaml", NULL, &scenario, said, sizeof(said)), 0);
	assert_string_equal(said, "fwbench: not-there.yaml: No such file or directory\n");
	assert_int_not_equal(load_said("/tmp", NULL, &scenario, said, sizeof(said)), 0);
	assert_string_equal(said, "fwbench: /tmp: is a folder; a scenario is a file\n");
	file_write_text("a.yaml", "title: \xff\xfe\n");
	assert_int_not_equal(load_said("a.yaml", NULL, &scenario, said, sizeof(said)), 0);
	assert_string_equal(said, "fwbench: a.yaml: byte 7: not UTF-8 text: invalid leading UTF-8 octet\n");
}

/* ---- include ------------------------------------------------------------- */

static void assert_refused(const char *path, const char *expected)
{
	struct scenario *scenario = NULL;
	char said[1024];

	assert_int_not_equal(load_said(path, NULL, &scenario, said, sizeof(said)), 0);
	assert_string_equal(said, expected);
}

static void test_include(void **state)
{
	struct scenario *s;

	(void)state;
	assert_int_equal(mkdir("sub", 0700), 0);
	/* Relative to the file that includes, not to where one stands. */
	file_write_text("sub/d.yaml", "include: ../b.yaml\nload: {connections: 50}\n");
	file_write_text("b.yaml", "title: base\nload: {connections: 10, clients: 5, duration: 3s}\n"
				  "matrix: {ip: [4, 6], load.mtu: ~}\n");
	assert_refused("b.yaml", "fwbench: b.yaml:3:22: matrix: unknown key \"load.mtu\"; the nearest is \"lab.mtu\"\n");
	file_write_text("b.yaml", "title: base\nload: {connections: 10, clients: 5, duration: 3s}\n"
				  "matrix: {ip: [4, 6], mtu: [1400, 1500]}\n");
	s = load_text("include: [sub/d.yaml]\nload: {clients: 7}\nmatrix: {lab.mtu: ~}\n", NULL);
	assert_string_equal(scenario_title(s), "base");
	assert_rows(s, "{\"ip\":4,\"device\":\"fwref\"}\n{\"ip\":6,\"device\":\"fwref\"}\n");
	assert_int_equal(scenario_row(s, 0)->settings.load.connections, 50);
	assert_int_equal(scenario_row(s, 0)->settings.load.clients, 7);
	assert_int_equal(scenario_row(s, 0)->settings.load.duration_ns, 3000000000ull);
	scenario_free(s);
}

static void test_include_order(void **state)
{
	struct scenario *s;

	(void)state;
	file_write_text("b.yaml", "load: {connections: 10}\nrepeat: 2\ndevice: {kind: fwref, path: user}\n");
	file_write_text("c.yaml", "load: {connections: 20}\ndevice: none\n");
	/* The later wins, and the file itself over all; a null takes back. */
	s = load_text("include:\n  - b.yaml\n  - c.yaml\nrepeat: ~\n", NULL);
	assert_int_equal(scenario_row(s, 0)->settings.load.connections, 20);
	assert_string_equal(scenario_row(s, 0)->device_name, "none");
	assert_int_equal(scenario_repeat(s), 5);
	scenario_free(s);
}

static void test_include_wrong(void **state)
{
	(void)state;
	file_write_text("a.yaml", "title: a\ninclude: b.yaml\n");
	file_write_text("b.yaml", "include: [c.yaml]\n");
	file_write_text("c.yaml", "include: ./a.yaml\n");
	assert_refused("a.yaml", "fwbench: c.yaml:1:10: include goes in a circle: a.yaml > b.yaml > c.yaml > ./a.yaml\n");
	file_write_text("c.yaml", "include: nowhere.yaml\n");
	assert_refused("a.yaml", "fwbench: c.yaml:1:10: include: nowhere.yaml: No such file or directory\n");
	file_write_text("c.yaml", "load: {conections: 1}\n");
	assert_refused("a.yaml", "fwbench: c.yaml:1:8: unknown key \"conections\"; the nearest is \"connections\"\n");
	file_write_text("c.yaml", "include: {a: b}\n");
	assert_refused("a.yaml", "fwbench: c.yaml:1:10: include: expected a file or a list of files\n");
}

/* ---- matrix and rows ----------------------------------------------------- */

static void test_three_lines(void **state)
{
	struct scenario *s = load_text("title: T\nmatrix:\n  device: [none, nftables, fwref]\n", NULL);
	const struct settings *row;

	(void)state;
	assert_rows(s, "{\"device\":\"none\"}\n{\"device\":\"nftables\"}\n{\"device\":\"fwref\"}\n");
	row = &scenario_row(s, 2)->settings;
	assert_int_equal(row->ip, 4);
	assert_int_equal(row->lab.topology, TOPOLOGY_ROUTED);
	assert_false(row->lab.segmentation_offload);
	assert_int_equal(row->lab.mtu_bytes, 1500);
	assert_string_equal(row->load.workload, "stream");
	assert_int_equal(row->load.direction, DIRECTION_BOTH);
	assert_int_equal(row->load.connections, 200);
	assert_int_equal(row->load.clients, 200);
	assert_int_equal(row->load.warm_up_ns, 2000000000ull);
	assert_true(row->policy.present);
	assert_int_equal(row->policy.filters, 0);
	assert_false(scenario_row(s, 0)->settings.policy.present);
	assert_int_equal(scenario_repeat(s), 5);
	scenario_free(s);
}

/* What some editors make of the same text. */
static void test_other_text_files(void **state)
{
	static const char *const texts[] = {
		"\xef\xbb\xbfload: {connections: 7}\nip: 6\n",
		"\xef\xbb\xbf# a comment\r\nload: {connections: 7}\r\nip: 6\r\n",
		"load: {connections: 7}\rip: 6\r",
		"load: {connections: 7}\nip: 6",
	};

	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(texts); i++) {
		struct scenario *s = load_text(texts[i], NULL);

		assert_int_equal(scenario_row(s, 0)->settings.load.connections, 7);
		assert_int_equal(scenario_row(s, 0)->settings.ip, 6);
		scenario_free(s);
	}
}

static void test_matrix(void **state)
{
	struct scenario *s = load_text(
		"matrix:\n"
		"  connections: [100, 1000]\n"
		"  segmentation-offload: on\n"
		"  device: [none, {name: slow, kind: nftables, style: linear}, {kind: fwref, path: user}]\n"
		"  policy:\n"
		"    - {filters: 50, inspect: tcp}\n"
		"    - {name: N, nat: on}\n", NULL);

	(void)state;
	/* none once for both policies; a name is made where none is given. */
	assert_rows(s,
		"{\"connections\":100,\"segmentation-offload\":\"on\",\"device\":\"none\",\"policy\":null}\n"
		"{\"connections\":100,\"segmentation-offload\":\"on\",\"device\":\"slow\",\"policy\":\"50 filters + inspection\"}\n"
		"{\"connections\":100,\"segmentation-offload\":\"on\",\"device\":\"slow\",\"policy\":\"N\"}\n"
		"{\"connections\":100,\"segmentation-offload\":\"on\",\"device\":\"fwref user\",\"policy\":\"50 filters + inspection\"}\n"
		"{\"connections\":100,\"segmentation-offload\":\"on\",\"device\":\"fwref user\",\"policy\":\"N\"}\n"
		"{\"connections\":1000,\"segmentation-offload\":\"on\",\"device\":\"none\",\"policy\":null}\n"
		"{\"connections\":1000,\"segmentation-offload\":\"on\",\"device\":\"slow\",\"policy\":\"50 filters + inspection\"}\n"
		"{\"connections\":1000,\"segmentation-offload\":\"on\",\"device\":\"slow\",\"policy\":\"N\"}\n"
		"{\"connections\":1000,\"segmentation-offload\":\"on\",\"device\":\"fwref user\",\"policy\":\"50 filters + inspection\"}\n"
		"{\"connections\":1000,\"segmentation-offload\":\"on\",\"device\":\"fwref user\",\"policy\":\"N\"}\n");
	/* clients: filters, else connections up to 500 */
	assert_int_equal(scenario_row(s, 0)->settings.load.clients, 100);
	assert_int_equal(scenario_row(s, 1)->settings.load.clients, 50);
	assert_int_equal(scenario_row(s, 7)->settings.load.clients, 500);
	assert_int_equal(scenario_row(s, 1)->settings.device.style, STYLE_LINEAR);
	assert_int_equal(scenario_row(s, 3)->settings.device.path, PATH_USER);
	scenario_free(s);
}

static void test_matrix_leaves(void **state)
{
	struct scenario *s = load_text(
		"policy: {filters: 20}\nload: {connections: 20}\n"
		"matrix: {device: [none, fwref], inspect: [off, tcp], load.write-size: [auto, 64KiB], limit: 4Mbit,\n"
		"  device.path: [kernel, user]}\n",
		&(struct overrides){ .set = (const char *const[]){ "device.path=user", NULL } });

	(void)state;
	assert_rows(s,
		"{\"device\":\"none\",\"inspect\":null,\"write-size\":\"auto\",\"limit\":null,\"path\":null}\n"
		"{\"device\":\"none\",\"inspect\":null,\"write-size\":65536,\"limit\":null,\"path\":null}\n"
		"{\"device\":\"fwref user\",\"inspect\":\"off\",\"write-size\":\"auto\",\"limit\":\"4Mbit\",\"path\":\"user\"}\n"
		"{\"device\":\"fwref user\",\"inspect\":\"off\",\"write-size\":65536,\"limit\":\"4Mbit\",\"path\":\"user\"}\n"
		"{\"device\":\"fwref user\",\"inspect\":\"tcp\",\"write-size\":\"auto\",\"limit\":\"4Mbit\",\"path\":\"user\"}\n"
		"{\"device\":\"fwref user\",\"inspect\":\"tcp\",\"write-size\":65536,\"limit\":\"4Mbit\",\"path\":\"user\"}\n");
	scenario_free(s);
}

static void test_rows(void **state)
{
	struct scenario *s = load_text(
		"rows:\n"
		"  - {connections: 200, device: none, published: 1400Mbit}\n"
		"  - {name: mine, load: {connections: 500}, policy: {filters: 100}}\n"
		"matrix: {ip: [4, 6]}\n", NULL);

	(void)state;
	assert_rows(s,
		"{\"name\":null,\"connections\":200,\"device\":\"none\",\"policy\":null,\"ip\":4}\n"
		"{\"name\":null,\"connections\":200,\"device\":\"none\",\"policy\":null,\"ip\":6}\n"
		"{\"name\":\"mine\",\"connections\":500,\"device\":\"fwref\",\"policy\":\"100 filters\",\"ip\":4}\n"
		"{\"name\":\"mine\",\"connections\":500,\"device\":\"fwref\",\"policy\":\"100 filters\",\"ip\":6}\n");
	assert_int_equal(scenario_row(s, 0)->settings.published_bps, 1400000000);
	assert_int_equal(scenario_row(s, 2)->settings.published_bps, 0);
	scenario_free(s);
}

static void test_anchors(void **state)
{
	struct scenario *s = load_text(
		"matrix:\n"
		"  policy:\n"
		"    - &base {name: plain, filters: 20, limit: 4Mbit}\n"
		"    - {<<: *base, name: inspected, inspect: tcp}\n"
		"  connections: &n [20, 30]\n"
		"  clients: [20]\n", NULL);

	(void)state;
	assert_int_equal(scenario_row_count(s), 4);
	assert_int_equal(scenario_row(s, 2)->settings.policy.filters, 20);
	assert_int_equal(scenario_row(s, 2)->settings.policy.limit_bps, 4000000);
	assert_int_equal(scenario_row(s, 2)->settings.policy.inspect, INSPECT_TCP);
	scenario_free(s);
}

/* ---- the command line ---------------------------------------------------- */

static const struct {
	const char *set, *said;
} bad_sets[] = {
	{ "load.duration", "--set load.duration: expected KEY=VALUE, such as load.duration=5s" },
	{ "=3", "--set =3: expected KEY=VALUE, such as load.duration=5s" },
	{ "load.duration=5", "--set load.duration=5: load.duration: expected a time with its unit, such as 10s, 500ms or 2min, not \"5\"" },
	{ "duratoin=5s", "--set duratoin=5s: unknown key \"duratoin\"; the nearest is \"duration\"" },
	{ "kind=none", "--set kind=none: \"kind\" may be lab.kind or device.kind: write it out" },
	{ "published=4Mbit", "--set published=4Mbit: published is given in rows only" },
	{ "matrix.connections=[1, x]", "--set matrix.connections=[1, x]:1:5: load.connections: expected a whole number such as 200 or 10k, not \"x\"" },
	{ "matrix.connections=[", "--set matrix.connections=[:2:1: not YAML: did not find expected node content, while parsing a flow node" },
};

static void test_bad_sets(void **state)
{
	(void)state;
	file_write_text("a.yaml", "title: a\n");
	for (unsigned i = 0; i < ARRAY_LEN(bad_sets); i++) {
		const struct overrides o = { .set = (const char *const[]){ bad_sets[i].set, NULL } };
		struct scenario *scenario = NULL;
		char said[1024], expected[1024];

		assert_int_not_equal(load_said("a.yaml", &o, &scenario, said, sizeof(said)), 0);
		snprintf(expected, sizeof(expected), "fwbench: %s\n", bad_sets[i].said);
		assert_string_equal(said, expected);
	}
}

/* A setting of the command line wins wherever the key is given. */
static void test_set_wins(void **state)
{
	static const char text[] =
		"load: {connections: 30}\n"
		"matrix:\n"
		"  connections: [200, 500]\n"
		"  device: [none, fwref]\n"
		"  policy: [{name: a, filters: 20}, {name: b, nat: on}]\n";
	struct scenario *s;

	(void)state;
	s = load_text(text, &(struct overrides){ .set = (const char *const[]){ "connections=40",
		"policy.filters=10", "load.duration=5s", "repeat=1", NULL } });
	assert_rows(s, "{\"connections\":40,\"device\":\"none\",\"policy\":null}\n"
		       "{\"connections\":40,\"device\":\"fwref\",\"policy\":\"a, filters 10\"}\n"
		       "{\"connections\":40,\"device\":\"fwref\",\"policy\":\"b, filters 10\"}\n");
	assert_int_equal(scenario_row(s, 1)->settings.policy.filters, 10);
	assert_int_equal(scenario_row(s, 2)->settings.policy.filters, 10);
	assert_int_equal(scenario_row(s, 2)->settings.load.duration_ns, 5000000000ull);
	assert_int_equal(scenario_repeat(s), 1);
	scenario_free(s);
	s = load_text(text, &(struct overrides){ .set = (const char *const[]){ "device=nftables",
		"matrix.connections=[20]", "policy={filters: 5}", NULL } });
	assert_rows(s, "{\"connections\":20,\"device\":\"nftables\",\"policy\":\"5 filters\"}\n");
	scenario_free(s);
	s = load_text("rows: [{connections: 10, ip: 4}, {connections: 20, ip: 6}]\n",
		&(struct overrides){ .set = (const char *const[]){ "load.connections=5", NULL } });
	assert_rows(s, "{\"connections\":5,\"ip\":4,\"device\":\"fwref\"}\n"
		       "{\"connections\":5,\"ip\":6,\"device\":\"fwref\"}\n");
	scenario_free(s);
}

/* A name of a policy does not hide what the command line made of it. */
static const struct {
	const char *text, *set, *names[2];
} renames[] = {
	{ "matrix: {policy: [{name: a, filters: 9}, {name: b, filters: 9, limit: 4Mbit}]}\n", "limit=4000kbit",
	  { "a, limit 4Mbit", "b" } },
	{ "matrix: {policy: [{name: a, filters: 9}, {filters: 9, nat: on}]}\n", "policy.limit=4Mbit",
	  { "a, limit 4Mbit", "9 filters + NAT + limit 4Mbit" } },
	{ "policy: {filters: 9}\nmatrix: {policy: [{name: a}, {name: b, filters: 7}]}\n", "filters=7",
	  { "a, filters 7", "b" } },
	{ "rows: [{policy: {name: a, filters: 9, nat: on}}, {policy: {name: b, filters: 9}}]\n", "nat=off",
	  { "a, nat off", "b" } },
	{ "policy: {name: a, filters: 9}\nmatrix: {ip: [4, 6]}\n", "inspect=tcp",
	  { "a, inspect tcp", "a, inspect tcp" } },
	{ "policy: {filters: 9}\nmatrix: {policy: [{name: a}, {name: b}], limit: off}\n", "limit=4Mbit", { "a", "b" } },
	{ "policy: {filters: 9}\nmatrix: {policy: [{name: a}, {name: b}]}\n", "policy.burst=~", { "a", "b" } },
	{ "policy: {filters: 9}\nmatrix: {policy: [{name: \"1234567890123456789012345678901234567890123456789012345678901234567890\"},\n"
	  "  {name: \"123456789012345678901234567890123456789012345678901234567890123é\"}]}\n", "limit=4Mbit",
	  { "123456789012345678901234567890123456789012345678901234567890123456, limit 4Mbit",
	    "123456789012345678901234567890123456789012345678901234567890123é, limit 4Mbit" } },
	{ "policy: {filters: 9}\nmatrix: {policy: [{name: \"12345678901234567890123456789012345678901234567890123456789012345é\"},\n"
	  "  {name: b}]}\n", "limit=4Mbit",
	  { "12345678901234567890123456789012345678901234567890123456789012345, limit 4Mbit", "b, limit 4Mbit" } },
};

static void test_set_renames(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(renames); i++) {
		struct scenario *s = load_text(renames[i].text, &(struct overrides){
			.set = (const char *const[]){ renames[i].set, NULL } });

		for (unsigned r = 0; r < 2; r++)
			assert_string_equal(json_string_value(json_object_get(scenario_row(s, r)->key, "policy")),
					    renames[i].names[r]);
		scenario_free(s);
	}
}

static void test_device_filter(void **state)
{
	const struct overrides fwref = { .devices = (const char *const[]){ "fwref", NULL } };
	const struct overrides two = { .devices = (const char *const[]){ "none", "slow", NULL } };
	static const char matrix[] = "matrix: {device: [none, {name: slow, kind: nftables}, fwref]}\n";
	static const struct {
		const char *text, *named;
		const char *devices[3];
	} missing[] = {
		{ "device: none\n", "fwref", { "fwref" } },
		{ matrix, "nftabels", { "fwref", "nftabels" } },
		{ "device: fwref\n", "", { "" } },
	};
	struct scenario *s;
	char said[1024];

	(void)state;
	s = load_text(matrix, &fwref);
	assert_rows(s, "{\"device\":\"fwref\"}\n");
	scenario_free(s);
	s = load_text(matrix, &two);
	assert_rows(s, "{\"device\":\"none\"}\n{\"device\":\"slow\"}\n");
	scenario_free(s);
	s = load_text("device: fwref\nrows: [{ip: 4}, {ip: 4, device: none}, {ip: 6}]\n", &fwref);
	assert_rows(s, "{\"ip\":4,\"device\":\"fwref\"}\n{\"ip\":6,\"device\":\"fwref\"}\n");
	scenario_free(s);
	/* A device that does not say its kind has the default one. */
	s = load_text("matrix: {device: [none, {path: user}]}\n", &fwref);
	assert_rows(s, "{\"device\":\"fwref user\"}\n");
	scenario_free(s);
	for (unsigned i = 0; i < ARRAY_LEN(missing); i++) {
		const struct overrides overrides = { .devices = missing[i].devices };
		char expected[256];

		file_write_text("a.yaml", missing[i].text);
		assert_int_not_equal(load_said("a.yaml", &overrides, &s, said, sizeof(said)), 0);
		snprintf(expected, sizeof(expected), "fwbench: --device %s: a.yaml has no such device; "
			 "`fwbench check a.yaml` shows its rows\n", missing[i].named);
		assert_string_equal(said, expected);
	}
}

/* ---- the resolved scenario runs again as it stands ------------------------ */

static const char *const round_trips[] = {
	"{}\n",
	"title: \"a: b # c \\\"d\\\" ~\"\ndevice: {name: \"on\", kind: fwref, path: user}\n",
	"title: 'null'\nload: {duration: 1500ms, warm-up: 90s, write-size: 64KiB}\nseed: 12345678901\n",
	"lab: {device-cores: '0,2-3', generator-cores: 4-5, mtu: 9000, segmentation-offload: on}\n",
	"policy: {filters: 7, limit: 1500kbit, burst: 64KiB, nat: yes}\nrequire: saturated\nbaseline: none\n",
	"matrix: {device: [none, {name: \"~\", kind: nftables, style: linear}, fwref], limit: [off, 4Mbit], filters: 9}\n",
	"matrix: {ip: [4, 6], policy: [{filters: 3}, {nat: off, name: 'yes'}]}\nrepeat: 2\n",
	"matrix: {policy: [{filters: 3}, {name: , inspect: tcp}]}\n",
	"rows: [{device: none, published: 1400Mbit, name: x}, {connections: 9, policy: {filters: 2}}]\nmatrix: {ip: [6, 4]}\n",
};

static void test_round_trip(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(round_trips); i++) {
		struct scenario *one = load_text(round_trips[i], NULL), *two = NULL;
		OWN_MEM char *first = scenario_resolved(one), *second = NULL, *rows = rows_text(one);
		char said[1024];

		file_write_text("resolved.yaml", first);
		if (load_said("resolved.yaml", NULL, &two, said, sizeof(said)))
			fail_msg("%s%s", said, first);
		second = scenario_resolved(two);
		assert_string_equal(first, second);
		assert_rows(two, rows);
		assert_string_equal(scenario_title(one), scenario_title(two));
		assert_int_equal(scenario_seed(one), scenario_seed(two));
		assert_int_equal(scenario_repeat(one), scenario_repeat(two));
		for (unsigned r = 0; r < scenario_row_count(one); r++)
			assert_memory_equal(&scenario_row(one, r)->settings, &scenario_row(two, r)->settings,
					    sizeof(struct settings));
		scenario_free(one);
		scenario_free(two);
	}
}

int main(void)
{
#define FILES_TEST(test) cmocka_unit_test_setup_teardown(test, files_setup, files_teardown)
	const struct CMUnitTest tests[] = {
		FILES_TEST(test_bad_scenarios), FILES_TEST(test_unreadable), FILES_TEST(test_include),
		FILES_TEST(test_include_order), FILES_TEST(test_include_wrong), FILES_TEST(test_three_lines),
		FILES_TEST(test_other_text_files), FILES_TEST(test_matrix), FILES_TEST(test_matrix_leaves),
		FILES_TEST(test_rows),
		FILES_TEST(test_anchors), FILES_TEST(test_bad_sets), FILES_TEST(test_set_wins),
		FILES_TEST(test_set_renames),
		FILES_TEST(test_device_filter), FILES_TEST(test_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
