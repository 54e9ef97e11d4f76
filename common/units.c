/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"

const char units_expected_rate[] = "a rate with its unit, such as 4Mbit, 1.5Gbit/s or 500kB/s";
const char units_expected_size[] = "a size such as 1500, 64KiB or 1MB";
const char units_expected_time[] = "a time with its unit, such as 10s, 500ms or 2min";
const char units_expected_count[] = "a whole number such as 200 or 10k";

struct unit {
	const char *name;
	double factor;
};

/* Splits "4 Mbit" into 4 and "Mbit". Only digits and one point: no sign, no
 * exponent, no hexadecimal, so that strtod's other spellings stay refused. */
static int units_split(const char *text, double *value, const char **unit)
{
	const char *p = text;
	bool digits = false, point = false;
	char number[64];
	size_t n;

	while (isdigit((unsigned char)*p) || (*p == '.' && !point)) {
		point |= *p == '.';
		digits |= *p != '.';
		p++;
	}
	n = (size_t)(p - text);
	if (!digits || n >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, n);
	number[n] = '\0';
	*value = strtod(number, NULL);
	if (*p == ' ' && p[1])
		p++;
	*unit = p;
	return 0;
}

static int units_find(const struct unit *table, size_t n, const char *name, double *factor)
{
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(table[i].name, name)) {
			*factor = table[i].factor;
			return 0;
		}
	}
	return -EINVAL;
}

static int units_store(double value, uint64_t *out)
{
	if (!(value >= 0) || value >= 18446744073709549568.0)
		return -ERANGE;
	*out = (uint64_t)llround(value > 9e18 ? 9e18 : value);
	return 0;
}

static int units_read(const char *text, const struct unit *table, size_t n, uint64_t *out)
{
	double value, factor;
	const char *unit;

	if (units_split(text, &value, &unit) || units_find(table, n, unit, &factor))
		return -EINVAL;
	return units_store(value * factor, out);
}

static const struct unit prefixes[] = {
	{ "", 1 }, { "k", 1e3 }, { "M", 1e6 }, { "G", 1e9 }, { "T", 1e12 },
	{ "Ki", 1024.0 }, { "Mi", 1048576.0 }, { "Gi", 1073741824.0 }, { "Ti", 1099511627776.0 },
};

/* Prefix and base word, as in "M" + "bit/s". */
static int units_read_words(const char *text, const struct unit *words, size_t n, uint64_t *out)
{
	double value, factor;
	const char *unit;
	char prefix[8];

	if (units_split(text, &value, &unit))
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		size_t tail = strlen(words[i].name), all = strlen(unit);

		if (all < tail || strcmp(unit + all - tail, words[i].name) ||
		    all - tail >= sizeof(prefix))
			continue;
		memcpy(prefix, unit, all - tail);
		prefix[all - tail] = '\0';
		if (!units_find(prefixes, ARRAY_LEN(prefixes), prefix, &factor))
			return units_store(value * factor * words[i].factor, out);
	}
	return -EINVAL;
}

int units_read_rate_bps(const char *text, uint64_t *out_bps)
{
	static const struct unit words[] = {
		{ "bit/s", 1 }, { "bit", 1 }, { "bps", 1 }, { "B/s", 8 }, { "Bps", 8 }, { "B", 8 },
	};

	return units_read_words(text, words, ARRAY_LEN(words), out_bps);
}

int units_read_size_bytes(const char *text, uint64_t *out_bytes)
{
	static const struct unit words[] = { { "B", 1 } };
	double value;
	const char *unit;

	if (!units_split(text, &value, &unit) && !*unit)
		return units_store(value, out_bytes);
	return units_read_words(text, words, ARRAY_LEN(words), out_bytes);
}

int units_read_time_ns(const char *text, uint64_t *out_ns)
{
	static const struct unit table[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
		{ "min", 60e9 }, { "h", 3600e9 }, { "d", 86400e9 },
	};

	return units_read(text, table, ARRAY_LEN(table), out_ns);
}

int units_read_count(const char *text, uint64_t *out)
{
	static const struct unit table[] = { { "", 1 }, { "k", 1e3 }, { "M", 1e6 } };
	double value, factor;
	const char *unit;

	if (units_split(text, &value, &unit) ||
	    units_find(table, ARRAY_LEN(table), unit, &factor) ||
	    value * factor != floor(value * factor))
		return -EINVAL;
	return units_store(value * factor, out);
}

