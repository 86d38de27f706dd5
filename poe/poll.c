/* SPDX-License-Identifier: BSD-3-Clause */
/* Polling: see poll.h. */
#include "poll.h"

#include "fence.h"
#include "ready.h"

static struct poe_poll_count *find(const struct poe_rank *r, uint32_t site)
{
    for (uint32_t i = 0; i < r->n_polls; i++)
        if (r->polls[i].site == site)
            return &r->polls[i];
    return NULL;
}

bool poe_poll_is_exhausted(const struct poe *poe, int rank, uint32_t site)
{
    const struct poe_poll_count *count = find(&poe->ranks[rank], site);
    return (count ? count->in_a_row : 0) >= poe->config.polls;
}

void poe_poll_answered(struct poe_rank *r, uint32_t site, bool yes)
{
    struct poe_poll_count *count = find(r, site);
    if (!count) {
        r->polls = poe_grow(r->polls, &r->polls_room, r->n_polls + 1, sizeof *r->polls);
        count = &r->polls[r->n_polls++];
        *count = (struct poe_poll_count){.site = site};
    }
    count->in_a_row = yes ? 0 : count->in_a_row + 1;
}

enum poe_state poe_poll_force(struct poe *poe)
{
    if (poe->progress != poe->progress_seen)
        for (int i = 0; i < poe->config.ranks; i++)
            poe->ranks[i].forced = 0;
    poe->progress_seen = poe->progress;
    struct poe_op *poll = NULL;
    for (int i = 0; i < poe->config.ranks; i++) {
        struct poe_rank *r = &poe->ranks[i];
        if (r->stopped || !r->fence || !(r->fence->t.call.flags & ISP_F_POLL) || r->fence->put_off)
            continue;
        if (!poll || r->forced < poe->ranks[poll->t.rank].forced)
            poll = r->fence;
    }
    if (!poll)
        return POE_DEADLOCK;
    struct poe_rank *r = &poe->ranks[poll->t.rank];
    bool livelock = r->forced && r->forced % poe->config.livelock_rounds == 0;
    if (livelock && !poe->livelock_told) {
        poe->livelock_told = true; /* the caller may go on: the next call forces again */
        return POE_LIVELOCK;
    }
    poe->livelock_told = false;
    r->forced++;
    poe_fired_clear(poe);
    poll->answer = POE_ANSWER_NOT_YET;
    poe_fence_answer(poe, poll);
    return POE_FIRED;
}
