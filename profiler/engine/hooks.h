/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the engine asks of higher layers: process/hooks.c sets it before the process acts as a rank, and
 * nothing changes it afterwards.
 */
#ifndef PROF_ENGINE_HOOKS_H
#define PROF_ENGINE_HOOKS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "operations.h"

struct prof_engine_hooks {
    /* A GO frame has come (process/checkpoint.h). True: act on it. False: that was done; wait for the next
     * one. */
    bool (*go)(uint8_t marks, uint32_t drop);
    /* Gives an operation of this kind to MPI, and returns MPI's code; NULL: of a kind that the engine
     * knows. */
    int (*issue[PROF_OP_KINDS])(struct prof_op *op);
    /* A partitioned receive is about to be issued, and has got its message. */
    void (*partitions_issue)(struct prof_op *op);
    void (*partitions_arrived)(struct prof_op *op);
    /* A record is about to be made. */
    void (*record)(const struct isp_call *call);
    /* In the beginning and at the end of each call that may let MPI work, while prof_engine_looks; and when
     * it returns, while prof_engine_returns. */
    void (*look)(void);
    void (*keep)(void);
    void (*returns)(void);
    /* Whether the error handler of the object is MPI_ERRORS_ARE_FATAL, or what stands for it. unset_too: so
     * is one that the program has not set. */
    bool (*win_is_fatal)(MPI_Win win, bool unset_too);
    bool (*file_is_fatal)(MPI_File file);
};
extern struct prof_engine_hooks prof_engine_hooks;

extern bool prof_engine_looks, prof_engine_returns;

#endif
