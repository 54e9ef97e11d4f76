/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/lab/namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>

#include "common/log.h"
#include "common/own.h"

#define PATH_BYTES 320

struct job {
	int netns_fd;
	int (*work)(void *argument);
	void *argument;
	int result;
};

static void *job_run(void *argument)
{
	struct job *job = argument;

	if (job->netns_fd >= 0 && setns(job->netns_fd, CLONE_NEWNET))
		job->result = log_err(-errno, "cannot enter a network namespace: %s", strerror(errno));
	else
		job->result = job->work(job->argument);
	return NULL;
}

int namespace_do(int netns_fd, int (*work)(void *argument), void *argument)
{
	struct job job = { netns_fd, work, argument, 0 };
	pthread_t thread;
	int code = pthread_create(&thread, NULL, job_run, &job);

	if (code)
		return log_err(-code, "cannot start a thread: %s", strerror(code));
	pthread_join(thread, NULL);
	return job.result;
}

static int make_here(void *argument)
{
	const char *path = argument;
	OWN_FD int fd = -1;
	OWN_FD int name = -1;

	if (unshare(CLONE_NEWNET))
		return log_err(-errno, "cannot make a network namespace: %s", strerror(errno));
	fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return log_err(-errno, "/proc/thread-self/ns/net: %s", strerror(errno));
	if (!path)
		return TAKE_FD(fd);
	name = open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	if (name < 0 || mount("/proc/thread-self/ns/net", path, "none", MS_BIND, NULL)) {
		int code = -errno;

		if (name >= 0)
			unlink(path);
		return log_err(code, "%s: cannot name a network namespace: %s", path, strerror(-code));
	}
	return TAKE_FD(fd);
}

int namespace_make(const char *name)
{
	char path[PATH_BYTES];

	if (!name)
		return namespace_do(-1, make_here, NULL);
	snprintf(path, sizeof(path), "%s/%s", NAMESPACE_FOLDER, name);
	return namespace_do(-1, make_here, path);
}

void namespace_remove(const char *name)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s/%s", NAMESPACE_FOLDER, name);
	umount2(path, MNT_DETACH);
	unlink(path);
}

struct socket_job {
	int family, type, protocol;
};

static int socket_here(void *argument)
{
	const struct socket_job *s = argument;
	int fd = socket(s->family, s->type | SOCK_CLOEXEC, s->protocol);

	return fd < 0 ? -errno : fd;
}

int namespace_socket(int netns_fd, int family, int type, int protocol)
{
	struct socket_job s = { family, type, protocol };

	return namespace_do(netns_fd, socket_here, &s);
}

static int sysfs_here(void *argument)
{
	OWN_FD int context = fsopen("sysfs", FSOPEN_CLOEXEC);
	int fd;

	(void)argument;
	if (context < 0 || fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		return -errno;
	fd = fsmount(context, FSMOUNT_CLOEXEC, 0);
	return fd < 0 ? -errno : fd;
}

int namespace_sysfs(int netns_fd)
{
	return namespace_do(netns_fd, sysfs_here, NULL);
}

int file_write(int dirfd, const char *path, const char *value)
{
	OWN_FD int fd = openat(dirfd, path, O_WRONLY | O_CLOEXEC);
	size_t length = strlen(value);

	if (fd < 0)
		return -errno;
	errno = EIO;
	return write(fd, value, length) == (ssize_t)length ? 0 : -errno;
}

int file_read(int dirfd, const char *path, char *out, size_t size)
{
	OWN_FD int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, out, size - 1);
	if (n < 0)
		return -errno;
	while (n > 0 && out[n - 1] == '\n')
		n--;
	out[n] = '\0';
	return 0;
}

struct sysctl_job {
	char path[PATH_BYTES];
	const char *value; /* NULL: read */
	char *out;
	size_t size;
};

static int sysctl_here(void *argument)
{
	const struct sysctl_job *s = argument;

	return s->value ? file_write(AT_FDCWD, s->path, s->value)
			: file_read(AT_FDCWD, s->path, s->out, s->size);
}

int namespace_sysctl_write(int netns_fd, const char *path, const char *value)
{
	struct sysctl_job s = { .value = value };

	snprintf(s.path, sizeof(s.path), "/proc/sys/%s", path);
	return namespace_do(netns_fd, sysctl_here, &s);
}

int namespace_sysctl_read(int netns_fd, const char *path, char *out, size_t size)
{
	struct sysctl_job s = { .out = out, .size = size };

	snprintf(s.path, sizeof(s.path), "/proc/sys/%s", path);
	return namespace_do(netns_fd, sysctl_here, &s);
}
