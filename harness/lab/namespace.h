/* SPDX-License-Identifier: BSD-2-Clause */
/* Network namespaces and work inside them.
 *
 * Work inside is done by a thread that enters the namespace, does it and ends:
 * the calling thread never leaves its own, so there is no way back that could
 * fail (as an ordinary user it would: the host's namespace is not ours). */
#ifndef HARNESS_LAB_NAMESPACE_H
#define HARNESS_LAB_NAMESPACE_H

#include <stddef.h>

/* Where the names are; private to this process after lab_enter. */
#define NAMESPACE_FOLDER "/run/netns"

/* A new network namespace; close the descriptor and it is gone. With a name it
 * also stands in NAMESPACE_FOLDER, for `ip netns` and until namespace_remove.
 * Returns the descriptor, or -errno, logged. */
int namespace_make(const char *name);
void namespace_remove(const char *name);

/* Runs work(argument) inside; returns what it returns, or -errno if the
 * namespace could not be entered (logged). */
int namespace_do(int netns_fd, int (*work)(void *argument), void *argument);

/* A socket made inside, usable from anywhere. Returns it or -errno. */
int namespace_socket(int netns_fd, int family, int type, int protocol);

/* The namespace's own sysfs, not mounted anywhere: a folder descriptor for
 * openat. Returns it or -errno (not logged: an ordinary user may not). */
int namespace_sysfs(int netns_fd);

/* path below /proc/sys, with slashes. Returns 0 or -errno, not logged. */
int namespace_sysctl_write(int netns_fd, const char *path, const char *value);
/* Without the newline at its end. */
int namespace_sysctl_read(int netns_fd, const char *path, char *out, size_t size);

/* Writes value into an existing file; dirfd as for openat. 0 or -errno. */
int file_write(int dirfd, const char *path, const char *value);
/* Reads the file's text, without the newline at its end. 0 or -errno. */
int file_read(int dirfd, const char *path, char *out, size_t size);

#endif
