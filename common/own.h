/* SPDX-License-Identifier: BSD-2-Clause */
/* Ownership a reader can check in one function: a local that owns something
 * says so in its declaration, and gives it up with TAKE_PTR or TAKE_FD. */
#ifndef COMMON_OWN_H
#define COMMON_OWN_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void own_free(void *p) { free(*(void **)p); }
static inline void own_fclose(FILE **f) { if (*f) fclose(*f); }
static inline void own_closedir(DIR **d) { if (*d) closedir(*d); }
static inline void own_close(int *fd) { if (*fd >= 0) close(*fd); }

#define OWN_MEM __attribute__((cleanup(own_free)))
#define OWN_FILE __attribute__((cleanup(own_fclose)))
#define OWN_DIR __attribute__((cleanup(own_closedir)))
#define OWN_FD __attribute__((cleanup(own_close)))

#define TAKE_PTR(p) ({ __typeof__(p) taken_ = (p); (p) = NULL; taken_; })
#define TAKE_FD(fd) ({ int taken_ = (fd); (fd) = -1; taken_; })

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
