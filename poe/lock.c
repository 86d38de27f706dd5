/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks: see lock.h.
 */
#include "lock.h"

#include "communicator.h"

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
    if (!comm || poe_comm_place(comm, rank) < 0 || (!all && (!one || poe_comm_place(comm, c->peer) < 0)))
        return false;
    if (c->op == ISP_OP_UNLOCK)
        return find(poe, rank, c);
    return (c->flags & ISP_F_FENCE) && c->mode <= ISP_LOCK_ATOMIC;
}

static bool is_in_the_way(const struct poe_lock *held, const struct isp_call *wanted)
{
    if (wanted->mode >= ISP_LOCK_TURN || held->comm != wanted->comm)
        return false;
    bool target =
        held->peer == wanted->peer || held->peer == ISP_ANY_SOURCE || wanted->peer == ISP_ANY_SOURCE;
    return target && (held->mode == ISP_LOCK_EXCLUSIVE || wanted->mode == ISP_LOCK_EXCLUSIVE);
}

void poe_lock_missing(const struct poe *poe, const struct poe_op *fence, bool *wanted)
{
    for (uint32_t i = 0; i < poe->n_locks; i++)
        if (is_in_the_way(&poe->locks[i], &fence->t.call))
            wanted[poe->locks[i].rank] = true;
}

bool poe_lock_is_free(const struct poe *poe, const struct isp_call *wanted)
{
    for (uint32_t i = 0; i < poe->n_locks; i++)
        if (is_in_the_way(&poe->locks[i], wanted))
            return false;
    return true;
}

void poe_lock_hold(struct poe *poe, int rank, const struct isp_call *lock)
{
    poe->locks =
        poe_arena_grow(poe->arena, poe->locks, &poe->locks_room, poe->n_locks + 1, sizeof *poe->locks);
    poe->locks[poe->n_locks++] =
        (struct poe_lock){.rank = rank, .comm = lock->comm, .peer = lock->peer, .mode = lock->mode};
}

void poe_lock_release(struct poe *poe, int rank, const struct isp_call *unlock)
{
    struct poe_lock *lock = find(poe, rank, unlock);
    *lock = poe->locks[--poe->n_locks];
}