int units_read_iperf_rate_bps(const char *text, uint64_t *out_bps)
{
	static const struct unit table[] = {
		{ "", 1 }, { "k", 1e3 }, { "K", 1e3 }, { "m", 1e6 }, { "M", 1e6 },
		{ "g", 1e9 }, { "G", 1e9 }, { "t", 1e12 }, { "T", 1e12 },
	};

	return units_read(text, table, ARRAY_LEN(table), out_bps);
}

int units_read_iperf_size_bytes(const char *text, uint64_t *out_bytes)
{
	static const struct unit table[] = {
		{ "", 1 }, { "k", 1024.0 }, { "K", 1024.0 }, { "m", 1048576.0 },
		{ "M", 1048576.0 }, { "g", 1073741824.0 }, { "G", 1073741824.0 },
		{ "t", 1099511627776.0 }, { "T", 1099511627776.0 },
	};

	return units_read(text, table, ARRAY_LEN(table), out_bytes);
}

int units_read_seconds_ns(const char *text, uint64_t *out_ns)
{
	static const struct unit table[] = { { "", 1e9 }, { "s", 1e9 } };

	return units_read(text, table, ARRAY_LEN(table), out_ns);
}

/* Three significant digits after choosing the prefix, so that 999.9 k turns
 * into 1.00 M rather than 1000 k. */
static char *units_print(char *out, size_t size, double value, double base, const char *unit)
{
	static const char *const decimal[] = { "", "k", "M", "G", "T" };
	static const char *const binary[] = { "", "Ki", "Mi", "Gi", "Ti" };
	const char *const *names = base == 1000.0 ? decimal : binary;
	int i = 0, digits;

	if (!isfinite(value)) {
		snprintf(out, size, "-");
		return out;
	}
	while (i < 4 && fabs(value) >= base * 0.9995) {
		value /= base;
		i++;
	}
	digits = fabs(value) >= 99.95 ? 0 : fabs(value) >= 9.995 ? 1 : 2;
	if (i == 0 && value == floor(value))
		digits = 0;
	snprintf(out, size, "%.*f%s%s%s", digits, value, *names[i] || *unit ? " " : "", names[i],
		 unit);
	return out;
}

char *units_print_bps(char *out, size_t size, double bps)
{
	return units_print(out, size, bps, 1000.0, "bit/s");
}

char *units_print_bytes_per_s(char *out, size_t size, double bytes_per_s)
{
	return units_print(out, size, bytes_per_s, 1000.0, "B/s");
}

char *units_print_bytes(char *out, size_t size, uint64_t bytes)
{
	return units_print(out, size, (double)bytes, 1024.0, "B");
}

char *units_print_count(char *out, size_t size, double count)
{
	return units_print(out, size, count, 1000.0, "");
}

double units_scale(double value, const char **prefix)
{
	static const char *const names[] = { "", "k", "M", "G", "T" };
	double factor = 1;
	int i = 0;

	while (i < 4 && isfinite(value) && fabs(value) / factor >= 999.5) {
		factor *= 1000;
		i++;
	}
	*prefix = names[i];
	return factor;
}

char *units_print_digits(char *out, size_t size, double value)
{
	double v = fabs(value);
	int digits = v >= 99.95 ? 0 : v >= 9.995 ? 1 : v >= 0.0995 ? 2 : v >= 0.00995 ? 3 : 4;

	if (!isfinite(value))
		snprintf(out, size, "-");
	else if (v < 0.00005)
		snprintf(out, size, "0");
	else
		snprintf(out, size, "%.*f", digits, value);
	return out;
}

char *units_print_time_ns(char *out, size_t size, uint64_t ns)
{
	double s = (double)ns / 1e9;

	if (s < 60.0)
		snprintf(out, size, "%.*f s", s < 10.0 && s != floor(s) ? 1 : 0, s);
	else if (s < 3600.0)
		snprintf(out, size, "%d min %02d s", (int)(s / 60), (int)s % 60);
	else
		snprintf(out, size, "%d h %02d min", (int)(s / 3600), (int)(s / 60) % 60);
	return out;
}
