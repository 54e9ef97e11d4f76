/* SPDX-License-Identifier: BSD-2-Clause */
/* Talk on stderr. A message is logged once, where the context is; the code
 * goes up in the same expression: return log_err(-EINVAL, "rule %u …", n); */
#ifndef COMMON_LOG_H
#define COMMON_LOG_H

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* Name of the program in front of every line; set once in main, before anything is
 * opened: a standard stream that is closed is taken up here, so that no file of ours
 * gets its number and what is printed to it. Writing to it fails as before. */
void log_start(const char *program, enum log_level level);

/* Prints one line at the level and returns code unchanged. */
int log_err(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The text of the last log_err of this process, without the program's name: for a
 * caller that must keep the reason. Empty if there was none. */
const char *log_last_error(void);
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
