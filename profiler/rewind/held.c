/* SPDX-License-Identifier: BSD-3-Clause */
/* System calls only: the memory in which the C library keeps its own view of all this is put back
 * elsewhere. */
#include "held.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptors.h"
#include "own_descriptor.h"

static uint64_t heap_end(uint64_t wanted) { return (uint64_t)syscall(SYS_brk, wanted); }

/* Standard output and error may have been turned away meanwhile, on purpose (checkpoint.c). */
static bool is_output(int fd) { return fd == 1 || fd == 2; }

static bool note_files(struct prof_held *h)
{
    struct prof_descriptor open[PROF_DESCRIPTORS_MOST];
    struct stat s;
    int n = prof_descriptors(open);
    h->n_files = 0;
    for (int i = 0; i < n; i++) {
        if (is_output(open[i].fd))
            continue;
        if (h->n_files == PROF_HELD_FILES || fstat(open[i].fd, &s) < 0)
            return false;
        h->files[h->n_files].fd = open[i].fd;
        h->files[h->n_files].flags = open[i].flags;
        h->files[h->n_files].device = s.st_dev;
        h->files[h->n_files++].inode = s.st_ino;
    }
    return n >= 0;
}

static bool is_file(int fd, dev_t device, ino_t inode)
{
    struct stat s;
    return fstat(fd, &s) == 0 && s.st_dev == device && s.st_ino == inode;
}

/* What cannot be opened again is missed by return_files. */
static void open_again(const struct prof_held *h, const struct prof_duplicates *duplicates)
{
    for (unsigned k = 0; k < h->n_files; k++)
        prof_duplicates_open(duplicates, h->files[k].fd, h->files[k].device, h->files[k].inode,
                             h->files[k].flags);
}

static bool return_files(const struct prof_held *h)
{
    struct prof_descriptor open[PROF_DESCRIPTORS_MOST];
    unsigned k = 0;
    int n = prof_descriptors(open);
    for (int i = 0; i < n; i++) {
        int fd = open[i].fd;
        if (is_output(fd))
            continue;
        if (k == h->n_files || h->files[k].fd > fd) {
            close(fd);
            continue;
        }
        /* those by which the process looks at itself it may have opened again */
        bool same = h->files[k].fd == fd &&
                    (prof_own_descriptor_is_one(fd) || is_file(fd, h->files[k].device, h->files[k].inode));
        if (!same)
            return false;
        k++;
    }
    return n >= 0 && k == h->n_files;
}

bool prof_held_note(struct prof_held *h, struct prof_duplicates *duplicates, unsigned depth)
{
    prof_duplicates_take(duplicates, depth);
    h->heap_end = heap_end(0);
    for (int i = 0; i < PROF_HELD_SIGNALS; i++)
        syscall(SYS_rt_sigaction, i + 1, NULL, &h->signals[i], sizeof(uint64_t));
    return sigaltstack(NULL, &h->signal_stack) == 0 && note_files(h);
}

bool prof_held_return(const struct prof_held *h, struct prof_duplicates *duplicates, unsigned depth)
{
    if (heap_end(0) != h->heap_end && heap_end(h->heap_end) != h->heap_end)
        return false;
    for (int i = 0; i < PROF_HELD_SIGNALS; i++)
        /* of two it cannot be set, nor changed */
        syscall(SYS_rt_sigaction, i + 1, &h->signals[i], NULL, sizeof(uint64_t));
    sigaltstack(&h->signal_stack, NULL);
    prof_duplicates_return(duplicates, depth);
    open_again(h, duplicates);
    return return_files(h);
}
