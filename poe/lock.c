/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks: see lock.h. No clock is joined where a lock passes from one rank to the next: the other could have had it
 * first, and a clock may not claim more than is true.
 */
#include "lock.h"

#include "communicator.h"
#include "fence.h"
#include "ready.h"

static bool is_lock(const struct poe_lock *lock, int rank, const struct isp_call *c)
{
    return lock->rank == rank && lock->comm == c->comm && lock->peer == c->peer;
}

static struct poe_lock *find(const struct poe *poe, int rank, const struct isp_call *c)
{
    for (uint32_t i = 0; i < poe->n_locks; i++)
        if (is_lock(&poe->locks[i], rank, c))
            return &poe->locks[i];
    return NULL;
}

bool poe_lock_is_valid(const struct poe *poe, int rank, const struct isp_call *c)
{
    const struct poe_comm *comm = poe_comm_find(poe, c->comm);
    bool all = c->peer == ISP_ANY_SOURCE, one = c->peer >= 0 && c->peer < poe->config.ranks;
    if (!comm || comm->place[rank] < 0 || (!all && (!one || comm->place[c->peer] < 0)))
        return false;
    if (c->op == ISP_OP_UNLOCK)
        return find(poe, rank, c);
    return (c->flags & ISP_F_FENCE) && c->mode <= ISP_LOCK_TURN;
}

static bool is_in_the_way(const struct poe_lock *held, const struct isp_call *wanted)
{
    if (wanted->mode == ISP_LOCK_TURN || held->comm != wanted->comm)
        return false;
    bool target = held->peer == wanted->peer || held->peer == ISP_ANY_SOURCE || wanted->peer == ISP_ANY_SOURCE;
    return target && (held->mode == ISP_LOCK_EXCLUSIVE || wanted->mode == ISP_LOCK_EXCLUSIVE);
}

void poe_lock_missing(const struct poe *poe, const struct poe_op *fence, bool *wanted)
{
    for (uint32_t i = 0; i < poe->n_locks; i++)
        if (is_in_the_way(&poe->locks[i], &fence->t.call))
            wanted[poe->locks[i].rank] = true;
}

static bool is_free(const struct poe *poe, const struct isp_call *wanted)
{
    for (uint32_t i = 0; i < poe->n_locks; i++)
        if (is_in_the_way(&poe->locks[i], wanted))
            return false;
    return true;
}

/* A LOCK of the rank that can be granted, besides what was granted before. */
static struct poe_op *wish_of(const struct poe *poe, int rank, bool first)
{
    const struct poe_rank *r = &poe->ranks[rank];
    for (uint32_t i = 0; i < r->n_threads && !r->stopped; i++) {
        struct poe_op *fence = r->threads[i].fence;
        if (!fence || fence->t.call.op != ISP_OP_LOCK || !is_free(poe, &fence->t.call))
            continue;
        if (first || fence->t.call.mode != ISP_LOCK_TURN)
            return fence;
    }
    return NULL;
}

/* Whose last lock is longest ago comes first, then the lowest rank. */
static struct poe_op *next(const struct poe *poe, bool first)
{
    struct poe_op *best = NULL;
    for (int rank = 0; rank < poe->config.ranks; rank++) {
        struct poe_op *wish = wish_of(poe, rank, first);
        if (wish && (!best || poe->ranks[rank].last_lock < poe->ranks[best->t.rank].last_lock))
            best = wish;
    }
    return best;
}

static void grant(struct poe *poe, struct poe_op *fence)
{
    const struct isp_call *c = &fence->t.call;
    poe->ranks[fence->t.rank].last_lock = ++poe->grants;
    if (c->mode != ISP_LOCK_TURN) {
        poe->locks = poe_arena_grow(poe->arena, poe->locks, &poe->locks_room, poe->n_locks + 1, sizeof *poe->locks);
        poe->locks[poe->n_locks++] =
            (struct poe_lock){.rank = fence->t.rank, .comm = c->comm, .peer = c->peer, .mode = c->mode};
    }
    fence->t.matched = true;
    poe_fired_member(poe, fence);
    poe_fence_release(poe, fence, &(struct isp_result){.flag = 1, .new_comm = ISP_NO_COMM});
}

bool poe_lock_grant(struct poe *poe)
{
    struct poe_op *op = next(poe, true);
    if (!op)
        return false;
    poe->progress++;
    poe_fired_clear(poe);
    bool alone = op->t.call.mode == ISP_LOCK_TURN;
    grant(poe, op);
    while (!alone && (op = next(poe, false)))
        grant(poe, op);
    return true;
}

void poe_lock_release(struct poe *poe, int rank, const struct isp_call *unlock)
{
    struct poe_lock *lock = find(poe, rank, unlock);
    *lock = poe->locks[--poe->n_locks];
}
