/* SPDX-License-Identifier: BSD-2-Clause */
/* The client's side of the control socket. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/exit.h"
#include "common/log.h"
#include "common/own.h"
#include "firewall-ref/control.h"

#define ASK_PATIENCE_S 30

static int ask_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const struct timeval patience = { .tv_sec = ASK_PATIENCE_S };
	OWN_FD int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return log_err(-errno, "socket: %s", strerror(errno));
	if (strlen(path) >= sizeof(address.sun_path))
		return log_err(-ENAMETOOLONG, "--control: %s is too long for a socket", path);
	memcpy(address.sun_path, path, strlen(path));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return TAKE_FD(fd);
	if (errno == ENOENT || errno == ECONNREFUSED)
		return log_err(-errno, "no fwref listens on %s; is it running, with this --control?",
			       path);
	return log_err(-errno, "%s: %s", path, strerror(errno));
}

/* Copies the answer to stdout and keeps its first bytes. Returns its length. */
static ssize_t ask_copy(int fd, char *head, size_t size)
{
	char buffer[65536];
	size_t kept = 0;
	ssize_t n, all = 0;

	while ((n = recv(fd, buffer, sizeof(buffer), 0)) > 0) {
		size_t more = (size_t)n < size - 1 - kept ? (size_t)n : size - 1 - kept;

		memcpy(head + kept, buffer, more);
		kept += more;
		if (fwrite(buffer, 1, (size_t)n, stdout) != (size_t)n)
			return -EIO;
		all += n;
	}
	head[kept] = '\0';
	if (fflush(stdout))
		return -EIO;
	return n < 0 ? -errno : all;
}

int control_ask(const char *path, const char *word)
{
	OWN_FD int fd = ask_connect(path);
	char line[CONTROL_LINE_MAX], head[2048];
	ssize_t n;
	json_t *answer;
	const char *error;
	int length = snprintf(line, sizeof(line), "%s\n", word);

	if (fd < 0)
		return EXIT_RUN_FAILED;
	if (send(fd, line, (size_t)length, MSG_NOSIGNAL) != length)
		return log_err(EXIT_RUN_FAILED, "%s: %s", path, strerror(errno));
	n = ask_copy(fd, head, sizeof(head));
	if (n <= 0)
		return log_err(EXIT_RUN_FAILED, "%s: %s", path,
			       n ? strerror((int)-n) : "closed without an answer");
	answer = json_loads(head, 0, NULL);
	error = json_string_value(json_object_get(answer, "error"));
	if (error)
		log_err(EXIT_USAGE, "%s", error);
	json_decref(answer);
	return error ? EXIT_USAGE : EXIT_PASS;
}
