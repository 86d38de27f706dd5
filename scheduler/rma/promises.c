/* SPDX-License-Identifier: BSD-3-Clause */
/* See promises.h. All members of a window are in one epoch between two fences, so the last fence that has
 * matched says what holds. */
#include "promises.h"

#include "accesses.h"
#include "base/alloc.h"
#include "isp/functions.h"

void sched_rma_promises_fence(struct sched_rma_promises *p, const struct poe_fired *fence)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->all[i].window != fence->members[0]->call.comm)
            p->all[kept++] = p->all[i];
    p->n = kept;
    for (unsigned i = 0; i < fence->n_members; i++) {
        const struct isp_call *call = &fence->members[i]->call;
        if (!call->tag)
            continue;
        p->all = sched_grow(p->all, p->n + 1, sizeof *p->all);
        p->all[p->n++] = (struct sched_rma_promise){fence->members[i]->rank, call->comm, call->site};
    }
}

static void report(struct sched_run *run, int rank, const struct isp_access *a,
                   const struct sched_rma_promise *promise)
{
    struct sched_draft *d = sched_draft_create(run, ISP_RULE_RMA_EPOCH);
    sched_draft_message(
        d,
        "%s: rank %d changes the window of rank %d, which has promised at its last MPI_Win_fence, by "
        "MPI_MODE_NOPUT, that nobody does",
        isp_fn_name((enum isp_fn)a->fn), rank, promise->rank);
    sched_draft_line(d, "rank %d has promised it by MPI_Win_fence at %s", promise->rank,
                     sched_draft_place(d, promise->site));
    sched_draft_site(d, rank, a->fn, a->site);
    sched_draft_site(d, promise->rank, ISP_FN_MPI_Win_fence, promise->site);
    sched_draft_end(d);
}

void sched_rma_promises_check(const struct sched_rma_promises *p, struct sched_run *run, int rank,
                              const struct isp_access *a)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->all[i].rank == a->target && p->all[i].window == a->window && a->epoch == ISP_EPOCH_FENCE &&
            !sched_rma_is_local(a) && sched_rma_writes(a))
            report(run, rank, a, &p->all[i]);
}

void sched_rma_promises_finish(struct sched_rma_promises *p)
{
    free(p->all);
    *p = (struct sched_rma_promises){0};
}
