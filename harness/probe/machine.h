/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine below the lab, as far as it shows in /proc and /sys. */
#ifndef HARNESS_PROBE_MACHINE_H
#define HARNESS_PROBE_MACHINE_H

#include <jansson.h>
#include <stdbool.h>

/* Sets kernel, cpu, cores, memory_bytes, load_average, hypervisor, clocksource,
 * mitigations in object; null for what cannot be found out. */
void machine_read(json_t *object);

/* Is there a program of that name in PATH? */
bool machine_program(const char *name);
/* First line that `argv` prints, or NULL. New string. */
char *machine_version(const char *const *argv);

/* A JSON string, or null for NULL. New reference. */
json_t *machine_text(const char *text);

#endif
