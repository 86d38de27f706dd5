/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of windows: where it lies in each rank, and what the program itself does to that of its own
 * windows.
 *
 * A rank sees its own stores by a copy of the memory, which it compares: what others put there comes by MPI,
 * so whatever changes between the end of one call and the beginning of the next is a store. (Not in shared
 * windows, where others store too.) Stores of what was there already, and memory beyond the limits in
 * window_memory.c, are not seen. Lines of stores, and loads, come from watch.h.
 */
#ifndef PROF_WINDOW_MEMORY_H
#define PROF_WINDOW_MEMORY_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/hooks.h"
#include "memory/regions.h"
#include "window_buffers.h"

struct prof_win;
struct prof_rma;

struct prof_window_part {
    uint64_t base, size;
    int64_t disp_unit;
};

/* Part of a struct prof_win. */
struct prof_window_memory {
    struct prof_window_part *parts; /* by rank; NULL: not known */
    bool dynamic;                   /* the program names memory by its address */
    struct prof_window_area *areas; /* this rank's own memory */
    bool accessed;                  /* by MPI, since it locked its own memory */
};

/* The window was made, on all members of comm, which are all in that call. */
void prof_window_memory_begin(struct prof_win *w, MPI_Comm comm);
void prof_window_memory_end(struct prof_win *w);
void prof_window_memory_attach(struct prof_win *w, void *base, MPI_Aint size);
void prof_window_memory_detach(struct prof_win *w, const void *base);

/* Tells an access of the call that the thread is in. region: in the target's memory. */
void prof_window_tell(struct prof_win *w, const struct prof_rma *access, const struct prof_region *region);
/* The same for a flush; rank may be PROF_ALL_RANKS. */
void prof_window_tell_flush(const struct prof_win *w, int rank, bool local);

/* The rank has several threads: nothing is told of its accesses, and they take no turns. */
bool prof_window_is_untold(void);
/* The last access of the window, which had its turn, has changed nothing. */
void prof_window_tell_unchanged(const struct prof_win *w);
/* The epoch of a lock of this rank's own memory begins, and ends: whatever it may have loaded is told. */
void prof_window_own_lock(struct prof_win *w);
void prof_window_own_unlock(struct prof_win *w);

void prof_window_memory_look(void);
void prof_window_memory_keep(void);

/* In the beginning and at the end of each MPI call that may let MPI work. */
static inline void prof_window_memory_enter(void)
{
    if (prof_engine_looks)
        prof_window_memory_look();
}

static inline void prof_window_memory_leave(void)
{
    if (prof_engine_looks)
        prof_window_memory_keep();
    if (prof_engine_returns)
        prof_window_buffers_return();
}

#endif
