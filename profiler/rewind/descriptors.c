/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel says how many are open (the size of /proc/self/fd, Linux 6.2): if those that were open the last
 * time still are, and are so many, there are no others. Else each number is looked at, which takes longer. */
#include "descriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = PROF_DESCRIPTORS_MOST };

static uint16_t last[MOST];
static int n_last;

/* 0: it does not say. */
static long count(void)
{
    struct stat s;
    return syscall(SYS_newfstatat, AT_FDCWD, "/proc/self/fd", &s, 0) == 0 ? (long)s.st_size : 0;
}

/* False: one is not open. */
static bool look_at_last(struct prof_descriptor *all)
{
    for (int i = 0; i < n_last; i++) {
        all[i] = (struct prof_descriptor){last[i], (int)syscall(SYS_fcntl, last[i], F_GETFD)};
        if (all[i].flags < 0)
            return false;
    }
    return true;
}

static bool look_at_each(void)
{
    struct pollfd fds[MOST];
    for (int i = 0; i < MOST; i++)
        fds[i] = (struct pollfd){.fd = i};
    if (poll(fds, MOST, 0) < 0)
        return false;
    n_last = 0;
    for (int i = 0; i < MOST; i++)
        if (!(fds[i].revents & POLLNVAL))
            last[n_last++] = (uint16_t)i;
    return true;
}

int prof_descriptors(struct prof_descriptor *all)
{
    long n = count();
    if (n && n == n_last && look_at_last(all))
        return n_last;
    if (!look_at_each() || (n && n != n_last) || !look_at_last(all))
        return -1;
    return n_last;
}
