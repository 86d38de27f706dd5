/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions through which a program calls MPI. Of a call in one of them, the line that matters is outside.
 *
 * A function is a wrapper if each call of it comes to at most one operation of MPI, with the probe, the types
 * or the wait that belong to it, and if the program has come to it from two places or more, or it is but a
 * few lines around that call, with parameters and without a loop. So one that does communicate (it sends and
 * receives, or calls two collectives) is none, from however many places it is called; nor is what recurses,
 * what a library without debug information calls back, or a lambda that its function hands to another one.
 * What such a library, or the system's header files, do themselves is never shown as long as there is
 * something else. The function that is the outermost is none either.
 */
#ifndef SCHED_WRAPPERS_H
#define SCHED_WRAPPERS_H

#include <stdint.h>

#include "resolve.h"

struct sched_wrappers;

/* A place of the program, and the operation (any number; 0: none of its own) that was called through it. */
struct sched_frame {
    const char *file; /* as sched_location; NULL: unknown */
    int line;
    const struct sched_place *place;
};

struct sched_wrappers *sched_wrappers_create(void);
void sched_wrappers_destroy(struct sched_wrappers *wrappers);
/* These frames, up to where the program begins, are the way to a call of these operations. */
void sched_wrappers_see(struct sched_wrappers *wrappers, const struct sched_frame *frames, size_t n,
                        const uint32_t *operations, size_t n_operations);
/* The innermost of the frames that is no wrapper. */
size_t sched_wrappers_leave(const struct sched_wrappers *wrappers, const struct sched_frame *frames,
                            size_t n);
/* Whether the program has come to a function of these frames, up to the one that is shown, from several
 * places. */
bool sched_wrappers_shared(const struct sched_wrappers *wrappers, const struct sched_frame *frames,
                           size_t shown, size_t n);

#endif
