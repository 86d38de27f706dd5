/* SPDX-License-Identifier: BSD-3-Clause */
/* Which descriptors this process has open. */
#ifndef PROF_DESCRIPTORS_H
#define PROF_DESCRIPTORS_H

enum { PROF_DESCRIPTORS_MOST = 1024 };

struct prof_descriptor {
    int fd, flags; /* F_GETFD */
};

/* By number, into room for PROF_DESCRIPTORS_MOST. Returns how many; -1: there are others of higher numbers,
 * or the kernel does not tell. */
int prof_descriptors(struct prof_descriptor *all);

#endif
