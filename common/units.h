/* SPDX-License-Identifier: BSD-2-Clause */
/* The one place where quantities are read from and written as text.
 *
 * k M G T are 1000, Ki Mi Gi Ti 1024; a space may stand before the unit.
 * Two readers, because two worlds meet at the edges:
 *  - scenarios and policies spell the unit out (4Mbit, 4 Mbit/s, 500kB/s, 2s)
 *    and a rate without a unit is refused;
 *  - fwgen's flags read iperf3's suffixes: -b 1M is 1 000 000 bit/s, -l 128K is
 *    131 072 bytes (iperf3's K M G of sizes are 1024, of rates 1000).
 * Readers return 0, or -EINVAL / -ERANGE and leave *out untouched. Nothing is
 * logged: the caller knows file, line and column. */
#ifndef COMMON_UNITS_H
#define COMMON_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* "4Mbit", "4Mbit/s", "4Mbps" bits; "500kB", "500kB/s", "500kBps" bytes x 8. */
int units_read_rate_bps(const char *text, uint64_t *out_bps);
/* "1500", "64KiB", "1MB", "1M" is refused (bits or bytes?); result in bytes. */
int units_read_size_bytes(const char *text, uint64_t *out_bytes);
/* "10s", "500ms", "2min", "1h", "5d", "100us", "1.5s"; a bare number is refused. */
int units_read_time_ns(const char *text, uint64_t *out_ns);
/* Plain count with optional k or M (1000): "10k" connections. */
int units_read_count(const char *text, uint64_t *out);

/* iperf3's flags. */
int units_read_iperf_rate_bps(const char *text, uint64_t *out_bps);
int units_read_iperf_size_bytes(const char *text, uint64_t *out_bytes);
/* Seconds, possibly with a fraction: "-t 1.5". */
int units_read_seconds_ns(const char *text, uint64_t *out_ns);

/* What the readers accept, for messages ("a rate such as 4Mbit or 500kB/s"). */
extern const char units_expected_rate[], units_expected_size[], units_expected_time[],
	units_expected_count[];

/* Three significant digits with the unit: "941 Mbit/s", "1.25 GB/s", "64.0 KiB".
 * Each writes at most size bytes with the final NUL and returns out. */
char *units_print_bps(char *out, size_t size, double bps);
char *units_print_bytes_per_s(char *out, size_t size, double bytes_per_s);
char *units_print_bytes(char *out, size_t size, uint64_t bytes);
char *units_print_time_ns(char *out, size_t size, uint64_t ns);
/* 1234567 as "1.23 M", for packets and packets/s. */
char *units_print_count(char *out, size_t size, double count);

/* For tables, where a column has one unit: the greatest decimal prefix ("", "k",
 * "M", "G", "T" into *prefix) that leaves value at 1 or more, as a factor. */
double units_scale(double value, const char **prefix);
/* A bare number with three significant digits, whole from 100 on, two below 0.1
 * ("1234", "45.6", "0.36", "0.042"); "-" if it is not finite. */
char *units_print_digits(char *out, size_t size, double value);

#endif
