/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "firewall-ref/policy.h"

/* Texts and the first note they bring, as `fwref check p` prints it. */
static const struct mistake {
	const char *text, *note;
} mistakes[] = {
	{ "permt tcp from any to any",
	  "p:1:1: expected permit, deny or a setting, got \"permt\" (did you mean \"permit\"?)" },
	{ "permit tcp form any to any",
	  "p:1:12: expected from or between, got \"form\" (did you mean \"from\"?)" },
	{ "# a comment\n\n\tpermit tpc from any to any",
	  "p:3:9: expected a protocol (ip, tcp, udp, icmp, icmp6 or 0-255), got \"tpc\" "
	  "(did you mean \"tcp\"?)" },
	{ "permit 256 from any to any",
	  "p:1:8: expected a protocol (ip, tcp, udp, icmp, icmp6 or 0-255), got \"256\"" },
	{ "permit ip from 10.0.0.0/33 to any",
	  "p:1:16: expected an address, a prefix or any, got \"10.0.0.0/33\"" },
	{ "permit ip from 10.0.0.1/8 to any", "p:1:16: 10.0.0.1/8 has address bits behind its length" },
	{ "permit ip from 10.0.0.0/8 to 2001:db8::/32",
	  "p:1:30: 2001:db8::/32 is IPv6, but the rule is IPv4 by then" },
	{ "permit icmp from any to ::1", "p:1:25: ::1 is IPv6, but the rule is IPv4 by then" },
	{ "permit icmp6 from 10.0.0.1 to any", "p:1:19: 10.0.0.1 is IPv4, but the rule is IPv6 by then" },
	{ "permit ip from any", "p:1:19: expected to, got the end of the line" },
	{ "permit ip between any to any", "p:1:23: expected and, got \"to\"" },
	{ "permit ip from any and any", "p:1:20: expected to, got \"and\"" },
	{ "permit ip from any to any port 80",
	  "p:1:27: only tcp and udp have ports; write permit tcp … and permit udp …" },
	{ "permit icmp from any port 8 to any",
	  "p:1:22: only tcp and udp have ports; write permit tcp … and permit udp …" },
	{ "permit tcp from any to any port 80, 443",
	  "p:1:36: expected a port beside the comma, got nothing (a list has no spaces)" },
	{ "permit tcp from any to any port ,80",
	  "p:1:33: expected a port beside the comma, got nothing (a list has no spaces)" },
	{ "permit tcp from any to any port 80,65536",
	  "p:1:36: expected a port (0-65535) or a range such as 8000-8100, got \"65536\"" },
	{ "permit tcp from any to any port 80-",
	  "p:1:33: expected a port (0-65535) or a range such as 8000-8100, got \"80-\"" },
	{ "permit tcp from any to any port 90-80", "p:1:33: the range 90-80 ends before it begins" },
	{ "permit tcp from any to any port 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
	  "p:1:33: more than 16 ports and ranges in one list" },
	{ "permit tcp from any to any port",
	  "p:1:32: expected a port, or a list such as 80,443,8000-8100, got the end of the line" },
	{ "deny ip from any to any limit 1Mbit", "p:1:25: a deny has no limit" },
	{ "permit ip from any to any limit 1M",
	  "p:1:33: expected a rate with its unit, such as 4Mbit, 1.5Gbit/s or 500kB/s, got \"1M\"" },
	{ "permit ip from any to any limit 1bit", "p:1:33: a limit is 1 kbit/s to 400 Gbit/s" },
	{ "permit ip from any to any limit 401Gbit", "p:1:33: a limit is 1 kbit/s to 400 Gbit/s" },
	{ "permit ip from any to any limit 1Mbit limit 2Mbit", "p:1:39: the rule has a limit already" },
	{ "permit ip from any to any limit 1Mbit burst 3",
	  "p:1:45: a burst is 1500 to 1073741823 bytes" },
	{ "permit ip from any to any limit 1Mbit burst",
	  "p:1:44: expected a size such as 1500, 64KiB or 1MB, got the end of the line" },
	{ "permit ip from any to any burst 64KiB",
	  "p:1:27: expected limit or the end of the line, got \"burst\"" },
	{ "permit ip from any to any limt 1Mbit",
	  "p:1:27: expected limit or the end of the line, got \"limt\" (did you mean \"limit\"?)" },
	{ "permit ip from any to any log", "p:1:27: \"log\" is not supported yet" },
	{ "permit ip from any to any max-connections 4",
	  "p:1:27: \"max-connections\" is not supported yet" },
	{ "protect ip from any to any", "p:1:1: \"protect\" is not supported yet" },
	{ "reject ip from any to any", "p:1:1: \"reject\" is not supported yet" },
	{ "inspect ips on", "p:1:9: \"ips\" is not supported yet" },
	{ "classifier hash", "p:1:12: expected tuple or linear, got \"hash\"" },
	{ "classifier tupel",
	  "p:1:12: expected tuple or linear, got \"tupel\" (did you mean \"tuple\"?)" },
	{ "inspect tcp yes", "p:1:13: expected on or off, got \"yes\"" },
	{ "inspect tcp on\ninspect tcp off", "p:2:1: given already in line 1" },
	{ "nat 2001:db8::/32 to interface", "p:1:5: NAT of an IPv6 prefix is unsupported for now" },
	{ "nat 10.0.0.0/8 to 0.0.0.0", "p:1:19: 0.0.0.0 is no address that answers come back to" },
	{ "nat 10.0.0.0/8 to 127.0.0.1", "p:1:19: 127.0.0.1 is no address that answers come back to" },
	{ "nat 10.0.0.0/8 to 224.0.0.1", "p:1:19: 224.0.0.1 is no address that answers come back to" },
	{ "nat 10.0.0.0/8 to 255.255.255.255",
	  "p:1:19: 255.255.255.255 is no address that answers come back to" },
	{ "nat 10.0.0.0/8 to 2001:db8::1", "p:1:19: NAT to an IPv6 address is unsupported for now" },
	{ "nat 10.0.0.0/8 to 10.1.2.3",
	  "p:1:19: 10.1.2.3 is itself in the prefix that is translated" },
	{ "nat 10.0.0.0/8 interface",
	  "p:1:16: expected to, got \"interface\"" },
	{ "nat 10.0.0.0/8 to interfaces",
	  "p:1:19: expected interface or an IPv4 address, got \"interfaces\" "
	  "(did you mean \"interface\"?)" },
	{ "flow-table 4", "p:1:12: a flow table has 16 to 4194304 flows" },
	{ "flow-table many", "p:1:12: expected a number of flows, got \"many\"" },
	{ "timeout established 5", "p:1:21: expected a time with its unit, such as 10s, 500ms or 2min, got \"5\"" },
	{ "timeout udp 10ms", "p:1:13: a timeout is 1s to 30d" },
	{ "timeout udp 1min\ntimeout icmp 1min\ntimeout udp 2min", "p:3:9: given already in line 1" },
	{ "timeout estblished 5d",
	  "p:1:9: expected established, transitory, udp or icmp, got \"estblished\" "
	  "(did you mean \"established\"?)" },
	{ "permit ip from any\1 to any", "p:1:19: a control character (0x01) is not text" },
	{ "classifier tuple linear", "p:1:18: expected the end of the line, got \"linear\"" },
	{ "deny ip from any to any",
	  "p:1:1: warning: no rule permits anything: every packet is dropped" },
	{ "", "p:1:1: warning: no rule permits anything: every packet is dropped" },
};

