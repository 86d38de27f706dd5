/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why nothing moves: for each rank its fence, the operations that are not complete, and the
 * ranks that would have to act (all of them, or any one: the AND/OR wait-for graph of the
 * deadlock literature); and a cycle in that graph.
 */
#include <stdlib.h>
#include <string.h>

#include "collective.h"
#include "fence.h"
#include "flow.h"
#include "join.h"
#include "lock.h"
#include "operation.h"
#include "visit.h"

static void wait_for_rank(struct poe *poe, int rank, bool *wanted)
{
    if (rank >= 0 && rank < poe->config.ranks)
        wanted[rank] = true;
}

static void wait_for_message(struct poe *poe, const struct poe_op *op, bool *wanted)
{
    const struct isp_call *c = &op->t.call;
    if (c->peer != ISP_ANY_SOURCE) {
        wait_for_rank(poe, c->peer, wanted);
        return;
    }
    const struct poe_comm *comm = poe_comm_find(poe, c->comm);
    bool first = poe_comm_place(comm, op->t.rank) < comm->n_first;
    int begin = first ? comm->n_first : 0; /* of an intercommunicator the other side */
    int end = !first && comm->n_first ? comm->n_first : comm->n;
    for (int i = begin; i < end; i++)
        if (comm->members[i] != op->t.rank)
            wanted[comm->members[i]] = true;
}

/* The data that it needs may be there, but it synchronizes. */
static void wait_for_all(const struct poe_op *op, bool *wanted)
{
    const struct poe_instance *i = op->instance;
    for (int place = 0; i && place < i->comm->n; place++)
        if (!i->ops[place])
            wanted[i->comm->members[place]] = true;
}

static void wait_for_collective(const struct poe_op *op, bool *wanted)
{
    if (op->unkept && !op->t.completed)
        wait_for_all(op, wanted);
    else
        poe_collective_missing(op, wanted);
}

static void wait_for_op(struct poe *poe, const struct poe_op *op, bool *wanted)
{
    if (op->t.call.op == ISP_OP_COLLECTIVE)
        wait_for_collective(op, wanted);
    else if (op->t.call.op == ISP_OP_LOCK)
        poe_lock_missing(poe, op, wanted);
    else if (op->t.held)
        wanted[op->t.rank] = true;
    else
        wait_for_message(poe, op, wanted);
}

static bool takes_any(const struct poe_transition *t)
{
    return t->call.op != ISP_OP_COLLECTIVE && t->call.peer == ISP_ANY_SOURCE;
}

/* With buffering it would be complete. */
static bool is_blocked(const struct poe *poe, const struct poe_op *op)
{
    const struct isp_call *c = &op->t.call;
    bool send = c->op == ISP_OP_SEND && c->mode != ISP_SEND_SYNC && !op->t.held;
    bool leaves = c->flow != ISP_FLOW_ALL || c->flags & ISP_F_TAKES_NOTHING;
    bool flows = c->op == ISP_OP_COLLECTIVE && leaves && op->instance;
    bool waits = !poe->config.buffered || op->unkept;
    return waits && (send || (flows && poe_flow_has_input(op)));
}

static void add_pending(struct poe *poe, const struct poe_op *op)
{
    poe->wait_pending = poe_arena_grow(poe->arena, poe->wait_pending, &poe->wait_pending_room,
                                       poe->wait.n_pending + 1, sizeof *poe->wait_pending);
    poe->wait_pending[poe->wait.n_pending++] = &op->t;
    poe->wait.send_blocked |= is_blocked(poe, op);
}

static void look_at(struct poe *poe, const struct poe_op *x, bool *wanted)
{
    add_pending(poe, x);
    wait_for_op(poe, x, wanted);
}

static void look_at_request(struct poe *poe, const struct poe_op *x, bool *wanted)
{
    if (x->t.completed)
        return;
    if (x->t.call.op != ISP_OP_JOIN) {
        look_at(poe, x, wanted);
        return;
    }
    for (const struct poe_op *child = NULL; (child = poe_join_pending(poe, x, child));)
        look_at(poe, child, wanted);
}

/* Fills poe->wait for the fence, and the ranks that it waits for. */
static void look(struct poe *poe, const struct poe_op *fence, bool *wanted)
{
    const struct isp_call *c = &fence->t.call;
    poe->wait.kind = POE_WAITS_ALL;
    switch (c->op) {
    case ISP_OP_SEND:
    case ISP_OP_RECV:
    case ISP_OP_PROBE:
        poe->wait.kind = c->peer == ISP_ANY_SOURCE ? POE_WAITS_ANY : POE_WAITS_ALL;
        add_pending(poe, fence);
        wait_for_message(poe, fence, wanted);
        break;
    case ISP_OP_COMPLETE:
        for (uint32_t i = 0; i < c->n; i++)
            look_at_request(poe, fence->waits[i], wanted);
        if ((c->mode != ISP_COMPLETE_ALL && c->n > 1) ||
            (poe->wait.n_pending == 1 && takes_any(poe->wait_pending[0])))
            poe->wait.kind = POE_WAITS_ANY;
        break;
    case ISP_OP_COLLECTIVE:
        poe->wait.send_blocked = is_blocked(poe, fence);
        wait_for_collective(fence, wanted);
        break;
    case ISP_OP_LOCK: poe_lock_missing(poe, fence, wanted); break;
    case ISP_OP_DETACH:
        for (const struct poe_op *x = poe->ranks[fence->t.rank].live_first; x; x = x->live_next)
            if (poe_op_is_undelivered(x))
                look_at(poe, x, wanted);
        break;
    default: break;
    }
}

