/* SPDX-License-Identifier: BSD-3-Clause */
#include "own_descriptor.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LOWEST = 440, MOST = 64 };

static bool made[MOST]; /* by number */

bool prof_own_descriptor(int *own, int fresh)
{
    if (*own >= 0)
        close(*own);
    *own = fresh >= 0 ? fcntl(fresh, F_DUPFD_CLOEXEC, LOWEST) : -1;
    if (fresh >= 0)
        close(fresh);
    if (*own >= LOWEST && *own < LOWEST + MOST)
        made[*own - LOWEST] = true;
    return *own >= 0;
}

int prof_own_descriptor_lowest(void) { return LOWEST; }

bool prof_own_descriptor_is_one(int fd) { return fd >= LOWEST && fd < LOWEST + MOST && made[fd - LOWEST]; }

bool prof_own_descriptor_open(int *own, const char *path)
{
    /* not as the program opens files (written.c) */
    return prof_own_descriptor(own, (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC));
}
