/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/results.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/trial/sample.h"

char *results_slug(char *out, size_t size, const char *title)
{
	size_t n = 0;

	for (; *title && n + 1 < size; title++) {
		unsigned char c = (unsigned char)*title;

		if (c < 128 && isalnum(c))
			out[n++] = (char)tolower(c);
		else if (n && out[n - 1] != '-')
			out[n++] = '-';
	}
	while (n && out[n - 1] == '-')
		n--;
	out[n] = '\0';
	return out;
}

/* mkdir -p. */
static int results_make(const char *path)
{
	OWN_MEM char *copy = strdup(path);
	struct stat s;

	if (!copy)
		return -ENOMEM;
	for (char *p = copy + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(copy, 0755) && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	if (mkdir(copy, 0755) && errno != EEXIST)
		return -errno;
	return stat(copy, &s) ? -errno : S_ISDIR(s.st_mode) ? 0 : -ENOTDIR;
}

static bool results_empty(const char *path)
{
	OWN_DIR DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			return false;
	return true;
}

static int results_name(char **out, const char *path, const char *title, const char *id)
{
	char date[32], slug[48];
	time_t now = time(NULL);
	struct tm tm;

	if (path) {
		*out = strdup(path);
		return *out ? 0 : -ENOMEM;
	}
	localtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	results_slug(slug, sizeof(slug), title ? title : "");
	return asprintf(out, "results/%s-%s%s%s", date, slug, *slug ? "-" : "", id) < 0 ? -ENOMEM : 0;
}

static int results_create(const struct results *r, const char *name)
{
	int fd = openat(r->folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	return fd >= 0 ? fd : log_err(-errno, "%s/%s: %s", r->folder, name, strerror(errno));
}

/* Writes all of it at the end of the file, or takes back what it wrote. */
static int results_append(const struct results *r, int fd, const char *name, const char *text)
{
	off_t end = lseek(fd, 0, SEEK_END);
	size_t left = strlen(text);
	struct stat st;
	int code = 0;

	while (left && !code) {
		ssize_t n = write(fd, text, left);

		if (n > 0) {
			text += n;
			left -= (size_t)n;
		} else if (n == 0 || errno != EINTR) {
			code = n == 0 ? -ENOSPC : -errno;
		}
	}
	if (!code && fsync(fd) && errno != EINVAL && errno != EROFS)
		code = -errno;
	/* Written, but to a file that somebody removed. */
	if (!code && !fstat(fd, &st) && !st.st_nlink)
		code = -ENOENT;
	if (!code)
		return 0;
	if (end < 0 || ftruncate(fd, end))
		log_warn("%s/%s: a partial line could not be taken back", r->folder, name);
	return log_err(code, "%s/%s: %s%s", r->folder, name, strerror(-code),
		       code == -ENOSPC || code == -EDQUOT ?
			       "; the results so far are whole; make room and run again" : "");
}

int results_open(struct results *r, const char *path, const char *title, const char *id)
{
	int code;

	*r = (struct results){ .folder_fd = -1, .trials_fd = -1, .samples_fd = -1 };
	code = results_name(&r->folder, path, title, id);
	if (code)
		return log_err(code, "results: out of memory");
	code = results_make(r->folder);
	if (code)
		return log_err(code, "%s: cannot be made: %s", r->folder, strerror(-code));
	if (!results_empty(r->folder))
		return log_err(-EEXIST, "%s: not empty; name a new folder, or leave the name to fwbench",
			       r->folder);
	r->folder_fd = open(r->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->folder_fd < 0)
		return log_err(-errno, "%s: %s", r->folder, strerror(errno));
	r->trials_fd = results_create(r, "trials.jsonl");
	if (r->trials_fd < 0)
		return r->trials_fd;
	r->samples_fd = results_create(r, "samples.csv");
	if (r->samples_fd < 0)
		return r->samples_fd;
	return results_append(r, r->samples_fd, "samples.csv", sample_head);
}

int results_file(const struct results *r, const char *name, const char *text)
{
	OWN_FD int fd = -1;
	char temporary[64];
	int code;

	snprintf(temporary, sizeof(temporary), ".%s.new", name);
	fd = results_create(r, temporary);
	if (fd < 0)
		return fd;
	code = results_append(r, fd, name, text);
	if (!code && renameat(r->folder_fd, temporary, r->folder_fd, name))
		code = log_err(-errno, "%s/%s: %s", r->folder, name, strerror(errno));
	if (code)
		unlinkat(r->folder_fd, temporary, 0);
	return code;
}

int results_trial(const struct results *r, const json_t *trial, const char *samples)
{
	OWN_MEM char *line = json_dumps(trial, JSON_COMPACT | JSON_REAL_PRECISION(9));
	OWN_MEM char *text = NULL;
	off_t before = lseek(r->samples_fd, 0, SEEK_END);
	int code;

	if (!line || asprintf(&text, "%s\n", line) < 0)
		return log_err(-ENOMEM, "results: out of memory");
	code = results_append(r, r->samples_fd, "samples.csv", samples ? samples : "");
	if (code)
		return code;
	code = results_append(r, r->trials_fd, "trials.jsonl", text);
	if (code && (before < 0 || ftruncate(r->samples_fd, before)))
		log_warn("%s/samples.csv: holds samples of a trial that is not recorded", r->folder);
	return code;
}

void results_close(struct results *r)
{
	int *fds[] = { &r->folder_fd, &r->trials_fd, &r->samples_fd };

	for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
	free(r->folder);
	r->folder = NULL;
}
