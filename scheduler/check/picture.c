/* SPDX-License-Identifier: BSD-3-Clause */
/* See picture.h. */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

bool sched_is_message(const struct isp_call *call)
{
    return call->op == ISP_OP_SEND || call->op == ISP_OP_RECV || call->op == ISP_OP_PROBE;
}

static void seat_init(struct sched_seat *seat, struct poe *poe, int rank, const struct poe_wait *w)
{
    int thread = w->at && poe_threads(poe, rank) > 1 ? w->at->call.thread : -1;
    *seat = (struct sched_seat){.rank = rank, .thread = thread, .wait = *w};
    seat->ranks = sched_must(malloc((w->n_ranks + 1) * sizeof *seat->ranks));
    if (w->n_ranks)
        memcpy(seat->ranks, w->ranks, w->n_ranks * sizeof *seat->ranks);
    for (unsigned i = 0; i < w->n_pending && i < SCHED_SHOWN_PENDING; i++)
        seat->pending[seat->n_pending++] = w->pending[i];
    seat->wait.ranks = seat->ranks;
    seat->wait.pending = NULL;
}

bool sched_seat_is_stuck(const struct sched_seat *s) { return !s->wait.finished && s->wait.at; }

bool sched_waits_only_for_finished(const struct sched_picture *p, const struct sched_seat *s)
{
    for (unsigned i = 0; i < s->wait.n_ranks; i++)
        if (!p->seats[s->ranks[i]].wait.finished)
            return false;
    return s->wait.n_ranks > 0;
}

static const struct sched_seat *find_heart(const struct sched_picture *p, bool unsafe)
{
    for (unsigned i = 0; unsafe && i < p->n_cycle; i++)
        if (p->seats[p->cycle[i]].wait.send_blocked)
            return &p->seats[p->cycle[i]];
    if (p->n_cycle)
        return &p->seats[p->cycle[0]];
    const struct sched_seat *best = NULL;
    int best_worth = 0;
    for (int i = 0; i < p->n_seats; i++) {
        const struct sched_seat *s = &p->seats[i];
        int worth = !sched_seat_is_stuck(s)               ? 0
                    : p->livelock && s->wait.polling      ? 5
                    : unsafe && s->wait.send_blocked      ? 4
                    : sched_waits_only_for_finished(p, s) ? 3
                    : s->wait.n_ranks == 0                ? 2
                                                          : 1;
        if (worth > best_worth)
            best = s, best_worth = worth;
    }
    return best;
}

/* The other threads of the ranks. */
static void add_threads(struct sched_picture *p, struct poe *poe)
{
    for (int rank = 0; rank < p->n; rank++)
        for (unsigned i = 0; p->seats[rank].thread >= 0 && i < poe_threads(poe, rank); i++) {
            const struct poe_wait *w = poe_wait_thread(poe, rank, i);
            if (!w->at || w->at == p->seats[rank].wait.at)
                continue;
            p->seats = sched_grow(p->seats, (size_t)p->n_seats + 1, sizeof *p->seats);
            seat_init(&p->seats[p->n_seats++], poe, rank, w);
        }
}

static void find_blocked(struct sched_picture *p)
{
    p->blocked = sched_alloc((size_t)p->n_seats * (SCHED_SHOWN_PENDING + 1), sizeof *p->blocked);
    for (int i = -1; i < p->n_seats; i++) {
        const struct sched_seat *s = i < 0 ? p->heart : &p->seats[i];
        if (!s || !sched_seat_is_stuck(s) || (i >= 0 && s == p->heart))
            continue;
        if (sched_is_message(&s->wait.at->call))
            p->blocked[p->n_blocked++] = s->wait.at;
        for (unsigned k = 0; k < s->n_pending; k++)
            if (s->pending[k] != s->wait.at && sched_is_message(&s->pending[k]->call))
                p->blocked[p->n_blocked++] = s->pending[k];
    }
}

void sched_picture_init(struct sched_picture *p, struct sched_run *run, bool livelock, bool unsafe)
{
    int n = run->options->ranks;
    *p = (struct sched_picture){.run = run, .livelock = livelock, .n = n};
    p->seats = sched_must(calloc((size_t)n, sizeof *p->seats));
    p->cycle = sched_must(calloc((size_t)n, sizeof *p->cycle));
    for (int i = 0; i < n; i++)
        seat_init(&p->seats[i], run->poe, i, poe_wait(run->poe, i));
    p->n_seats = n;
    add_threads(p, run->poe);
    p->n_cycle = livelock ? 0 : poe_wait_cycle(run->poe, p->cycle);
    p->heart = find_heart(p, unsafe);
    find_blocked(p);
}

void sched_picture_finish(struct sched_picture *p)
{
    for (int i = 0; i < p->n_seats; i++)
        free(p->seats[i].ranks);
    free(p->seats);
    free(p->cycle);
    free(p->blocked);
}
