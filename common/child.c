/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/own.h"

static int child_input(const char *text)
{
	OWN_FD int fd = -1;
	size_t left;

	if (!text)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	fd = memfd_create("stdin", MFD_CLOEXEC);
	if (fd < 0)
		return -1;
	for (left = strlen(text); left;) {
		ssize_t n = write(fd, text, left);

		if (n <= 0)
			return -1;
		text += n;
		left -= (size_t)n;
	}
	lseek(fd, 0, SEEK_SET);
	return TAKE_FD(fd);
}

/* In the child. Only async-signal-safe calls until exec; every failure is
 * written to the report pipe, which exec closes. */
static void child_exec(const struct child_options *o, pid_t parent, int in, int out, int err,
		       int report)
{
	sigset_t none;
	int code;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	/* A group of its own: Ctrl-C reaches the parent, which ends its children. */
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (o->netns_fd >= 0 && setns(o->netns_fd, CLONE_NEWNET))
		goto fail;
	if (o->cores && cores_bind(o->cores))
		goto fail;
	if (dup2(in, 0) < 0 || (out >= 0 && dup2(out, 1) < 0) || (err >= 0 && dup2(err, 2) < 0))
		goto fail;
	execvp(o->argv[0], (char *const *)o->argv);
fail:
	code = errno;
	if (write(report, &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

static int child_stream(bool take, bool quiet, int *read_end, int *write_end)
{
	int p[2];

	*read_end = *write_end = -1;
	if (!take) {
		if (quiet)
			*write_end = open("/dev/null", O_WRONLY | O_CLOEXEC);
		return 0;
	}
	if (pipe2(p, O_CLOEXEC))
		return -errno;
	fcntl(p[0], F_SETFL, O_NONBLOCK);
	*read_end = p[0];
	*write_end = p[1];
	return 0;
}

int child_start(struct child *child, const struct child_options *o)
{
	OWN_FD int in = child_input(o->input);
	OWN_FD int out = -1;
	OWN_FD int err = -1;
	OWN_FD int out_read = -1;
	OWN_FD int err_read = -1;
	OWN_FD int report_read = -1;
	OWN_FD int report = -1;
	int p[2], code = 0;
	pid_t pid, parent = getpid();

	if (in < 0 || child_stream(o->take_out, o->quiet, &out_read, &out) ||
	    child_stream(o->take_err, o->quiet, &err_read, &err) || pipe2(p, O_CLOEXEC))
		return log_err(-errno, "%s: cannot start: %s", o->argv[0], strerror(errno));
	report_read = p[0];
	report = p[1];
	pid = fork();
	if (pid < 0)
		return log_err(-errno, "%s: cannot start: %s", o->argv[0], strerror(errno));
	if (!pid)
		child_exec(o, parent, in, out, err, report);
	close(TAKE_FD(report));
	if (read(report_read, &code, sizeof(code)) == sizeof(code)) {
		waitpid(pid, NULL, 0);
		return log_err(-code, "%s: cannot start: %s", o->argv[0], strerror(code));
	}
	*child = (struct child){
		.pid = pid,
		.pidfd = (int)syscall(SYS_pidfd_open, pid, 0),
		.out = TAKE_FD(out_read),
		.err = TAKE_FD(err_read),
	};
	return 0;
}

void child_signal(const struct child *child, int signal)
{
	if (child->pid && !child->reaped)
		syscall(SYS_pidfd_send_signal, child->pidfd, signal, NULL, 0);
}

int child_wait(struct child *child, int timeout_ms)
{
	uint64_t end = clock_now_ns() + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * NS_PER_MS;

	while (child->pid && !child->reaped) {
		struct pollfd p = { .fd = child->pidfd, .events = POLLIN };
		uint64_t now = clock_now_ns();
		int wait_ms = timeout_ms < 0 ? -1 : now >= end ? 0 : (int)((end - now) / NS_PER_MS) + 1;
		int n = poll(&p, 1, wait_ms);

		if (n > 0 && waitpid(child->pid, &child->status, 0) == child->pid)
			child->reaped = true;
		else if (!n && timeout_ms >= 0 && clock_now_ns() >= end)
			return -ETIMEDOUT;
	}
	return 0;
}

static void child_close(struct child *child)
{
	int *fds[] = { &child->pidfd, &child->out, &child->err };

	for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

void child_end(struct child *child, int grace_ms)
{
	if (!child->pid)
		return;
	if (!child->reaped) {
		child_signal(child, SIGTERM);
		if (child_wait(child, grace_ms)) {
			child_signal(child, SIGKILL);
			child_wait(child, -1);
		}
	}
	child_close(child);
}

int child_exit_code(const struct child *child)
{
	if (!child->reaped)
		return -1;
	return WIFEXITED(child->status) ? WEXITSTATUS(child->status) : 128 + WTERMSIG(child->status);
}

/* Appends what there is to *text. Returns false at end of file. */
static bool child_collect(int fd, char **text, size_t *size)
{
	char buffer[8192];
	ssize_t n = read(fd, buffer, sizeof(buffer));
	char *grown;

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		return false;
	if (n < 0)
		return true;
	grown = realloc(*text, *size + (size_t)n + 1);
	if (!grown)
		return false;
	memcpy(grown + *size, buffer, (size_t)n);
	*size += (size_t)n;
	grown[*size] = '\0';
	*text = grown;
	return true;
}

int child_run(const struct child_options *options, int timeout_ms, char **out, char **err)
{
	struct child_options o = *options;
	struct child child = CHILD_NONE;
	char *text[2] = { NULL, NULL };
	size_t size[2] = { 0, 0 };
	bool open_[2];
	uint64_t end = clock_now_ns() + (uint64_t)timeout_ms * NS_PER_MS;
	int code;

	o.take_out = out != NULL;
	o.take_err = err != NULL;
	code = child_start(&child, &o);
	if (code)
		return code;
	open_[0] = child.out >= 0;
	open_[1] = child.err >= 0;
	while (open_[0] || open_[1]) {
		struct pollfd p[2] = { { open_[0] ? child.out : -1, POLLIN, 0 },
				       { open_[1] ? child.err : -1, POLLIN, 0 } };
		uint64_t now = clock_now_ns();

		if (now >= end)
			break;
		if (poll(p, 2, (int)((end - now) / NS_PER_MS) + 1) < 0 && errno != EINTR)
			break;
		for (int i = 0; i < 2; i++)
			if (open_[i] && p[i].revents)
				open_[i] = child_collect(p[i].fd, &text[i], &size[i]);
	}
	uint64_t now = clock_now_ns();
	code = child_wait(&child, now >= end ? 0 : (int)((end - now) / NS_PER_MS) + 1);
	if (!code)
		code = child_exit_code(&child);
	child_end(&child, 0);
	if (out)
		*out = text[0] ? text[0] : strdup("");
	if (err)
		*err = text[1] ? text[1] : strdup("");
	return code;
}
