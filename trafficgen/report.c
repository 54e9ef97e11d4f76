/* SPDX-License-Identifier: BSD-2-Clause */
#include "trafficgen/report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"
#include "common/units.h"

static void report_flush(struct report *report)
{
	if ((fflush(stdout) || ferror(stdout)) && !report->broken) {
		report->broken = true;
		log_err(-1, "cannot write results to stdout: %s", strerror(errno));
	}
}

static void report_json(struct report *report, json_t *object)
{
	OWN_MEM char *line = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12));

	json_decref(object);
	if (line)
		puts(line);
	report_flush(report);
}

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *count(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static double seconds(uint64_t from_ns, uint64_t to_ns)
{
	return (double)(to_ns - from_ns) / 1e9;
}

static const char *role_name(const struct options *options)
{
	return options->role == ROLE_CLIENT ? "client" : "server";
}

void report_start(struct report *report, const struct options *options,
		  const struct ports_wanted *ports)
{
	json_t *object;

	*report = (struct report){ .options = options, .start_ns = clock_now_ns() };
	if (!options->json) {
		printf("fwgen %s %s, port %u\n", VERSION, role_name(options), options->port);
		report_flush(report);
		return;
	}
	object = json_pack("{s:s, s:s, s:s, s:s, s:I, s:o}", "event", "start", "role",
			   role_name(options), "version", VERSION, "workload",
			   options->workload->name, "time_ns", (json_int_t)report->start_ns,
			   "options", options_json(options));
	if (ports)
		json_object_set_new(object, "ports",
				    json_pack("{s:I, s:I}", "wanted", (json_int_t)ports->wanted,
					      "found", (json_int_t)ports->found));
	report_json(report, object);
}

void report_ready(struct report *report)
{
	if (report->options->json)
		report_json(report, json_pack("{s:s, s:i, s:I}", "event", "ready", "port",
					      report->options->port, "time_ns",
					      (json_int_t)clock_now_ns()));
	else
		printf("listening on %s\n",
		       *report->options->bind_text ? report->options->bind_text : "all addresses");
	report_flush(report);
}

void report_connected(struct report *report, uint32_t open, uint32_t failed, uint64_t since_ns)
{
	double took = seconds(since_ns, clock_now_ns());
	uint32_t asked = report->options->connections;

	if (report->options->json)
		report_json(report, json_pack("{s:s, s:I, s:I, s:I, s:f}", "event", "connected",
					      "asked", (json_int_t)asked, "open", (json_int_t)open,
					      "failed", (json_int_t)failed, "seconds", took));
	else
		printf("%u of %u connections open after %.3f s\n", open, asked, took);
	report_flush(report);
}

void report_measure(struct report *report, uint64_t now_ns, bool complete)
{
	if (report->options->json)
		report_json(report, json_pack("{s:s, s:I, s:b}", "event", "measure", "time_ns",
					      (json_int_t)now_ns, "all_moved", complete));
	else if (!complete)
		printf("not every connection has moved data; measuring all the same\n");
	report_flush(report);
}

static void interval_text(const struct report *report, const struct test *test,
			  const struct interval *interval)
{
	uint64_t base_ns = test ? test->began_ns : report->start_ns;
	char sent[32], received[32], sent_rate[32], received_rate[32];
	double from = (double)((int64_t)interval->start_ns - (int64_t)base_ns) / 1e9;

	printf("%7.2f-%-7.2f s  sent %9s %11s  received %9s %11s  %u open%s\n",
	       from < 0 ? 0 : from, seconds(base_ns, interval->end_ns),
	       units_print_bytes(sent, sizeof(sent), interval->sent_bytes),
	       units_print_bps(sent_rate, sizeof(sent_rate),
			       meter_bps(interval, interval->sent_bytes)),
	       units_print_bytes(received, sizeof(received), interval->received_bytes),
	       units_print_bps(received_rate, sizeof(received_rate),
			       meter_bps(interval, interval->received_bytes)),
	       interval->connections, interval->omitted ? "  (omitted)" : "");
}

static json_t *test_id(const struct test *test)
{
	char text[17];

	snprintf(text, sizeof(text), "%016" PRIx64, test->hello.test);
	return json_string(text);
}

void report_interval(struct report *report, const struct test *test,
		     const struct interval *interval)
{
	json_t *object;

	if (!report->options->json) {
		interval_text(report, test, interval);
		report_flush(report);
		return;
	}
	object = json_pack("{s:s, s:f, s:f, s:b, s:o, s:o, s:o, s:o, s:I}", "event", "interval",
			   "start_s", seconds(report->start_ns, interval->start_ns), "end_s",
			   seconds(report->start_ns, interval->end_ns), "omitted", interval->omitted,
			   "sent_bytes", count(interval->sent_bytes), "received_bytes",
			   count(interval->received_bytes), "sent_bps",
			   number(meter_bps(interval, interval->sent_bytes)), "received_bps",
			   number(meter_bps(interval, interval->received_bytes)), "connections",
			   (json_int_t)interval->connections);
	if (test)
		json_object_set_new(object, "test", test_id(test));
	report_json(report, object);
}

static json_t *window_json(const struct meter *meter)
{
	const struct interval *w = &meter->window;

	if (!meter->measured)
		return json_pack("{s:n, s:n, s:n, s:n, s:n}", "seconds", "sent_bytes",
				 "received_bytes", "sent_bps", "received_bps");
	return json_pack("{s:f, s:o, s:o, s:o, s:o}", "seconds", seconds(w->start_ns, w->end_ns),
			 "sent_bytes", count(w->sent_bytes), "received_bytes",
			 count(w->received_bytes), "sent_bps", number(meter_bps(w, w->sent_bytes)),
			 "received_bps", number(meter_bps(w, w->received_bytes)));
}

static json_t *total_json(const struct meter *meter)
{
	struct interval total = meter_total(meter);

	return json_pack("{s:f, s:o, s:o}", "seconds", seconds(total.start_ns, total.end_ns),
			 "sent_bytes", count(total.sent_bytes), "received_bytes",
			 count(total.received_bytes));
}

static json_t *count_if(bool known, uint64_t value)
{
	return known ? count(value) : json_null();
}

static json_t *tcp_json(const struct tcp_record *tcp, const char *congestion)
{
	bool any = tcp->connections > 0;
	bool same = any && tcp->header_least_bytes == tcp->header_most_bytes;
	json_t *object = json_object();

	json_object_set_new(object, "segments_out", count_if(any, tcp->segments_out));
	json_object_set_new(object, "segments_in", count_if(any, tcp->segments_in));
	json_object_set_new(object, "data_segments_out", count_if(any, tcp->data_segments_out));
	json_object_set_new(object, "data_segments_in", count_if(any, tcp->data_segments_in));
	json_object_set_new(object, "retransmits", count_if(any, tcp->retransmits));
	json_object_set_new(object, "retransmitted_bytes", count_if(any, tcp->retransmitted_bytes));
	json_object_set_new(object, "header_bytes_per_segment",
			    count_if(same, tcp->header_least_bytes));
	json_object_set_new(object, "mss_least_bytes", count_if(any, tcp->mss_least_bytes));
	json_object_set_new(object, "mss_most_bytes", count_if(any, tcp->mss_most_bytes));
	json_object_set_new(object, "congestion", any ? json_string(congestion) : json_null());
	return object;
}

static json_t *connections_json(const struct summary *summary)
{
	json_t *failed = json_object();

	for (int i = 0; i < TEST_ERRNO_MAX; i++) {
		const char *name = i ? strerrorname_np(i) : NULL;

		if (summary->failed[i])
			json_object_set_new(failed, name ? name : "unknown", count(summary->failed[i]));
	}
	return json_pack("{s:I, s:I, s:o, s:I, s:I}", "asked", (json_int_t)summary->asked, "open",
			 (json_int_t)(summary->counts.open + summary->counts.closed), "failed",
			 failed, "aborted", (json_int_t)summary->counts.aborted, "moved_data",
			 (json_int_t)summary->counts.moved);
}

static json_t *spread_json(const struct spread *spread)
{
	bool any = spread->count > 0;

	return json_pack("{s:o, s:o, s:o}", "least_bytes", count_if(any, spread->least_bytes),
			 "most_bytes", count_if(any, spread->most_bytes), "fairness",
			 number(spread_fairness(spread)));
}

/* VmHWM: ru_maxrss would be inherited from whoever started this program. */
static uint64_t peak_rss_bytes(void)
{
	OWN_FILE FILE *file = fopen("/proc/self/status", "re");
	char line[128];
	uint64_t kib = 0;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmHWM: %" SCNu64, &kib) == 1)
			break;
	return kib * 1024;
}

static json_t *cpu_json(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_SELF, &usage);
	return json_pack("{s:f, s:f}", "user_s",
			 (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6,
			 "system_s",
			 (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6);
}

static json_t *memory_json(const struct summary *summary)
{
	uint64_t peak = peak_rss_bytes();

	return json_pack("{s:o, s:o}", "peak_rss_bytes", count_if(peak > 0, peak), "socket_bytes",
			 count_if(summary->result.socket_known, summary->result.socket_bytes));
}

static json_t *peers_json(const struct peers *peers)
{
	json_t *list = json_array();
	char text[ADDRESS_TEXT_BYTES];

	for (uint32_t i = 0; i < peers->count && i < TEST_PEERS_SHOWN; i++)
		json_array_append_new(list, json_string(address_print(text, sizeof(text),
								      &peers->shown[i])));
	return json_pack("{s:I, s:o}", "count", (json_int_t)peers->count, "addresses", list);
}

static json_t *verified_json(const struct crew_result *result)
{
	return json_pack("{s:I, s:I, s:s?}", "bytes", (json_int_t)result->verified_bytes,
			 "mismatches", (json_int_t)result->mismatches, "first",
			 *result->first_mismatch ? result->first_mismatch : NULL);
}

static void end_text(const struct summary *summary)
{
	const struct interval *w = &summary->meter->window;
	struct interval total = meter_total(summary->meter);
	char a[32], b[32], c[32], d[32];

	if (summary->meter->measured)
		printf("measured %.2f s: sent %s, %s; received %s, %s\n",
		       seconds(w->start_ns, w->end_ns),
		       units_print_bytes(a, sizeof(a), w->sent_bytes),
		       units_print_bps(b, sizeof(b), meter_bps(w, w->sent_bytes)),
		       units_print_bytes(c, sizeof(c), w->received_bytes),
		       units_print_bps(d, sizeof(d), meter_bps(w, w->received_bytes)));
	printf("in all %.2f s: sent %" PRIu64 " bytes, received %" PRIu64 " bytes, "
	       "%" PRIu64 " retransmits\n", seconds(total.start_ns, total.end_ns), total.sent_bytes,
	       total.received_bytes, summary->result.tcp.retransmits);
	printf("connections: %u asked, %u open, %u aborted, %u moved data", summary->asked,
	       summary->counts.open + summary->counts.closed, summary->counts.aborted,
	       summary->counts.moved);
	for (int i = 0; i < TEST_ERRNO_MAX; i++)
		if (summary->failed[i])
			printf(", %u failed (%s)", summary->failed[i], strerrorname_np(i));
	if (summary->result.spread.count)
		printf("; each %s to %s, fairness %.3f",
		       units_print_bytes(a, sizeof(a), summary->result.spread.least_bytes),
		       units_print_bytes(b, sizeof(b), summary->result.spread.most_bytes),
		       spread_fairness(&summary->result.spread));
	printf("\n%s%s\n", summary->reason, summary->complete ? "" : ", not complete");
}

void report_end(struct report *report, const struct summary *summary)
{
	json_t *object;

	if (!report->options->json) {
		end_text(summary);
		report_flush(report);
		return;
	}
	object = json_pack("{s:s, s:s, s:b, s:b, s:o, s:o}", "event", "end", "reason",
			   summary->reason, "complete", summary->complete, "all_moved",
			   summary->all_moved, "window", window_json(summary->meter), "total",
			   total_json(summary->meter));
	json_object_set_new(object, "tcp",
			    tcp_json(&summary->result.tcp, summary->result.congestion));
	json_object_set_new(object, "connections", connections_json(summary));
	json_object_set_new(object, "per_connection", spread_json(&summary->result.spread));
	json_object_set_new(object, "cpu", cpu_json());
	json_object_set_new(object, "memory", memory_json(summary));
	if (summary->result.verified_bytes || summary->result.mismatches)
		json_object_set_new(object, "verified", verified_json(&summary->result));
	if (summary->test) {
		json_object_set_new(object, "test", test_id(summary->test));
		json_object_set_new(object, "peers", peers_json(&summary->test->peers));
	}
	report_json(report, object);
}
