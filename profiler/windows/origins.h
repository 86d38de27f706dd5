/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The origin buffers of accesses to windows. They are pending (pending.h) from the call to what completes it
 * at the origin: the end of the epoch, a flush (a local one too), or the wait for its request. Whatever is
 * wrong with them then is rma-conflict: another operation that uses them, a store, and, where it can be seen,
 * a load.
 */
#ifndef PROF_ORIGINS_H
#define PROF_ORIGINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isp/functions.h"

struct prof_op;
struct prof_pending;
struct prof_rma;
struct prof_win;

struct prof_origin {
    struct prof_pending *pending;
    uint64_t number; /* its own: the memory of `pending` may be another's by now */
    int target;
    struct prof_op *op; /* of its request; or NULL */
    uint32_t slot;
};

/* Part of a struct prof_win. */
struct prof_origins {
    struct prof_origin *all;
    size_t n, room;
    size_t called; /* from here on: of the access that the thread is in */
};

/* The access is about to be made; prof_origins_attach: it has this request. */
void prof_origins_begin(struct prof_win *w, const struct prof_rma *access);
void prof_origins_attach(struct prof_win *w, struct prof_op *op);
/* Those of accesses to this rank, or PROF_ALL_RANKS, are complete in the call that the thread is in. */
void prof_origins_end(struct prof_win *w, int rank);
void prof_origins_finish(struct prof_win *w);

#endif
