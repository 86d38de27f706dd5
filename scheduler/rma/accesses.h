/* SPDX-License-Identifier: BSD-3-Clause */
/* One access to window memory, and whether two of them may go together. */
#ifndef SCHED_RMA_ACCESSES_H
#define SCHED_RMA_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/access.h"

/* What a rank knew at some time; shared. */
struct sched_rma_known {
    uint32_t users;
    uint32_t at[];
};

/* One user less; NULL is allowed. */
void sched_rma_known_drop(struct sched_rma_known *known);

enum sched_rma_state {
    SCHED_RMA_PENDING,
    SCHED_RMA_COMPLETED, /* MPI_Win_complete was called: it ends with the target's MPI_Win_wait */
    SCHED_RMA_ENDED,
};

struct sched_rma_access {
    int rank;
    struct isp_access what; /* runs are `runs` */
    struct isp_access_run *runs;
    uint32_t n_runs, runs_room;
    uint64_t low, high;
    uint32_t begin;                /* when, by its rank's clock */
    struct sched_rma_known *known; /* ... which knew this then, but for its own time */
    uint32_t version;              /* of that */
    enum sched_rma_state state;
    int end_rank; /* ENDED: who knows end_time of this rank knows that it has ended */
    uint32_t end_time;
    bool has_handle; /* it has a request: */
    uint32_t handle;
};

void sched_rma_access_destroy(struct sched_rma_access *access);
bool sched_rma_writes(const struct isp_access *access);
/* An accumulate of any kind: single elements are updated or read at once (MPI-4.0, section 12.7.1). */
bool sched_rma_is_atomic(const struct isp_access *access);
bool sched_rma_is_local(const struct isp_access *access); /* a load or a store */
/* of a call of the rank that the window belongs to */
bool sched_rma_is_buffer(const struct isp_access *access);

/* False: the two are fine without any order (or have one that needs no clock: the same rank's accumulates,
 * excluding locks). Not whether they meet in memory. */
bool sched_rma_needs_order(const struct sched_rma_access *a, const struct sched_rma_access *b);
/* Of two ranks, to one window by its epochs: of kinds that must not be open at once (MPI-4.0, sections 12.5
 * and 12.5.3). */
bool sched_rma_mix(const struct sched_rma_access *a, const struct sched_rma_access *b);
/* Have they a byte in common? Says which run of bytes, the first. */
bool sched_rma_meet(const struct sched_rma_access *a, const struct sched_rma_access *b,
                    struct isp_access_run *common);
/* The same access again, as far as anyone else is concerned; or one that goes on where `a` ends, and is
 * merged into it. */
bool sched_rma_is_again(const struct sched_rma_access *a, const struct sched_rma_access *b);
bool sched_rma_merge(struct sched_rma_access *a, const struct sched_rma_access *b);

#endif
