/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows. To the scheduler a window is a communicator of its own, with the members of the one that it was
 * made from: its number is alike on all ranks. What synchronizes is recorded there (windows.c, epochs.c);
 * accesses happen inside MPI alone (accesses.c).
 */
#ifndef PROF_WINDOWS_H
#define PROF_WINDOWS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "epoch_rules.h"
#include "origins.h"
#include "window_memory.h"

struct prof_op;
struct prof_shared;

/* An epoch that MPI_Win_post or MPI_Win_start has opened. */
struct prof_epoch {
    uint32_t *ranks;      /* world ranks; NULL: it is not open */
    struct prof_op **ops; /* messages to come, one from each rank */
    uint32_t n;
};

struct prof_win {
    MPI_Win handle;
    int32_t number;
    int n, rank; /* of its group; this rank in it */
    int *world;  /* world rank of each rank */
    struct prof_epoch access, exposure;
    struct prof_epochs epochs; /* all that are open */
    struct prof_window_memory memory;
    struct prof_origins origins;
    bool synced;                /* the last call was MPI_Win_sync */
    struct prof_op *early;      /* the last fence, which this rank does not know to be over; or NULL:
                                   early_fence.h */
    struct prof_shared *shared; /* memory that isp has made for it (shared.h), or NULL */
    struct prof_win *next;
};

/* After PMPI_Init. */
void prof_windows_init(void);
/* NULL: not a window that is known; MPI has to say what is wrong with it. */
struct prof_win *prof_win_find(MPI_Win win);
/* An error on it would end the rank; `unset`: also where the program has set no handler for it. */
bool prof_win_is_fatal(MPI_Win win, bool unset);
/* Closes an epoch: forgets it and what it holds (not the operations). */
void prof_epoch_clear(struct prof_epoch *epoch);

#endif
