/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/format.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/own.h"
#include "common/units.h"

static const struct quantity_format {
	const char *unit;
	double factor;        /* of the unit; rates add a decimal prefix */
	int decimals;         /* of the base unit in csv and json */
	bool prefixed;
} formats[] = {
	[QUANTITY_BYTES_PER_S] = { "B/s", 1, 0, true },
	[QUANTITY_BPS] = { "bit/s", 1, 0, true },
	[QUANTITY_PPS] = { "pkt/s", 1, 0, true },
	[QUANTITY_SHARE] = { "%", 0.01, 6, false },
	[QUANTITY_MS] = { "ms", 1, 4, false },
	[QUANTITY_RATIO] = { "x", 1, 4, false },
};

char *format_number(char *out, size_t size, enum quantity quantity, double value)
{
	int decimals = formats[quantity].decimals;
	char *end;

	if (!isfinite(value)) {
		*out = '\0';
		return out;
	}
	/* Below a thousand a whole number would be less than three digits. */
	if (!decimals && fabs(value) < 1000)
		decimals = 3;
	snprintf(out, size, "%.*f", decimals, value);
	if (decimals) {
		end = out + strlen(out);
		while (end[-1] == '0')
			*--end = '\0';
		if (end[-1] == '.')
			*--end = '\0';
	}
	if (!strcmp(out, "-0"))
		strcpy(out, "0");
	return out;
}

double format_rounded(enum quantity quantity, double value)
{
	char text[400];

	return isfinite(value) ? strtod(format_number(text, sizeof(text), quantity, value), NULL) : NAN;
}

struct scale format_scale(enum quantity quantity, double least, double most)
{
	const struct quantity_format *format = &formats[quantity];
	struct scale scale = { .quantity = quantity, .factor = format->factor };
	const char *prefix = "";

	if (format->prefixed && isfinite(most)) {
		scale.factor = units_scale(format_rounded(quantity, least), &prefix);
		/* There is an end to prefixes, none to what a broken file may say. */
		while (format_rounded(quantity, most) / scale.factor >= 99999.5 && scale.factor < 1e12)
			scale.factor = units_scale(scale.factor * 1000, &prefix);
	}
	snprintf(scale.unit, sizeof(scale.unit), "%s%s", prefix, format->unit);
	return scale;
}

char *format_cell(char *out, size_t size, const struct scale *scale, double value)
{
	return units_print_digits(out, size, format_rounded(scale->quantity, value) / scale->factor);
}

char *format_range(char *out, size_t size, const struct scale *scale, double least, double most)
{
	char low[FORMAT_BYTES], high[FORMAT_BYTES];

	format_cell(low, sizeof(low), scale, least);
	format_cell(high, sizeof(high), scale, most);
	if (!strcmp(low, high))
		snprintf(out, size, "%s", low);
	else
		snprintf(out, size, *high == '-' || *low == '-' ? "%s..%s" : "%s-%s", low, high);
	return out;
}

char *format_text(char *out, size_t size, enum quantity quantity, double value)
{
	struct scale scale = format_scale(quantity, value, value);
	char digits[FORMAT_BYTES];

	format_cell(digits, sizeof(digits), &scale, value);
	if (isfinite(value))
		snprintf(out, size, "%s %s", digits, scale.unit);
	else
		snprintf(out, size, "-");
	return out;
}