static char *first_note(char *out, size_t size, const struct policy *policy)
{
	FILE *f = fmemopen(out, size, "w");

	assert_non_null(f);
	if (policy->note_count)
		policy_note_print(f, policy, &policy->notes[0]);
	fclose(f);
	out[strcspn(out, "\n")] = '\0';
	return out;
}

static void mistakes_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
		OWN_POLICY struct policy policy;
		char got[512] = "";
		const char *text = mistakes[i].text;
		int error = policy_read_text(&policy, "p", text, strlen(text));

		assert_string_equal(first_note(got, sizeof(got), &policy), mistakes[i].note);
		assert_int_equal(error, strstr(mistakes[i].note, "warning") ? 0 : -EINVAL);
	}
}

static const char whole[] =
	"\xef\xbb\xbf" /* the mark that some editors begin with */
	"# the policy of the manual\r\n"
	"classifier linear\n"
	"inspect tcp off   # every packet\n"
	"nat 198.18.64.0/18 to 198.19.128.1\n"
	"flow-table 10k\n"
	"timeout established 5d\n"
	"permit tcp from 198.18.64.0/24 to any port 443,80,8000-8100,8101\n"
	"  permit ip between 198.18.64.1 and any limit 4 Mbit/s burst 64 KiB # both\n"
	"deny udp from any port 53 to 2001:db8::/32\n"
	"permit icmp6 from any to any\n"
	"permit 47 from any to any limit 1Gbit";

