/* SPDX-License-Identifier: BSD-2-Clause */
/* The way in: a mount namespace of this process with a private /run/netns, as an
 * ordinary user inside a user namespace. The kernel takes both away with the last
 * process in them, however that ends. */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/log.h"
#include "common/own.h"
#include "harness/lab/lab.h"
#include "harness/lab/namespace.h"
#include "harness/lab/state.h"

/* The inode of the initial user namespace, fixed in the kernel (PROC_USER_INIT_INO). */
#define INITIAL_USER_NAMESPACE 0xEFFFFFFDu

static bool enter_has_capability(unsigned capability)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return false;
	return data[capability / 32].effective >> capability % 32 & 1;
}

static bool enter_initial_user_namespace(void)
{
	struct stat st;

	return !stat("/proc/self/ns/user", &st) && st.st_ino == INITIAL_USER_NAMESPACE;
}

static int enter_map(const char *path, unsigned id)
{
	char text[32];

	snprintf(text, sizeof(text), "0 %u 1", id);
	return file_write(AT_FDCWD, path, text);
}

/* Why user namespaces may be refused, in the order of likelihood. */
static const char *enter_refusal(void)
{
	char value[32];

	if (!file_read(AT_FDCWD, "/proc/sys/kernel/unprivileged_userns_clone", value, sizeof(value)) &&
	    !strcmp(value, "0"))
		return "as root: sysctl kernel.unprivileged_userns_clone=1";
	if (!file_read(AT_FDCWD, "/proc/sys/user/max_user_namespaces", value, sizeof(value)) &&
	    !strcmp(value, "0"))
		return "as root: sysctl user.max_user_namespaces=10000";
	if (!file_read(AT_FDCWD, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", value,
		       sizeof(value)) && strcmp(value, "0"))
		return "as root: sysctl kernel.apparmor_restrict_unprivileged_userns=0";
	return "run as root, or allow user namespaces here (in a container: --privileged)";
}

static int enter_refused(struct lab_host *host, int code)
{
	snprintf(host->why, sizeof(host->why), "user namespaces are refused (%s); %s",
		 strerror(-code), enter_refusal());
	return log_err(-EPERM, "no lab: %s", host->why);
}

/* Tried in a child first: half of it done would leave this process as nobody in
 * a namespace that can do nothing. */
static int enter_try_user(void)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid) {
		unsigned uid = geteuid();

		if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET))
			_exit(errno);
		if (enter_map("/proc/self/uid_map", uid))
			_exit(EPERM);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -ECHILD;
	return -WEXITSTATUS(status);
}

static int enter_user(struct lab_host *host)
{
	unsigned uid = geteuid(), gid = getegid();
	int code = enter_try_user();

	if (code)
		return enter_refused(host, code);
	/* The network namespace stays the host's: nothing is done in it. */
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return enter_refused(host, -errno);
	code = file_write(AT_FDCWD, "/proc/self/setgroups", "deny");
	if (!code || code == -ENOENT)
		code = enter_map("/proc/self/uid_map", uid);
	if (!code)
		code = enter_map("/proc/self/gid_map", gid);
	return code ? enter_refused(host, code) : 0;
}

static int enter_root(struct lab_host *host)
{
	static const struct {
		unsigned capability;
		const char *name;
	} wanted[] = { { CAP_SYS_ADMIN, "CAP_SYS_ADMIN" }, { CAP_NET_ADMIN, "CAP_NET_ADMIN" },
		       { CAP_NET_RAW, "CAP_NET_RAW" } };

	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		if (!enter_has_capability(wanted[i].capability)) {
			snprintf(host->why, sizeof(host->why),
				 "root without %s; add it (in a container: --cap-add or --privileged), "
				 "or run as an ordinary user", wanted[i].name);
			return log_err(-EPERM, "no lab: %s", host->why);
		}
	if (unshare(CLONE_NEWNS)) {
		snprintf(host->why, sizeof(host->why), "a mount namespace is refused (%s); in a "
			 "container: --privileged", strerror(errno));
		return log_err(-EPERM, "no lab: %s", host->why);
	}
	return 0;
}

/* A folder cannot be made in the host's /run, so a private /run covers it: every
 * entry becomes a link to the covered one, which stays reachable for state.c. */
static int enter_cover_run(void)
{
	/* Copied before it is covered: a copy made later would hold the cover too. */
	OWN_FD int old = open_tree(AT_FDCWD, "/run", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
	OWN_DIR DIR *dir = NULL;

	if (old < 0 || mount("tmpfs", "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755"))
		return -errno;
	if (mkdir(STATE_COVERED_RUN, 0755) ||
	    move_mount(old, "", AT_FDCWD, STATE_COVERED_RUN, MOVE_MOUNT_F_EMPTY_PATH) ||
	    mkdir(NAMESPACE_FOLDER, 0755))
		return -errno;
	dir = opendir(STATE_COVERED_RUN);
	if (!dir)
		return -errno;
	for (struct dirent *e; (e = readdir(dir));) {
		char text[512], link[512];

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		/* Relative, so that it also holds for a look from outside, /proc/PID/root/run. */
		snprintf(text, sizeof(text), "%s/%s", STATE_COVERED_RUN + strlen("/run/"), e->d_name);
		snprintf(link, sizeof(link), "/run/%s", e->d_name);
		if (symlink(text, link) && errno != EEXIST)
			return -errno;
	}
	return 0;
}

static int enter_private_run(void)
{
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return -errno;
	if (!mount("tmpfs", NAMESPACE_FOLDER, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755"))
		return 0;
	return errno == ENOENT ? enter_cover_run() : -errno;
}

/* What this machine or this user rules out, in one line. */
static void enter_say(const struct lab_host *host)
{
	struct cores cores;

	if (!host->root)
		log_info("not root: a lab in a user namespace, without CPU shares and without the "
			 "kernel path of fwref");
	else if (!cores_allowed(&cores) && cores.count == 1)
		log_info("one core: the device and the generators share it; rates are the core's");
}

int lab_enter(struct lab_host *host)
{
	int code;

	*host = (struct lab_host){ .root = !geteuid() && enter_initial_user_namespace() };
	code = !geteuid() ? enter_root(host) : enter_user(host);
	if (code)
		return code;
	code = enter_private_run();
	if (code) {
		snprintf(host->why, sizeof(host->why), "no private /run/netns (%s); in a container: "
			 "--privileged", strerror(-code));
		return log_err(code, "no lab: %s", host->why);
	}
	host->namespaces = true;
	enter_say(host);
	return 0;
}
