/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>

static struct {
	const char *program;
	enum log_level level;
	char last_error[240];
} log_state = { .program = "fwbench", .level = LOG_LEVEL_INFO };

void log_start(const char *program, enum log_level level)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd ? O_RDONLY : O_WRONLY);
	log_state.program = program;
	log_state.level = level;
}

/* One write a line, so that lines of several processes do not mix. */
static void log_line(enum log_level level, const char *kind, const char *fmt, va_list ap)
{
	char line[2048];
	int n, m;

	if (level > log_state.level)
		return;
	n = snprintf(line, sizeof(line), "%s: %s", log_state.program, kind);
	m = vsnprintf(line + n, sizeof(line) - (size_t)n - 1, fmt, ap);
	if (m < 0)
		return;
	n += m;
	if (n > (int)sizeof(line) - 2)
		n = (int)sizeof(line) - 2;
	line[n++] = '\n';
	fflush(stdout);
	fwrite(line, 1, (size_t)n, stderr);
}

int log_err(int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(log_state.last_error, sizeof(log_state.last_error), fmt, ap);
	va_end(ap);
	va_start(ap, fmt);
	log_line(LOG_LEVEL_ERROR, "", fmt, ap);
	va_end(ap);
	return code;
}

const char *log_last_error(void)
{
	return log_state.last_error;
}

#define LOG_AT(name, level, kind)                 \
	void name(const char *fmt, ...)           \
	{                                         \
		va_list ap;                       \
		va_start(ap, fmt);                \
		log_line(level, kind, fmt, ap);   \
		va_end(ap);                       \
	}

LOG_AT(log_warn, LOG_LEVEL_WARN, "warning: ")
LOG_AT(log_info, LOG_LEVEL_INFO, "")
LOG_AT(log_debug, LOG_LEVEL_DEBUG, "debug: ")
