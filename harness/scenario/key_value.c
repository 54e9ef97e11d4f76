/* SPDX-License-Identifier: BSD-2-Clause */
/* One key's value: text to value, value to text, value to JSON. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/own.h"
#include "common/units.h"
#include "harness/scenario/keys.h"

static const char *key_word(const struct key *key, unsigned i)
{
	return key->names ? key->names(i) : key->words[i];
}

static int read_switch(const char *text, bool *out)
{
	static const char *const on[] = { "on", "yes", "true" }, *const off[] = { "off", "no", "false" };

	for (unsigned i = 0; i < ARRAY_LEN(on); i++) {
		if (!strcmp(text, on[i]) || !strcmp(text, off[i])) {
			*out = !strcmp(text, on[i]);
			return 0;
		}
	}
	return -EINVAL;
}

/* "expected one of direct, bridged or routed, not "ring"", with the nearest. */
static int expected_words(const struct key *key, const char *text, char *why, size_t size)
{
	const char *words[32], *near;
	bool later = false;
	unsigned n = 0;
	int at;

	while (n < ARRAY_LEN(words) && key_word(key, n)) {
		words[n] = key_word(key, n);
		n++;
	}
	for (unsigned i = 0; key->later && key->later[i]; i++)
		later |= !strcmp(key->later[i], text);
	at = later ? snprintf(why, size, "%s is not supported yet; ", text) : 0;
	at += snprintf(why + at, size - (size_t)at, "expected %s", n > 1 ? "one of " : "");
	for (unsigned i = 0; i < n && at < (int)size; i++)
		at += snprintf(why + at, size - (size_t)at, "%s%s", i == 0 ? "" :
			       i + 1 == n ? " or " : ", ", words[i]);
	near = nearest(text, words, n);
	if (!later && at < (int)size)
		snprintf(why + at, size - (size_t)at, ", not \"%.60s\"%s%s%s", text,
			 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	return -EINVAL;
}

static int expected(const char *what, const struct key *key, const char *text, char *why, size_t size)
{
	snprintf(why, size, "expected %s%s%s, not \"%.60s\"", what, key->zero ? ", or " : "",
		 key->zero ? key->zero : "", text);
	return -EINVAL;
}

/* least or most as a person writes them. */
static char *print_number(const struct key *key, uint64_t value, char *out, size_t size)
{
	static const struct { const char *unit; uint64_t factor; } times[] = {
		{ "h", 3600000000000ull }, { "min", 60000000000ull }, { "s", 1000000000ull },
		{ "ms", 1000000 }, { "us", 1000 }, { "ns", 1 } },
		rates[] = { { "Gbit", 1000000000 }, { "Mbit", 1000000 }, { "kbit", 1000 }, { "bit", 1 } },
		sizes[] = { { "GiB", 1 << 30 }, { "MiB", 1 << 20 }, { "KiB", 1 << 10 }, { "", 1 } };
	unsigned i = 0;

	if (key->type == KEY_TIME) {
		while (value % times[i].factor || (!value && times[i].factor > 1000000000ull))
			i++;
		snprintf(out, size, "%" PRIu64 "%s", value / times[i].factor, times[i].unit);
	} else if (key->type == KEY_RATE) {
		while (value % rates[i].factor)
			i++;
		snprintf(out, size, "%" PRIu64 "%s", value / rates[i].factor, rates[i].unit);
	} else if (key->type == KEY_SIZE) {
		while (value % sizes[i].factor)
			i++;
		snprintf(out, size, "%" PRIu64 "%s", value / sizes[i].factor, sizes[i].unit);
	} else {
		snprintf(out, size, "%" PRIu64, value);
	}
	return out;
}

/* "direct, bridged or routed". */
static void range_words(const struct key *key, char *out, size_t size)
{
	size_t at = 0;

	for (unsigned i = 0; key_word(key, i) && at < size; i++)
		at += (size_t)snprintf(out + at, size - at, "%s%s", i == 0 ? "" :
				       key_word(key, i + 1) ? ", " : " or ", key_word(key, i));
}

char *key_allowed(const struct key *key, char *out, size_t size)
{
	const char *zero = key->zero ? key->zero : "";
	char least[32], most[32];

	switch (key->type) {
	case KEY_TEXT:
		snprintf(out, size, "at most %" PRIu64 " bytes", key->most);
		break;
	case KEY_NAME:
	case KEY_WORD:
		range_words(key, out, size);
		break;
	case KEY_IP:
		snprintf(out, size, "4 or 6");
		break;
	case KEY_SWITCH:
		snprintf(out, size, "on or off");
		break;
	case KEY_CORES:
		snprintf(out, size, "cores, or %s", zero);
		break;
	default:
		snprintf(out, size, "%s to %s%s%s", print_number(key, key->least, least, sizeof(least)),
			 print_number(key, key->most, most, sizeof(most)), *zero ? ", or " : "", zero);
	}
	return out;
}

static int check_range(const struct key *key, uint64_t value, const char *text, char *why, size_t size)
{
	char least[32], most[32];

	if (value >= key->least && value <= key->most)
		return 0;
	snprintf(why, size, "%.60s is outside %s to %s", text,
		 print_number(key, key->least, least, sizeof(least)),
		 print_number(key, key->most, most, sizeof(most)));
	return -EINVAL;
}

static int read_number(const struct key *key, const char *text, void *out, char *why, size_t size)
{
	static const struct {
		int (*read)(const char *text, uint64_t *out);
		const char *expected;
	} by_type[] = {
		[KEY_COUNT] = { units_read_count, units_expected_count },
		[KEY_NUMBER] = { units_read_count, units_expected_count },
		[KEY_SIZE] = { units_read_size_bytes, units_expected_size },
		[KEY_RATE] = { units_read_rate_bps, units_expected_rate },
		[KEY_TIME] = { units_read_time_ns, units_expected_time },
	};
	bool narrow = key->type == KEY_COUNT || (key->type == KEY_SIZE && !key->wide);
	uint64_t value = 0;

	if (!key->zero || strcmp(text, key->zero)) {
		if (by_type[key->type].read(text, &value))
			return expected(by_type[key->type].expected, key, text, why, size);
		if (check_range(key, value, text, why, size))
			return -EINVAL;
	}
	if (narrow)
		*(uint32_t *)out = (uint32_t)value;
	else
		*(uint64_t *)out = value;
	return 0;
}

static int read_text(const struct key *key, const char *text, char *out, char *why, size_t size)
{
	if (strlen(text) > key->most) {
		snprintf(why, size, "longer than %" PRIu64 " bytes", key->most);
		return -EINVAL;
	}
	for (const char *p = text; *p; p++) {
		if ((unsigned char)*p < ' ' || *p == 0x7f) {
			snprintf(why, size, "expected one line of text, not a control character");
			return -EINVAL;
		}
	}
	strcpy(out, text);
	return 0;
}

static int read_word(const struct key *key, const char *text, void *out, char *why, size_t size)
{
	for (unsigned i = 0; key_word(key, i); i++) {
		if (strcmp(key_word(key, i), text))
			continue;
		if (key->type == KEY_NAME)
			return read_text(key, text, out, why, size);
		*(unsigned *)out = i;
		return 0;
	}
	return expected_words(key, text, why, size);
}

static int read_cores(const struct key *key, const char *text, struct cores *out, char *why, size_t size)
{
	if (!strcmp(text, key->zero)) {
		*out = (struct cores){ 0 };
		return 0;
	}
	return cores_read(text, out) ? expected("cores such as 0, 2-3 or 0,4-7", key, text, why, size) : 0;
}

int key_read(const struct key *key, const char *text, struct values *values, char *why, size_t size)
{
	void *out = (char *)values + key->offset;

	switch (key->type) {
	case KEY_TEXT:
		return read_text(key, text, out, why, size);
	case KEY_NAME:
	case KEY_WORD:
		return read_word(key, text, out, why, size);
	case KEY_IP:
		if (strcmp(text, "4") && strcmp(text, "6"))
			return expected("4 or 6", key, text, why, size);
		*(int *)out = *text - '0';
		return 0;
	case KEY_SWITCH:
		return read_switch(text, out) ? expected("on or off", key, text, why, size) : 0;
	case KEY_CORES:
		return read_cores(key, text, out, why, size);
	default:
		return read_number(key, text, out, why, size);
	}
}

/* The number behind a KEY_COUNT to KEY_TIME. */
static uint64_t key_number(const struct key *key, const void *at)
{
	bool narrow = key->type == KEY_COUNT || (key->type == KEY_SIZE && !key->wide);

	return narrow ? *(const uint32_t *)at : *(const uint64_t *)at;
}

char *key_print(const struct key *key, const struct values *values, char *out, size_t size)
{
	const void *at = (const char *)values + key->offset;

	*out = '\0';
	switch (key->type) {
	case KEY_TEXT:
	case KEY_NAME:
		snprintf(out, size, "%s", (const char *)at);
		return out;
	case KEY_WORD:
		snprintf(out, size, "%s", key->words[*(const unsigned *)at]);
		return out;
	case KEY_IP:
		snprintf(out, size, "%d", *(const int *)at);
		return out;
	case KEY_SWITCH:
		snprintf(out, size, "%s", *(const bool *)at ? "on" : "off");
		return out;
	case KEY_CORES:
		if (!((const struct cores *)at)->count)
			snprintf(out, size, "%s", key->zero);
		else
			cores_print(out, size, at);
		return out;
	default:
		if (!key_number(key, at) && key->zero)
			snprintf(out, size, "%s", key->zero);
		else
			print_number(key, key_number(key, at), out, size);
		return out;
	}
}

json_t *key_json(const struct key *key, const struct values *values)
{
	const void *at = (const char *)values + key->offset;
	char text[1024];

	if (key->type == KEY_IP)
		return json_integer(*(const int *)at);
	if ((key->type == KEY_COUNT || key->type == KEY_SIZE) && !(key->zero && !key_number(key, at)))
		return json_integer((json_int_t)key_number(key, at));
	return json_string(key_print(key, values, text, sizeof(text)));
}
