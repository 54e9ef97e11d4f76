/* SPDX-License-Identifier: BSD-2-Clause */
/* The only reasons for which a test may be skipped; tests/run checks the list. */
#ifndef TESTS_UNIT_SKIP_H
#define TESTS_UNIT_SKIP_H

/* clang-format off: cmocka wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <unistd.h>

#define SKIP_FOR(reason) do { printf("skip: %s\n", reason); fflush(stdout); skip(); } while (0)
#define SKIP_UNLESS_ROOT() do { if (geteuid()) SKIP_FOR("no root"); } while (0)
#define SKIP_UNLESS_SHARED(path) do { if (access(path, R_OK)) SKIP_FOR("no ../shared"); } while (0)
/* feature: what is missing, as doctor calls it. */
#define SKIP_NO_FEATURE(feature) SKIP_FOR("no kernel feature: " feature)

#endif
