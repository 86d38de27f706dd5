/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Duplicates of descriptors: of each file that is open when a state is noted there is one more descriptor, by
 * which it can be had again if the program closes its own. It has the same open file, so the same mode, and
 * an offset that others put back (forked.h). Only of regular files: of a pipe or a socket somebody else could
 * tell that it is still open.
 */
#ifndef PROF_DUPLICATES_H
#define PROF_DUPLICATES_H

#include <sys/types.h>

enum { PROF_DUPLICATES_MOST = 32 };

/* To be kept where a return changes nothing; all zero: there is none. */
struct prof_duplicates {
    struct prof_duplicate {
        int own;        /* 0: unused */
        int fd;         /* whose */
        unsigned since; /* the depth at which it was made */
        dev_t device;
        ino_t inode;
    } all[PROF_DUPLICATES_MOST];
};

/* A state is about to be noted, with so many below it. What finds no room has no duplicate. */
void prof_duplicates_take(struct prof_duplicates *duplicates, unsigned depth);
/* Back to that state: what was made later is closed. */
void prof_duplicates_return(struct prof_duplicates *duplicates, unsigned depth);
/* The program's descriptor is what it was, if there is a duplicate of that; flags: F_GETFD's. */
void prof_duplicates_open(const struct prof_duplicates *duplicates, int fd, dev_t device, ino_t inode,
                          int flags);
/* In a process that was forked just now: those of its parent are closed. */
void prof_duplicates_begin(void);

#endif