static unsigned gather(const struct poe *poe, const bool *wanted, int *ranks)
{
    unsigned n = 0;
    for (int i = 0; i < poe->config.ranks; i++)
        if (wanted[i])
            ranks[n++] = i;
    return n;
}

unsigned poe_missing(struct poe *poe, const struct poe_transition *pending, int *ranks)
{
    size_t n = (size_t)poe->config.ranks;
    bool *wanted = memset(poe_alloc(NULL, n * sizeof *wanted), 0, n * sizeof *wanted);
    wait_for_op(poe, poe_op_of(pending), wanted);
    unsigned found = gather(poe, wanted, ranks);
    free(wanted);
    return found;
}

const struct poe_wait *poe_wait(struct poe *poe, int rank)
{
    const struct poe_rank *r = &poe->ranks[rank];
    unsigned best = 0;
    for (unsigned i = r->n_threads; i-- > 0;) {
        const struct poe_op *fence = r->threads[i].fence, *other = r->threads[best].fence;
        if (fence && (!other || other->t.call.op == ISP_OP_FINALIZE || fence->t.call.op != ISP_OP_FINALIZE))
            best = i;
    }
    return poe_wait_thread(poe, rank, best);
}

const struct poe_wait *poe_wait_thread(struct poe *poe, int rank, unsigned thread)
{
    struct poe_rank *r = &poe->ranks[rank];
    struct poe_op *fence = thread < r->n_threads ? r->threads[thread].fence : NULL;
    size_t n = (size_t)poe->config.ranks;
    poe->wait = (struct poe_wait){0};
    if (!fence || r->stopped)
        return &poe->wait;
    poe->wait.at = &fence->t;
    poe->wait.finished = fence->t.call.op == ISP_OP_FINALIZE;
    poe->wait.polling = (fence->t.call.flags & ISP_F_POLL) || poe_visit_polls(poe, fence);
    bool *wanted = memset(poe_alloc(NULL, n * sizeof *wanted), 0, n * sizeof *wanted);
    look(poe, fence, wanted);
    poe->wait_ranks = poe_arena_resize(poe->arena, poe->wait_ranks, n * sizeof *poe->wait_ranks);
    poe->wait.n_ranks = gather(poe, wanted, poe->wait_ranks);
    free(wanted);
    poe->wait.ranks = poe->wait_ranks;
    poe->wait.pending = poe->wait_pending;
    return &poe->wait;
}

/* The shortest way from `start` back to itself over edges[from * n + to], or 0. */
static unsigned shortest_cycle(const bool *edges, int n, int start, int *cycle, int *before, int *queue)
{
    for (int i = 0; i < n; i++)
        before[i] = -1;
    int head = 0, tail = 0;
    queue[tail++] = start;
    while (head < tail) {
        int from = queue[head++];
        if (edges[from * n + start]) {
            unsigned length = 0;
            for (int at = from; at != start; at = before[at])
                length++;
            unsigned total = length + 1;
            for (int at = from; length > 0; at = before[at])
                cycle[length--] = at;
            cycle[0] = start;
            return total;
        }
        for (int to = 0; to < n; to++)
            if (edges[from * n + to] && to != start && before[to] < 0) {
                before[to] = from;
                queue[tail++] = to;
            }
    }
    return 0;
}

static void add_edges(const struct poe_wait *w, bool with_any, bool *edges)
{
    bool counts = w->at && !w->finished && (with_any || w->kind == POE_WAITS_ALL || w->n_ranks == 1);
    for (unsigned i = 0; counts && i < w->n_ranks; i++)
        edges[w->ranks[i]] = true;
}

static unsigned find_cycle(struct poe *poe, bool with_any, int *ranks)
{
    int n = poe->config.ranks;
    size_t cells = (size_t)n * (size_t)n;
    bool *edges = memset(poe_alloc(NULL, cells), 0, cells);
    int *work = poe_alloc(NULL, 3 * (size_t)n * sizeof *work);
    for (int from = 0; from < n; from++)
        for (unsigned thread = 0; thread < poe->ranks[from].n_threads; thread++)
            add_edges(poe_wait_thread(poe, from, thread), with_any, &edges[from * n]);
    unsigned best = 0;
    for (int start = 0; start < n; start++) {
        unsigned length = shortest_cycle(edges, n, start, work, work + n, work + 2 * n);
        if (length && (!best || length < best)) {
            best = length;
            memcpy(ranks, work, length * sizeof *ranks);
        }
    }
    free(work);
    free(edges);
    return best;
}

unsigned poe_wait_cycle(struct poe *poe, int *ranks)
{
    unsigned length = find_cycle(poe, false, ranks);
    return length ? length : find_cycle(poe, true, ranks);
}
