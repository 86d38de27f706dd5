/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks promise about their windows at a fence, and others do not keep: MPI_MODE_NOPUT (MPI-4.0,
 * section 12.5.5). */
#ifndef SCHED_RMA_PROMISES_H
#define SCHED_RMA_PROMISES_H

#include "check/check.h"
#include "isp/access.h"

/* Of ranks that have promised something in the epoch that they are in now: few, as a rule none. */
struct sched_rma_promises {
    struct sched_rma_promise {
        int rank;
        int32_t window;
        uint32_t site;
    } * all;
    size_t n;
};

/* A fence has matched: the promises of the epoch before are over. */
void sched_rma_promises_fence(struct sched_rma_promises *promises, const struct poe_fired *fence);
void sched_rma_promises_check(const struct sched_rma_promises *promises, struct sched_run *run, int rank,
                              const struct isp_access *access);
void sched_rma_promises_finish(struct sched_rma_promises *promises);

#endif
