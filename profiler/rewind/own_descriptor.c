/* SPDX-License-Identifier: BSD-3-Clause */
#include "own_descriptor.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/descriptors.h"

enum { LOWEST = PROF_DESCRIPTORS_OWN, END = PROF_DESCRIPTORS_END };

static bool made[END - LOWEST]; /* by number */

static void note_made(int fd)
{
    if (fd >= LOWEST && fd < END)
        made[fd - LOWEST] = true;
}

bool prof_own_descriptor(int *own, int fresh)
{
    if (*own >= 0)
        close(*own);
    *own = fresh >= 0 ? fcntl(fresh, F_DUPFD_CLOEXEC, LOWEST) : -1;
    if (fresh >= 0)
        close(fresh);
    note_made(*own);
    return *own >= 0;
}

int prof_own_descriptor_lowest(void) { return LOWEST; }

bool prof_own_descriptor_is_one(int fd) { return fd >= LOWEST && fd < END && made[fd - LOWEST]; }

bool prof_own_descriptor_open(int *own, const char *path)
{
    /* not as the program opens files (written.c) */
    return prof_own_descriptor(own, (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC));
}

/* Apart from the others: a number means the same for ever, since what is remembered of it is put back. */
int prof_own_descriptor_duplicate(int fd)
{
    int own = fcntl(fd, F_DUPFD_CLOEXEC, PROF_DESCRIPTORS_DUPLICATES);
    if (own >= END) {
        close(own);
        return -1;
    }
    note_made(own);
    return own;
}

void prof_own_descriptor_drop_duplicates(void)
{
    for (int fd = PROF_DESCRIPTORS_DUPLICATES; fd < END; fd++)
        if (made[fd - LOWEST]) {
            close(fd);
            made[fd - LOWEST] = false;
        }
}