static void a_whole_policy_is_read(void **state)
{
	OWN_POLICY struct policy p;
	const struct policy_rule *r;

	(void)state;
	assert_int_equal(policy_read_text(&p, "p", whole, strlen(whole)), 0);
	assert_int_equal(p.note_count, 0);
	assert_int_equal(p.classifier, POLICY_LINEAR);
	assert_false(p.inspect_tcp);
	assert_true(p.nat.on);
	assert_int_equal(p.nat.address.family, 4);
	assert_int_equal(p.flow_table, 10000);
	assert_int_equal(p.timeout_ns[POLICY_TIMER_ESTABLISHED], 432000000000000ull);
	assert_int_equal(p.timeout_ns[POLICY_TIMER_UDP], 0);
	assert_int_equal(p.rule_count, 5);
	r = &p.rules[0];
	assert_true(r->permit && !r->between && r->protocol == 6 && r->family == 4 && r->line == 7);
	assert_int_equal(r->side[1].ranges, 3); /* 80, 443, 8000-8101 */
	assert_int_equal(p.ranges[r->side[1].range + 2].first, 8000);
	assert_int_equal(p.ranges[r->side[1].range + 2].last, 8101);
	r = &p.rules[1];
	assert_true(r->between && r->protocol == POLICY_PROTOCOL_ANY);
	assert_int_equal(r->rate_bps, 4000000);
	assert_int_equal(r->burst_bytes, 65536);
	assert_string_equal(policy_text(&p, r),
			    "permit ip between 198.18.64.1 and any limit 4 Mbit/s burst 64 KiB");
	assert_true(!p.rules[2].permit && p.rules[2].family == 6 && p.rules[2].side[0].ranges == 1);
	assert_int_equal(p.rules[3].family, 6);
	assert_int_equal(p.rules[4].protocol, 47);
	assert_int_equal(p.rules[4].burst_bytes, 125000000);
}

/* field-cases.md 10 and 5: rates are 64-bit and come back as they were written. */
static void case_10_rates_do_not_wrap(void **state)
{
	static const struct {
		const char *rate;
		uint64_t bps;
	} rates[] = {
		{ "1Mbit", 1000000 }, { "4294Mbit", 4294000000 }, { "4295Mbit", 4295000000 },
		{ "10Gbit", 10000000000 }, { "100Gbit/s", 100000000000 }, { "100kB", 800000 },
		{ "100 kbit/s", 100000 }, { "100Mbps", 100000000 }, { "100MBps", 800000000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rates); i++) {
		OWN_POLICY struct policy p;
		char text[100];

		snprintf(text, sizeof(text), "permit ip from any to any limit %s", rates[i].rate);
		assert_int_equal(policy_read_text(&p, "p", text, strlen(text)), 0);
		assert_int_equal(p.rules[0].rate_bps, rates[i].bps);
	}
}

static void every_mistake_is_counted(void **state)
{
	OWN_POLICY struct policy p;
	OWN_MEM char *text = malloc(30 * 10 + 1);
	char line[300];

	(void)state;
	assert_non_null(text);
	*text = '\0';
	for (int i = 0; i < 30; i++)
		strcat(text, i % 3 ? "nonsense\n" : "\n");
	assert_int_equal(policy_read_text(&p, "p", text, strlen(text)), -EINVAL);
	assert_int_equal(p.errors, 20);
	assert_int_equal(p.note_count, 20);
	assert_string_equal(policy_first_error(line, sizeof(line), &p),
			    "p:2:1: expected permit, deny or a setting, got \"nonsense\"");
}

