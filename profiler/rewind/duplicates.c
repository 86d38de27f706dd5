/* SPDX-License-Identifier: BSD-3-Clause */
/* System calls only, as in held.c. */
#include "duplicates.h"

#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptors.h"
#include "own_descriptor.h"

static long offset_of(int fd) { return syscall(SYS_lseek, fd, 0L, SEEK_CUR); }

/* Whether both are one open file. The kernel need not say so; but then they have one offset. */
static bool are_one(int a, int b)
{
    long pid = syscall(SYS_getpid), order = syscall(SYS_kcmp, pid, pid, KCMP_FILE, a, b);
    if (order >= 0)
        return order == 0;
    long at = offset_of(a);
    if (at < 0 || offset_of(b) != at || syscall(SYS_lseek, a, at + 1, SEEK_SET) != at + 1)
        return false;
    bool one = offset_of(b) == at + 1;
    syscall(SYS_lseek, a, at, SEEK_SET);
    return one;
}

/* The newest one of this descriptor. */
static const struct prof_duplicate *find(const struct prof_duplicates *d, int fd, dev_t device, ino_t inode)
{
    const struct prof_duplicate *found = NULL;
    for (int i = 0; i < PROF_DUPLICATES_MOST; i++) {
        const struct prof_duplicate *one = &d->all[i];
        if (one->own && one->fd == fd && one->device == device && one->inode == inode &&
            (!found || one->since >= found->since))
            found = one;
    }
    return found;
}

static void take(struct prof_duplicates *d, int fd, const struct stat *s, unsigned depth)
{
    const struct prof_duplicate *known = find(d, fd, s->st_dev, s->st_ino);
    int i = 0;
    if (known && are_one(known->own, fd))
        return;
    while (i < PROF_DUPLICATES_MOST && d->all[i].own)
        i++;
    int own = i < PROF_DUPLICATES_MOST ? prof_own_descriptor_duplicate(fd) : -1;
    if (own >= 0)
        d->all[i] = (struct prof_duplicate){own, fd, depth, s->st_dev, s->st_ino};
}

static void drop(struct prof_duplicate *one)
{
    close(one->own);
    *one = (struct prof_duplicate){0};
}

/* The states for which these were made are left for good. What is still open stays, since to close any
 * descriptor of a file ends the process's locks of it. */
static void drop_left(struct prof_duplicates *d, unsigned depth)
{
    for (int i = 0; i < PROF_DUPLICATES_MOST; i++) {
        struct prof_duplicate *one = &d->all[i];
        if (!one->own || one->since < depth)
            continue;
        one->since = depth;
        if (!are_one(one->own, one->fd))
            drop(one);
    }
}

void prof_duplicates_take(struct prof_duplicates *d, unsigned depth)
{
    struct prof_descriptor open[PROF_DESCRIPTORS_MOST];
    struct stat s;
    drop_left(d, depth);
    int n = prof_descriptors(open);
    for (int i = 0; i < n; i++) {
        int fd = open[i].fd;
        if (fd > 2 && fd < prof_own_descriptor_lowest() && fstat(fd, &s) == 0 && S_ISREG(s.st_mode))
            take(d, fd, &s, depth);
    }
}

void prof_duplicates_return(struct prof_duplicates *d, unsigned depth)
{
    for (int i = 0; i < PROF_DUPLICATES_MOST; i++)
        if (d->all[i].own && d->all[i].since > depth)
            drop(&d->all[i]);
}

void prof_duplicates_open(const struct prof_duplicates *d, int fd, dev_t device, ino_t inode, int flags)
{
    const struct prof_duplicate *one = find(d, fd, device, inode);
    if (one && !are_one(one->own, fd))
        syscall(SYS_dup3, one->own, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0);
}

void prof_duplicates_begin(void) { prof_own_descriptor_drop_duplicates(); }
