/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/log.h"
#include "common/own.h"

static struct sockaddr_un control_address(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	return address;
}

static bool control_is_socket(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISSOCK(st.st_mode);
}

/* True if the socket is there and nobody listens any more. */
static bool control_stale(const struct sockaddr_un *address)
{
	OWN_FD int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0 || !control_is_socket(address->sun_path))
		return false;
	return connect(fd, (const struct sockaddr *)address, sizeof(*address)) &&
	       errno == ECONNREFUSED;
}

static int control_bind(int fd, const struct sockaddr_un *address)
{
	mode_t mask = umask(0177);
	int error = 0;

	if (bind(fd, (const struct sockaddr *)address, sizeof(*address)))
		error = -errno;
	if (error == -EADDRINUSE && control_stale(address)) {
		log_info("replacing the control socket %s that a killed fwref left", address->sun_path);
		unlink(address->sun_path);
		error = bind(fd, (const struct sockaddr *)address, sizeof(*address)) ? -errno : 0;
	}
	umask(mask);
	return error;
}

int control_open(struct control *control, const char *path)
{
	OWN_FD int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_un address = control_address(path);
	int error;

	control->listen = -1;
	for (int i = 0; i < CONTROL_CLIENTS; i++)
		control->clients[i] = (struct control_client){ .fd = -1 };
	if (fd < 0)
		return log_err(-errno, "control socket: %s", strerror(errno));
	error = control_bind(fd, &address);
	if (error == -EADDRINUSE && !control_is_socket(path))
		return log_err(error, "%s is there and no socket; give --control SOCKET another path",
			       path);
	if (error == -EADDRINUSE)
		return log_err(error, "%s is in use: is another fwref running? Give this one its own "
			       "--control SOCKET", path);
	if (error)
		return log_err(error, "control socket %s: %s", path, strerror(-error));
	if (listen(fd, CONTROL_CLIENTS)) {
		error = -errno;
		unlink(path);
		return log_err(error, "control socket %s: %s", path, strerror(-error));
	}
	snprintf(control->path, sizeof(control->path), "%s", path);
	control->listen = TAKE_FD(fd);
	return 0;
}

static void client_close(struct control_client *client)
{
	own_close(&client->fd);
	free(client->answer);
	*client = (struct control_client){ .fd = -1 };
}

void control_close(struct control *control)
{
	for (int i = 0; i < CONTROL_CLIENTS; i++)
		client_close(&control->clients[i]);
	if (control->listen < 0)
		return;
	unlink(control->path);
	own_close(&control->listen);
	control->listen = -1;
}

uint32_t control_poll(const struct control *control, struct pollfd *fds)
{
	uint32_t n = 0;

	fds[n++] = (struct pollfd){ .fd = control->listen, .events = POLLIN };
	for (int i = 0; i < CONTROL_CLIENTS; i++) {
		const struct control_client *client = &control->clients[i];

		if (client->fd >= 0)
			fds[n++] = (struct pollfd){ .fd = client->fd,
						    .events = client->answer ? POLLOUT : POLLIN };
	}
	return n;
}

/* ---- the server ---------------------------------------------------------- */

/* A free place; where there is none, the one that has been silent for longest. */
static struct control_client *control_place(struct control *control)
{
	struct control_client *oldest = &control->clients[0];

	for (int i = 0; i < CONTROL_CLIENTS; i++) {
		struct control_client *client = &control->clients[i];

		if (client->fd < 0)
			return client;
		if (client->since_ns < oldest->since_ns)
			oldest = client;
	}
	client_close(oldest);
	return oldest;
}

static void control_accept(struct control *control, uint64_t now_ns)
{
	for (int i = 0; i < CONTROL_CLIENTS; i++) {
		int fd = accept4(control->listen, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		struct control_client *client;

		if (fd < 0)
			return;
		client = control_place(control);
		client->fd = fd;
		client->since_ns = now_ns;
	}
}

char *control_answer(struct control *control, const char *line, size_t bytes)
{
	char word[CONTROL_LINE_MAX + 1];
	json_t *answer;
	char *text, *whole;
	size_t n;

	while (bytes && (line[bytes - 1] == '\n' || line[bytes - 1] == '\r'))
		bytes--;
	bytes = bytes < CONTROL_LINE_MAX ? bytes : CONTROL_LINE_MAX;
	memcpy(word, line, bytes);
	word[bytes] = '\0';
	answer = control->answer(control->context, word);
	if (!answer)
		return NULL;
	text = json_dumps(answer, JSON_COMPACT);
	json_decref(answer);
	if (!text)
		return NULL;
	n = strlen(text);
	whole = realloc(text, n + 2);
	if (!whole) {
		free(text);
		return NULL;
	}
	memcpy(whole + n, "\n", 2);
	return whole;
}

/* Reads towards a whole line; false: close the client. */
static bool client_read(struct control *control, struct control_client *client, uint64_t now_ns)
{
	ssize_t n = recv(client->fd, client->line + client->line_bytes,
			 sizeof(client->line) - client->line_bytes, 0);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (!n)
		return false;
	client->line_bytes += (uint32_t)n;
	client->since_ns = now_ns;
	if (!memchr(client->line, '\n', client->line_bytes))
		return client->line_bytes < sizeof(client->line);
	n = (char *)memchr(client->line, '\n', client->line_bytes) - client->line;
	client->answer = control_answer(control, client->line, (size_t)n);
	client->answer_bytes = client->answer ? strlen(client->answer) : 0;
	return client->answer != NULL;
}

/* Sends what goes; false when the client is to be closed: all sent, or lost. */
static bool client_write(struct control_client *client, uint64_t now_ns)
{
	ssize_t n = send(client->fd, client->answer + client->sent_bytes,
			 client->answer_bytes - client->sent_bytes, MSG_NOSIGNAL);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	client->sent_bytes += (size_t)n;
	client->since_ns = now_ns;
	return client->sent_bytes < client->answer_bytes;
}

void control_serve(struct control *control, uint64_t now_ns)
{
	control_accept(control, now_ns);
	for (int i = 0; i < CONTROL_CLIENTS; i++) {
		struct control_client *client = &control->clients[i];
		bool keep = client->fd >= 0;

		if (!keep)
			continue;
		if (!client->answer)
			keep = client_read(control, client, now_ns);
		if (keep && client->answer)
			keep = client_write(client, now_ns);
		if (!keep || now_ns - client->since_ns > CONTROL_PATIENCE_NS)
			client_close(client);
	}
}