static void a_long_line_is_refused(void **state)
{
	OWN_POLICY struct policy p;
	char text[POLICY_LINE_MAX + 100];

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(policy_read_text(&p, "p", text, sizeof(text)), -EINVAL);
	assert_string_equal(p.notes[0].text, "the line is longer than 1024 bytes");
	policy_free(&p);
	memset(text, ' ', sizeof(text));
	text[0] = '#';
	assert_int_equal(policy_read_text(&p, "p", text, sizeof(text)), 0);
}

static void files_that_cannot_be_read(void **state)
{
	OWN_POLICY struct policy p;
	char line[300];

	(void)state;
	assert_int_equal(policy_read_file(&p, "/nonexistent/policy"), -ENOENT);
	assert_string_equal(policy_first_error(line, sizeof(line), &p),
			    "/nonexistent/policy: cannot read: No such file or directory");
	policy_free(&p);
	assert_int_equal(policy_read_file(&p, "/"), -EISDIR);
}

/* What policy_lint adds: "line:text" of each warning, in order; NULL ends. */
static const struct lint {
	const char *text;
	const char *notes[3];
} lints[] = {
	{ "permit ip from any to any\npermit tcp from 10.0.0.1 to any port 80",
	  { "2:never matches: line 1 covers it" } },
	{ "permit tcp from any to any port 80-90\npermit tcp from 10.0.0.1 to any port 85,90",
	  { "2:never matches: line 1 covers it" } },
	{ "permit tcp from any to any port 80-90\npermit tcp from 10.0.0.1 to any port 85,91", { 0 } },
	{ "permit ip from 10.0.0.0/8 to any\npermit ip from any to 10.0.0.0/8", { 0 } },
	{ "permit ip between 10.0.0.0/8 and any\ndeny ip from any to 10.1.0.0/16",
	  { "2:never matches: line 1 covers it" } },
	{ "permit ip from 10.0.0.0/8 to any\ndeny ip between any and 10.1.0.0/16", { 0 } },
	{ "permit ip from 0.0.0.0/0 to any\npermit ip from any to any", { 0 } },
	{ "permit ip from any to any\npermit ip from ::/0 to any",
	  { "2:never matches: line 1 covers it" } },
	{ "permit udp from any to any\npermit 17 from any to any port 1",
	  { "2:never matches: line 1 covers it" } },
	{ "permit ip between 10.0.0.1 and any\npermit ip between any and 10.0.0.1",
	  { "2:never matches: line 1 covers it" } },
	{ "permit tcp between 10.0.0.1 port 80 and any\npermit tcp from any to 10.0.0.1 port 80",
	  { "2:never matches: line 1 covers it" } },
	{ "nat 10.0.0.0/8 to interface\npermit ip from 11.0.0.0/8 to any",
	  { "1:no rule permits anything from the prefix that NAT translates" } },
	{ "nat 10.0.0.0/8 to interface\npermit ip from 10.1.0.0/16 to any", { 0 } },
	{ "nat 10.0.0.0/8 to interface\npermit ip between any and 10.1.0.0/16", { 0 } },
	{ "nat 10.0.0.0/8 to interface\npermit ip from ::/0 to any",
	  { "1:no rule permits anything from the prefix that NAT translates" } },
	{ "permit ip from any to any limit 1Mbit burst 2000",
	  { "1:a burst under 65535 bytes lets a super-packet larger than it pass only when "
	    "it is full (segmentation offload)" } },
};

static void the_whole_is_looked_over(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lints); i++) {
		OWN_POLICY struct policy p;
		size_t n = 0;

		assert_int_equal(policy_read_text(&p, "p", lints[i].text, strlen(lints[i].text)), 0);
		policy_lint(&p);
		for (; n < ARRAY_LEN(lints[i].notes) && lints[i].notes[n]; n++) {
			char got[300];

			assert_true(n < p.note_count);
			snprintf(got, sizeof(got), "%u:%s", p.notes[n].line, p.notes[n].text);
			assert_string_equal(got, lints[i].notes[n]);
		}
		if (p.note_count != n)
			fail_msg("%s: %u notes", lints[i].text, p.note_count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(a_whole_policy_is_read),
		cmocka_unit_test(case_10_rates_do_not_wrap),
		cmocka_unit_test(every_mistake_is_counted),
		cmocka_unit_test(a_long_line_is_refused),
		cmocka_unit_test(files_that_cannot_be_read),
		cmocka_unit_test(the_whole_is_looked_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
