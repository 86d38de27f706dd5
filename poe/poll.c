/* SPDX-License-Identifier: BSD-3-Clause */
/* Polling: see poll.h. */
#include "poll.h"

#include "state_key.h"

#include "cut.h"
#include "fence.h"
#include "match_set.h"
#include "race.h"
#include "ready.h"
#include "visit.h"

enum { WITHHELD_ROUNDS = 20 };

static struct poe_poll_count *find(const struct poe_thread *t, uint32_t site)
{
    for (uint32_t i = 0; i < t->n_polls; i++)
        if (t->polls[i].site == site)
            return &t->polls[i];
    return NULL;
}

/* The program may do something else than it did after the last `not yet` here. */
static bool may_differ(const struct poe_thread *t, const struct poe_poll_count *count,
                       const struct isp_call *poll)
{
    return (poll->flags & (ISP_F_CHANGED | ISP_F_UNSEEN)) || (count && count->calls != t->other_calls);
}

/* More than K `not yet`s: only if few decisions before its series were not first alternatives. So what
 * programs that count their polls show more is added to their interleavings, and hardly multiplied. */
static bool may_stretch(struct poe *poe, const struct poe_op *poll, const struct poe_poll_count *count)
{
    const struct poe_thread *t = poe_thread_of(poe, poll);
    if (!poe->config.polls || count->in_a_row >= POE_POLLS_CHANGED || (poll->t.call.flags & ISP_F_UNSEEN))
        return false;
    poe->asked |= 1u << POE_PATIENCE;
    return poe->turned_off - t->turned_off <= POE_POLLS_AFTER;
}

void poe_poll_add(struct poe *poe, struct poe_op *poll)
{
    struct poe_thread *t = poe_thread_of(poe, poll);
    const struct poe_poll_count *count = find(t, poe_poll_site(&poll->t.call));
    bool differs = may_differ(t, count, &poll->t.call);
    if (differs || !count)
        t->moved = t->forced;
    if ((count ? count->in_a_row : 0) < poe->config.polls)
        return;
    bool stretch = count && differs && may_stretch(poe, poll, count);
    poll->exhausted = !stretch;
    poll->cut = !stretch && (differs || !count);
}

static enum poe_cut_kind kind_of_cut(const struct poe *poe, const struct poe_op *poll)
{
    if (!poe->config.polls)
        return POE_CUT_NO_POLLS;
    return poll->t.call.flags & ISP_F_UNSEEN ? POE_CUT_UNSEEN_POLLS : POE_CUT_POLLS;
}

static void say_no(struct poe *poe, struct poe_thread *t, uint32_t site)
{
    struct poe_poll_count *count = find(t, site);
    if (!count) {
        t->polls = poe_arena_grow(poe->arena, t->polls, &t->polls_room, t->n_polls + 1, sizeof *t->polls);
        count = &t->polls[t->n_polls++];
        *count = (struct poe_poll_count){.site = site};
    }
    count->in_a_row++;
    count->calls = t->other_calls;
}

/* A success is progress of its thread, unless it tells only what is known: all its counts begin again. */
void poe_poll_answered(struct poe *poe, const struct poe_op *poll, bool yes)
{
    struct poe_thread *t = poe_thread_of(poe, poll);
    if (!yes) {
        say_no(poe, t, poe_poll_site(&poll->t.call));
        return;
    }
    if (poll->stale)
        return;
    if (poll->cut)
        poe_cut_note(poe, kind_of_cut(poe, poll), poll);
    t->n_polls = 0;
    t->turned_off = 0;
}

void poe_poll_denied(struct poe *poe, const struct poe_op *poll, bool other)
{
    poe_thread_of(poe, poll)->turned_off += other;
}

static void forget_forced(struct poe *poe)
{
    for (int i = 0; i < poe->config.ranks; i++)
        for (uint32_t k = 0; k < poe->ranks[i].n_threads; k++)
            poe->ranks[i].threads[k].forced = poe->ranks[i].threads[k].moved = 0;
}

/* The poll that was told least often. */
static struct poe_op *least_forced(const struct poe *poe)
{
    struct poe_op *poll = NULL;
    for (int i = 0; i < poe->config.ranks; i++) {
        const struct poe_rank *r = &poe->ranks[i];
        for (uint32_t k = 0; k < r->n_threads && !r->stopped; k++) {
            const struct poe_thread *t = &r->threads[k];
            if (!t->fence || !(t->fence->t.call.flags & ISP_F_POLL) || t->fence->put_off || t->fence->awaits)
                continue;
            if (!poll || t->forced < poe_thread_of(poe, poll)->forced)
                poll = t->fence;
        }
    }
    return poll;
}

/* All that poll have done the same for so long. */
static bool stand_still(const struct poe *poe, unsigned rounds)
{
    for (int i = 0; i < poe->config.ranks; i++)
        for (uint32_t k = 0; k < poe->ranks[i].n_threads && !poe->ranks[i].stopped; k++) {
            const struct poe_thread *t = &poe->ranks[i].threads[k];
            if (t->fence && t->forced && t->forced - t->moved < rounds)
                return false;
        }
    return true;
}

int poe_polls_in_vain(const struct poe *poe, unsigned rounds)
{
    if (poe->progress != poe->progress_seen)
        return -1;
    for (int i = 0; i < poe->config.ranks; i++)
        for (uint32_t k = 0; k < poe->ranks[i].n_threads && !poe->ranks[i].stopped; k++)
            if (poe->ranks[i].threads[k].forced >= rounds)
                return i;
    return -1;
}

bool poe_is_withheld(const struct poe *poe) { return poe->withheld; }

/* Of a run that is not told a few are enough: states are looked at (profiler/outside/polled.c). */
static unsigned rounds(const struct poe *poe)
{
    return poe->withheld && poe->config.livelock_rounds > WITHHELD_ROUNDS ? WITHHELD_ROUNDS
                                                                          : poe->config.livelock_rounds;
}

enum poe_state poe_poll_force(struct poe *poe, bool withheld)
{
    if (poe->follows)
        return poe->force(poe);
    if (poe->progress != poe->progress_seen)
        forget_forced(poe);
    poe->progress_seen = poe->progress;
    poe->withheld = withheld;
    struct poe_op *poll = least_forced(poe), *visit = poe_visit_polling(poe);
    if (visit && (!poll || poe_thread_of(poe, visit)->forced < poe_thread_of(poe, poll)->forced))
        poll = visit;
    if (!poll)
        return POE_DEADLOCK;
    struct poe_thread *t = poe_thread_of(poe, poll);
    bool livelock = t->forced && t->forced % rounds(poe) == 0 && stand_still(poe, rounds(poe));
    if (livelock && !poe->livelock_told) {
        poe->livelock_told = true; /* the caller may go on: the next call forces again */
        return POE_LIVELOCK;
    }
    poe->livelock_told = false;
    t->forced++;
    if (poll == visit) {
        poe_visit_force(poe, poll);
        return poe_match_fire(poe);
    }
    poe_fired_clear(poe);
    poe_race_denied(poe, poll);
    poll->answer = POE_ANSWER_NOT_YET;
    poe_fence_answer(poe, poll);
    return POE_FIRED;
}
