/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/skip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "common/own.h"
#include "firewall-ref/control.h"

static char path[108];

static json_t *echo(void *context, const char *word)
{
	int *asked = context;

	(*asked)++;
	return json_pack("{s:s}", "word", word);
}

static int setup(void **state)
{
	(void)state;
	snprintf(path, sizeof(path), "/tmp/fwref-control-test-%d.sock", (int)getpid());
	unlink(path);
	return 0;
}

static int client(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path, path, strlen(path));
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

static void say(int fd, const char *text)
{
	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), (int)strlen(text));
}

/* What has come for the client: text, "" if it is closed, NULL if nothing yet. */
static const char *heard(int fd)
{
	static char text[4096];
	ssize_t n = recv(fd, text, sizeof(text) - 1, 0);

	if (n < 0)
		return NULL;
	text[n] = '\0';
	return text;
}

static void serve(struct control *control, uint64_t now_ns)
{
	for (int i = 0; i < 4; i++)
		control_serve(control, now_ns);
}

static void a_word_gets_a_line(void **state)
{
	int asked = 0, fd;
	struct control control = { .answer = echo, .context = &asked };
	struct stat st;

	(void)state;
	assert_int_equal(control_open(&control, path), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	fd = client();
	say(fd, "sta");
	serve(&control, 1);
	assert_null(heard(fd));
	say(fd, "ts\r\n");
	serve(&control, 2);
	assert_string_equal(heard(fd), "{\"word\":\"stats\"}\n");
	assert_string_equal(heard(fd), "");
	assert_int_equal(asked, 1);
	close(fd);
	control_close(&control);
	assert_int_equal(access(path, F_OK), -1);
}

static void silent_clients_hold_nobody_up(void **state)
{
	int asked = 0, silent[40], fd;
	struct control control = { .answer = echo, .context = &asked };
	struct pollfd fds[CONTROL_CLIENTS + 1];

	(void)state;
	assert_int_equal(control_open(&control, path), 0);
	for (int i = 0; i < 40; i++) { /* more than there are places */
		silent[i] = client();
		serve(&control, (uint64_t)i + 1);
	}
	assert_int_equal(control_poll(&control, fds), CONTROL_CLIENTS + 1);
	fd = client();
	say(fd, "hello\n");
	serve(&control, 100);
	assert_string_equal(heard(fd), "{\"word\":\"hello\"}\n");
	assert_string_equal(heard(silent[0]), ""); /* the longest silent gave way */
	assert_null(heard(silent[39]));
	serve(&control, 100 + CONTROL_PATIENCE_NS);
	assert_string_equal(heard(silent[39]), "");
	assert_int_equal(control_poll(&control, fds), 1);
	for (int i = 0; i < 40; i++)
		close(silent[i]);
	close(fd);
	control_close(&control);
}

static void lines_without_an_end_are_cut_off(void **state)
{
	int asked = 0, fd;
	struct control control = { .answer = echo, .context = &asked };
	char text[CONTROL_LINE_MAX + 1];

	(void)state;
	assert_int_equal(control_open(&control, path), 0);
	fd = client();
	memset(text, 'x', CONTROL_LINE_MAX);
	text[CONTROL_LINE_MAX] = '\0';
	say(fd, text);
	serve(&control, 1);
	assert_string_equal(heard(fd), "");
	assert_int_equal(asked, 0);
	close(fd);
	control_close(&control);
}

static void clients_that_leave(void **state)
{
	int asked = 0, fd;
	struct control control = { .answer = echo, .context = &asked };
	struct pollfd fds[CONTROL_CLIENTS + 1];

	(void)state;
	assert_int_equal(control_open(&control, path), 0);
	fd = client();
	say(fd, "stats\n");
	close(fd); /* before the answer: no signal, no place kept */
	serve(&control, 1);
	assert_int_equal(control_poll(&control, fds), 1);
	control_close(&control);
}

static void a_stale_socket_is_replaced_a_live_one_not(void **state)
{
	int asked = 0;
	struct control first = { .answer = echo, .context = &asked }, second = first;

	(void)state;
	assert_int_equal(control_open(&first, path), 0);
	assert_int_equal(control_open(&second, path), -EADDRINUSE);
	close(first.listen); /* as kill -9 leaves it */
	assert_int_equal(control_open(&second, path), 0);
	control_close(&second);
}

static void a_file_in_the_way_stays(void **state)
{
	int asked = 0;
	struct control control = { .answer = echo, .context = &asked };
	OWN_FILE FILE *f = fopen(path, "w");

	(void)state;
	assert_non_null(f);
	assert_int_equal(control_open(&control, path), -EADDRINUSE);
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_gets_a_line),
		cmocka_unit_test(silent_clients_hold_nobody_up),
		cmocka_unit_test(lines_without_an_end_are_cut_off),
		cmocka_unit_test(clients_that_leave),
		cmocka_unit_test(a_stale_socket_is_replaced_a_live_one_not),
		cmocka_unit_test(a_file_in_the_way_stays),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
