/* SPDX-License-Identifier: BSD-3-Clause */
/* Polling: see poll.h. */
#include "poll.h"

#include "fence.h"
#include "ready.h"

static struct poe_poll_count *find(const struct poe_thread *t, uint32_t site)
{
    for (uint32_t i = 0; i < t->n_polls; i++)
        if (t->polls[i].site == site)
            return &t->polls[i];
    return NULL;
}

bool poe_poll_is_exhausted(const struct poe *poe, const struct poe_op *poll)
{
    const struct poe_poll_count *count = find(poe_thread_of(poe, poll), poe_poll_site(&poll->t.call));
    return (count ? count->in_a_row : 0) >= poe->config.polls;
}

void poe_poll_answered(struct poe *poe, struct poe_thread *t, uint32_t site, bool yes)
{
    struct poe_poll_count *count = find(t, site);
    if (!count) {
        t->polls = poe_arena_grow(poe->arena, t->polls, &t->polls_room, t->n_polls + 1, sizeof *t->polls);
        count = &t->polls[t->n_polls++];
        *count = (struct poe_poll_count){.site = site};
    }
    count->in_a_row = yes ? 0 : count->in_a_row + 1;
}

static void forget_forced(struct poe *poe)
{
    for (int i = 0; i < poe->config.ranks; i++)
        for (uint32_t k = 0; k < poe->ranks[i].n_threads; k++)
            poe->ranks[i].threads[k].forced = 0;
}

/* The poll that was told least often. */
static struct poe_op *least_forced(const struct poe *poe)
{
    struct poe_op *poll = NULL;
    for (int i = 0; i < poe->config.ranks; i++) {
        const struct poe_rank *r = &poe->ranks[i];
        for (uint32_t k = 0; k < r->n_threads && !r->stopped; k++) {
            const struct poe_thread *t = &r->threads[k];
            if (!t->fence || !(t->fence->t.call.flags & ISP_F_POLL) || t->fence->put_off)
                continue;
            if (!poll || t->forced < poe_thread_of(poe, poll)->forced)
                poll = t->fence;
        }
    }
    return poll;
}

enum poe_state poe_poll_force(struct poe *poe)
{
    if (poe->progress != poe->progress_seen)
        forget_forced(poe);
    poe->progress_seen = poe->progress;
    struct poe_op *poll = least_forced(poe);
    if (!poll)
        return POE_DEADLOCK;
    struct poe_thread *t = poe_thread_of(poe, poll);
    bool livelock = t->forced && t->forced % poe->config.livelock_rounds == 0;
    if (livelock && !poe->livelock_told) {
        poe->livelock_told = true; /* the caller may go on: the next call forces again */
        return POE_LIVELOCK;
    }
    poe->livelock_told = false;
    t->forced++;
    poe_fired_clear(poe);
    poll->answer = POE_ANSWER_NOT_YET;
    poe_fence_answer(poe, poll);
    return POE_FIRED;
}
