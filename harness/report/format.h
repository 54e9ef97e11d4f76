/* SPDX-License-Identifier: BSD-2-Clause */
/* How the report writes quantities, once for all four outputs. Every figure is
 * first rounded to what summary.csv prints (format_number); tables and sentences
 * round that number further, so that they agree with it to their last digit. */
#ifndef HARNESS_REPORT_FORMAT_H
#define HARNESS_REPORT_FORMAT_H

#include <stddef.h>

enum quantity {
	QUANTITY_BYTES_PER_S,
	QUANTITY_BPS,
	QUANTITY_PPS,
	QUANTITY_SHARE,       /* 1: all of it; shown in percent */
	QUANTITY_MS,
	QUANTITY_RATIO,
};

/* The unit of a whole column: cell = value / factor. */
struct scale {
	enum quantity quantity;
	double factor;
	char unit[16];        /* "MB/s", "%", "ms", "x" */
};

#define FORMAT_BYTES 40

/* Plain decimal in the base unit, no exponent; "" for NAN. Returns out. */
char *format_number(char *out, size_t size, enum quantity quantity, double value);
/* value as format_number prints it. */
double format_rounded(enum quantity quantity, double value);
/* The unit for a column with values from least to most (NAN: no value at all):
 * the least keeps its three digits unless the greatest got longer than five. */
struct scale format_scale(enum quantity quantity, double least, double most);
/* Three significant digits in the column's unit, "-" for NAN. */
char *format_cell(char *out, size_t size, const struct scale *scale, double value);
/* "912-955"; one number if both print the same, "-" for NAN. */
char *format_range(char *out, size_t size, const struct scale *scale, double least, double most);
/* A figure in a sentence: "941 MB/s", "12.3 %", "0.36 x"; "-" for NAN. */
char *format_text(char *out, size_t size, enum quantity quantity, double value);

#endif
