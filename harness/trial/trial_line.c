/* SPDX-License-Identifier: BSD-2-Clause */
/* A trial as its line of trials.jsonl; the format stands in HACKING.md. */
#include "harness/trial/trial.h"

#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "harness/trial/window.h"

static json_t *line_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *line_text(const char *text)
{
	return text ? json_string(text) : json_null();
}

/* A borrowed value, or null. */
static json_t *line_value(json_t *value)
{
	return value ? json_incref(value) : json_null();
}

static json_t *line_index(int row)
{
	return row >= 0 ? json_integer(row) : json_null();
}

static json_t *line_rate(const struct window *w)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}",
			 "interface_bytes_per_s", line_number(w->interface_bytes_per_s),
			 "interface_pps", line_number(w->interface_pps),
			 "goodput_bps", line_number(w->goodput_bps),
			 "goodput_up_bps", line_number(w->goodput_up_bps),
			 "goodput_down_bps", line_number(w->goodput_down_bps));
}

static json_t *line_cpu(const struct trial *t, const struct window *w)
{
	return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "method", cpu_method_names[t->window[1].cpu.method],
			 "device_cores", (int)t->lab->device_cores.count,
			 "device_s", line_number(w->device_s),
			 "device_share", line_number(w->shares.device),
			 "busiest_core_share", line_number(w->shares.busiest_core),
			 "per_gigabit_ms", line_number(w->per_gigabit_ms),
			 "generator_share", line_number(w->shares.generator),
			 "steal_share", line_number(w->shares.steal),
			 "not_idle_s", line_number(w->not_idle_s));
}

static void line_window(json_t *line, const struct trial *t)
{
	struct window w;

	if (!t->measured) {
		json_object_set_new(line, "window", json_null());
		json_object_set_new(line, "rate", json_null());
		json_object_set_new(line, "cpu", json_null());
		json_object_set_new(line, "limited_by", json_string(limited_names[LIMITED_UNDETERMINED]));
		return;
	}
	window_measure(&w, t);
	json_object_set_new(line, "window", json_pack("{s:f, s:f}", "start_s", w.start_s, "end_s", w.end_s));
	json_object_set_new(line, "rate", line_rate(&w));
	json_object_set_new(line, "cpu", line_cpu(t, &w));
	json_object_set_new(line, "limited_by", json_string(limited_names[w.limited]));
}

/* From the client's end, else from what it said when it had connected. */
static json_t *line_connections(const struct trial *t)
{
	const json_t *said = json_object_get(t->load.end[LOAD_CLIENT], "connections");
	const json_t *failed, *value;
	const char *name;
	json_int_t count = 0;

	if (!said)
		said = t->connected;
	failed = json_object_get(said, "failed");
	if (json_is_integer(failed))
		count = json_integer_value(failed);
	json_object_foreach((json_t *)failed, name, value)
		count += json_integer_value(value);
	return json_pack("{s:I, s:o, s:o}", "asked", (json_int_t)t->settings->load.connections,
			 "open", line_value(json_object_get(said, "open")),
			 "failed", failed ? json_integer(count) : json_null());
}

/* What was dropped over the trial's whole life, by reason. */
static json_t *line_drops(const struct trial *t)
{
	json_t *from = json_object_get(t->stats_base, "drops"), *device = json_object();
	const json_t *value;
	const char *name;
	uint64_t queue = PROBE_UNKNOWN;

	json_object_foreach(json_object_get(t->stats_final, "drops"), name, value)
		json_object_set_new(device, name,
				    json_integer(json_integer_value(value) -
						 json_integer_value(json_object_get(from, name))));
	if (t->settled)
		queue = sample_difference(t->base.cpu.queue_drops, t->final.cpu.queue_drops);
	return json_pack("{s:o, s:o}", "queue",
			 queue == PROBE_UNKNOWN ? json_null() : json_integer((json_int_t)queue),
			 "device", device);
}

/* The device's last counters. A thousand filters would fill the file: of theirs
 * only how many there are, how many matched, and the least and the most served. */
static json_t *line_device(const struct trial *t)
{
	json_t *out = t->stats_final ? json_copy(t->stats_final) : json_object();
	const json_t *filters = json_object_get(out, "filters"), *item;
	json_int_t matched = 0, least = -1, most = 0;
	size_t i;

	if (!json_is_object(out)) {
		json_decref(out);
		out = json_object();
	}
	json_array_foreach(filters, i, item) {
		json_int_t bytes = json_integer_value(json_object_get(item, "bytes"));

		matched += bytes > 0;
		if (bytes > 0 && (least < 0 || bytes < least))
			least = bytes;
		if (bytes > most)
			most = bytes;
	}
	if (filters)
		json_object_set_new(out, "filters",
				    json_pack("{s:I, s:I, s:o, s:I}", "count", (json_int_t)json_array_size(filters),
					      "matched", matched, "least_bytes",
					      least < 0 ? json_null() : json_integer(least), "most_bytes", most));
	json_object_set_new(out, "name", json_string(t->settings->device.kind));
	json_object_set_new(out, "path", line_text(t->device.path[0] ? t->device.path : NULL));
	return out;
}

json_t *trial_record(const struct trial *t)
{
	json_t *line = json_pack(
		"{s:i, s:i, s:i, s:s, s:o, s:o, s:o, s:b, s:O, s:o}", "trial", (int)t->plan->trial, "row",
		(int)t->row->index, "repetition", (int)t->plan->repetition, "state", trial_state_word(t->state),
		"reason", line_text(t->reason[0] ? t->reason : NULL), "baseline_row", line_index(t->row->baseline),
		"empty_row", line_index(t->row->empty), "hidden", t->row->hidden, "key", t->row->key, "started",
		line_text(t->started[0] ? t->started : NULL));

	if (!line)
		return NULL;
	line_window(line, t);
	json_object_set_new(line, "connections", line_connections(t));
	json_object_set_new(line, "checks", line_value(t->checks));
	json_object_set_new(line, "drops", line_drops(t));
	json_object_set_new(line, "policy_text", line_text(t->device.policy_text));
	json_object_set_new(line, "published",
			    t->settings->published_bps ?
				    json_pack("{s:I}", "rate_bps", (json_int_t)t->settings->published_bps) :
				    json_null());
	json_object_set_new(line, "load", json_pack("{s:o, s:o}", "client", line_value(t->load.end[LOAD_CLIENT]),
						    "server", line_value(t->load.end[LOAD_SERVER])));
	json_object_set_new(line, "device", line_device(t));
	return line;
}
