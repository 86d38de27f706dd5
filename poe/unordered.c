/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders of two threads' calls that no run has: see unordered.h. */
#include "unordered.h"

#include "clock.h"
#include "operation.h"

void poe_note_unordered(struct poe *poe, int rank, enum poe_unordered_why why, const struct isp_call *first,
                        const struct isp_call *second)
{
    if (!poe->unordered.rank_plus_one)
        poe->unordered = (struct poe_unordered){rank + 1, why, *first, *second};
}

/* A semaphore that is no mutex yet is one by the time another thread has got it from this one. */
bool poe_share_mutex(uint64_t guards, uint64_t perhaps, const struct isp_call *call)
{
    return (guards | perhaps) & call->guards || guards & call->perhaps;
}

bool poe_both_share_mutex(const struct isp_call *a, const struct isp_call *b)
{
    return poe_share_mutex(a->guards, a->perhaps, b);
}

void poe_note_competing(struct poe *poe, int rank, const struct isp_call *first,
                        const struct isp_call *second)
{
    bool mutex = poe_both_share_mutex(first, second);
    poe_note_unordered(poe, rank, mutex ? POE_UNORDERED_MUTEX : POE_UNORDERED_CALLS, first, second);
}

void poe_unordered_learns(struct poe *poe, const struct poe_op *fence, const struct poe_clock *done)
{
    const struct poe_rank *r = &poe->ranks[fence->t.rank];
    const struct poe_thread *own = poe_thread_of(poe, fence);
    enum poe_clock_kind kind = poe->config.buffered ? POE_CLOCK_INFINITE : POE_CLOCK_ZERO;
    if (!own->guards && !own->perhaps)
        return;
    for (uint32_t i = 0; i < r->n_threads; i++) {
        const struct poe_thread *t = &r->threads[i];
        uint32_t knew = poe_clock_at(own->now, kind, t->admissions_component);
        uint32_t knows = poe_clock_at(done, kind, t->admissions_component);
        for (uint32_t k = t == own ? 0 : t->n_admitted; k-- > 0 && t->admitted[k].number > knew;)
            if (t->admitted[k].number <= knows && t->admitted[k].at <= own->called_at &&
                poe_share_mutex(own->guards, own->perhaps, &t->admitted[k].call))
                poe_note_unordered(poe, fence->t.rank, POE_UNORDERED_WAITED, &t->admitted[k].call,
                                   &fence->t.call);
    }
}
