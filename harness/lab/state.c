/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/lab/state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/lab/namespace.h"

#define VALUE_BYTES 64

const struct state state_host = {
	.folder = "/run/fwbench",
	.sysctl = "/proc/sys/net/core/netdev_max_backlog",
	/* 200 connections' small queues, MTU-size packets, with room. */
	.raised = "65536",
};

static void state_own_json(json_t **json)
{
	json_decref(*json);
}

#define OWN_JSON __attribute__((cleanup(state_own_json)))

/* Field 22 of /proc/PID/stat, clock ticks since boot; 0 if there is none. With
 * the pid it names a process for good. */
static unsigned long long state_start_time(long long pid)
{
	char path[64], text[1024];
	const char *p;
	unsigned long long start = 0;

	snprintf(path, sizeof(path), "/proc/%lld/stat", pid);
	if (file_read(AT_FDCWD, path, text, sizeof(text)))
		return 0;
	p = strrchr(text, ')'); /* the name may hold anything */
	for (int field = 2; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	if (p)
		sscanf(p, " %llu", &start);
	return start;
}

static bool state_alive(const json_t *file)
{
	long long pid = json_integer_value(json_object_get(file, "pid"));

	return pid > 0 && state_start_time(pid) ==
		(unsigned long long)json_integer_value(json_object_get(file, "start_time"));
}

static const char *state_folder(const struct state *state, char *covered, size_t size)
{
	/* lab_enter may have put a private /run over the host's. */
	if (access(STATE_COVERED_RUN, F_OK) || strncmp(state->folder, "/run/", 5))
		return state->folder;
	snprintf(covered, size, "%s/%s", STATE_COVERED_RUN, state->folder + 5);
	return covered;
}

/* Opens the folder and locks it; make: makes it where it is not. A folder that
 * another owner removed between the two is opened anew. */
static int state_lock(const struct state *state, bool make)
{
	char covered[256];
	const char *folder = state_folder(state, covered, sizeof(covered));

	for (;;) {
		OWN_FD int fd = -1;
		struct stat st;

		if (make && mkdir(folder, 0700) && errno != EEXIST)
			return -errno;
		fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (fd < 0 && errno == ENOENT && make)
			continue;
		if (fd < 0 || flock(fd, LOCK_EX) || fstat(fd, &st))
			return -errno;
		if (st.st_uid != geteuid())
			return -EPERM;
		if (st.st_nlink)
			return TAKE_FD(fd);
		if (!make)
			return -ENOENT;
	}
}

struct survey {
	unsigned dead, alive;
	char original[VALUE_BYTES]; /* as the first owner found it; "" if there is none */
};

/* Counts the state files; removes those of the dead if asked. */
static int state_survey(int folder, bool remove_dead, struct survey *out)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	OWN_DIR DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	*out = (struct survey){ 0 };
	if (!dir)
		return -errno;
	for (struct dirent *e; (e = readdir(dir));) {
		char text[512];
		OWN_JSON json_t *file = NULL;
		const char *value;
		size_t length = strlen(e->d_name);

		if (length < 6 || strcmp(e->d_name + length - 5, ".json"))
			continue;
		if (!file_read(folder, e->d_name, text, sizeof(text)))
			file = json_loads(text, 0, NULL);
		value = json_string_value(json_object_get(file, "value"));
		if (value)
			snprintf(out->original, sizeof(out->original), "%s", value);
		if (state_alive(file)) {
			out->alive++;
			continue;
		}
		out->dead++;
		if (remove_dead)
			unlinkat(folder, e->d_name, 0);
	}
	return 0;
}

/* The last one out: puts the value back, unless somebody else has changed it
 * since, and removes the folder. Called with the lock held and no file left. */
static void state_restore(const struct state *state, const char *original)
{
	char covered[256], now[VALUE_BYTES];

	if (*original && !file_read(AT_FDCWD, state->sysctl, now, sizeof(now)) &&
	    !strcmp(now, state->raised)) {
		int code = file_write(AT_FDCWD, state->sysctl, original);

		if (code)
			log_err(code, "%s: cannot put %s back: %s", state->sysctl, original,
				strerror(-code));
	}
	rmdir(state_folder(state, covered, sizeof(covered)));
}

static int state_write(int folder, const char *run_id, const char *original)
{
	OWN_JSON json_t *file = json_pack("{s:I, s:I, s:s}", "pid", (json_int_t)getpid(), "start_time",
					  (json_int_t)state_start_time(getpid()), "value", original);
	OWN_MEM char *text = json_dumps(file, 0);
	char name[128];
	OWN_FD int fd = -1;

	snprintf(name, sizeof(name), "%s.json", run_id);
	fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (!text || fd < 0)
		return text ? -errno : -ENOMEM;
	if (write(fd, text, strlen(text)) == (ssize_t)strlen(text))
		return 0;
	unlinkat(folder, name, 0);
	return -EIO;
}

int state_acquire(const struct state *state, const char *run_id)
{
	OWN_FD int folder = -1;
	struct survey found;
	char now[VALUE_BYTES];
	int code;

	code = file_read(AT_FDCWD, state->sysctl, now, sizeof(now));
	if (code)
		return log_err(code, "%s: %s; the receive queues keep their length", state->sysctl,
			       strerror(-code));
	folder = state_lock(state, true);
	code = folder < 0 ? folder : state_survey(folder, false, &found);
	if (!code)
		code = file_read(AT_FDCWD, state->sysctl, now, sizeof(now));
	if (!code)
		code = state_write(folder, run_id, *found.original ? found.original : now);
	if (!code)
		code = file_write(AT_FDCWD, state->sysctl, state->raised);
	if (!code)
		return 0;
	if (folder >= 0)
		close(TAKE_FD(folder));
	state_release(state, run_id);
	return log_err(code, "%s: cannot record and raise %s: %s", state->folder, state->sysctl,
		       strerror(-code));
}

void state_release(const struct state *state, const char *run_id)
{
	OWN_FD int folder = state_lock(state, false);
	struct survey before, after;
	char name[128];

	if (folder < 0 || state_survey(folder, false, &before))
		return;
	snprintf(name, sizeof(name), "%s.json", run_id);
	unlinkat(folder, name, 0);
	if (!state_survey(folder, true, &after) && !after.alive)
		state_restore(state, before.original);
}

int state_clean(const struct state *state, bool dry_run, unsigned *removed)
{
	OWN_FD int folder = state_lock(state, false);
	struct survey found;
	int code;

	*removed = 0;
	if (folder == -ENOENT)
		return 0;
	code = folder < 0 ? folder : state_survey(folder, !dry_run, &found);
	if (code == -EPERM || code == -EACCES)
		return log_err(code, "%s is another user's; clean as that user (root)", state->folder);
	if (code)
		return log_err(code, "%s: %s", state->folder, strerror(-code));
	*removed = found.dead;
	if (!dry_run && found.dead && !found.alive)
		state_restore(state, found.original);
	return 0;
}
