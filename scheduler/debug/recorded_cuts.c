/* SPDX-License-Identifier: BSD-3-Clause */
/* See recorded_cuts.h. */
#include "recorded_cuts.h"

#include <stdlib.h>

#include "base/alloc.h"

/* cuts/ numbers events as they are added: those of rank 0, then those of rank 1, and so on. */
struct numbering {
    const struct sched_record *record;
    int32_t *first; /* of each rank */
};

static int32_t number_of(const struct numbering *n, struct sched_record_name name)
{
    return sched_record_find(n->record, name) ? n->first[name.rank] + (int32_t)name.number : -1;
}

static void add_event(struct cuts_run *cuts, const struct numbering *n, int rank,
                      const struct sched_record_event *e)
{
    int32_t *named = sched_alloc(e->n_named, sizeof *named);
    for (uint32_t i = 0; i < e->n_named; i++)
        named[i] = number_of(n, (struct sched_record_name){rank, e->named[i]});
    const struct isp_call *c = &e->call;
    bool has_sources =
        c->op == ISP_OP_COLLECTIVE && (c->flow == ISP_FLOW_LIST || c->flow == ISP_FLOW_SOURCES);
    cuts_add(cuts, &(struct cuts_call){.op = c->op,
                                       .mode = c->mode,
                                       .flow = c->flow,
                                       .flags = c->flags,
                                       .rank = rank,
                                       .comm = c->comm,
                                       .peer = c->peer,
                                       .tag = c->tag,
                                       .root = c->root,
                                       .same_call = c->flags & ISP_F_CONTINUES,
                                       .color = c->flags & ISP_F_PARTITIONED ? c->color : 0,
                                       .named = named,
                                       .n_named = e->n_named,
                                       .sources = has_sources ? c->list : NULL,
                                       .n_sources = has_sources ? c->n : 0});
    free(named);
}

/* All of a rank, in program order. */
static void add_rank(struct cuts_run *cuts, const struct numbering *n, int rank)
{
    const struct sched_record_rank *of = &n->record->of[rank];
    uint32_t ready = 0;
    for (uint32_t k = 0; k <= of->n; k++) {
        for (; ready < of->n_readies && of->readies[ready].before == k; ready++) {
            int32_t operation = number_of(n, (struct sched_record_name){rank, of->readies[ready].operation});
            cuts_add(cuts, &(struct cuts_call){
                               .op = ISP_OP_READY, .rank = rank, .named = &operation, .n_named = 1});
        }
        if (k < of->n)
            add_event(cuts, n, rank, &of->events[k]);
    }
}

static void add_match(struct cuts_run *cuts, const struct numbering *n, const struct sched_record_match *m)
{
    int32_t *members = sched_alloc(m->n, sizeof *members);
    for (unsigned i = 0; i < m->n; i++)
        members[i] = number_of(n, m->members[i]);
    if (m->message)
        cuts_match(cuts, members[0], members[1]);
    else
        cuts_collect(cuts, members, m->n);
    free(members);
}

/* The rank's k-th collective on a communicator that was in no match; -1: it has made fewer. */
static int32_t unmatched(const struct numbering *n, int rank, int comm, uint32_t k)
{
    for (uint32_t i = 0; i < n->record->of[rank].n; i++) {
        const struct sched_record_event *e = &n->record->of[rank].events[i];
        bool counts = e->call.op == ISP_OP_COLLECTIVE && e->call.comm == comm && !e->match;
        if (counts && !(e->call.flags & ISP_F_SUBSET) && k-- == 0)
            return number_of(n, (struct sched_record_name){rank, i});
    }
    return -1;
}

/* Collectives of one rank alone, and those that not all have come to: where standard sends are buffered,
 * some of their members have gone on. */
static void add_unmatched(struct cuts_run *cuts, const struct numbering *n, const struct sched_record_comm *c)
{
    int32_t *members = sched_alloc(c->n, sizeof *members);
    bool any = true;
    for (uint32_t k = 0; any; k++) {
        any = false;
        for (unsigned i = 0; i < c->n; i++) {
            members[i] = unmatched(n, c->members[i], c->number, k);
            any |= members[i] >= 0;
        }
        if (any)
            cuts_collect(cuts, members, c->n);
    }
    free(members);
}

/* Where a lock was given back. */
static int32_t unlock_of(const struct numbering *n, struct sched_record_name lock)
{
    const struct isp_call *l = &sched_record_find(n->record, lock)->call;
    const struct sched_record_event *e;
    while (++lock.number, (e = sched_record_find(n->record, lock)))
        if (e->call.op == ISP_OP_UNLOCK && e->call.comm == l->comm && e->call.peer == l->peer)
            return number_of(n, lock);
    return -1;
}

/* Who was first at a lock, or had its turn. Behind an exclusive one of the same target nobody has to look:
 * that one came after them. */
static void add_lock(struct cuts_run *cuts, const struct numbering *n, uint32_t k)
{
    const struct isp_call *c = &sched_record_find(n->record, n->record->locks[k])->call;
    bool alone = c->mode == ISP_LOCK_EXCLUSIVE, turn = c->mode >= ISP_LOCK_TURN, last = false;
    for (uint32_t i = k; i > 0 && !last; i--) {
        struct sched_record_name name = n->record->locks[i - 1];
        const struct isp_call *e = &sched_record_find(n->record, name)->call;
        bool near = e->peer == c->peer || e->peer == ISP_ANY_SOURCE || c->peer == ISP_ANY_SOURCE;
        bool was_alone = e->mode == ISP_LOCK_EXCLUSIVE, was_turn = e->mode >= ISP_LOCK_TURN;
        if (e->comm != c->comm || !near || turn != was_turn || (!turn && !alone && !was_alone))
            continue;
        int32_t earlier = turn ? number_of(n, name) : unlock_of(n, name);
        if (name.rank != n->record->locks[k].rank && earlier >= 0)
            cuts_after(cuts, number_of(n, n->record->locks[k]), earlier);
        last = e->peer == c->peer && (turn || was_alone);
    }
}

static void add_cancelled(struct cuts_run *cuts, const struct numbering *n, struct sched_record_name name)
{
    if (sched_record_find(n->record, name)->cancelled)
        cuts_cancelled(cuts, number_of(n, name));
}

/* Which of its requests a Wait for some, or a Test, has completed. */
static void add_answer(struct cuts_run *cuts, const struct numbering *n, struct sched_record_name name)
{
    const struct sched_record_event *e = sched_record_find(n->record, name);
    const struct isp_result *answer = e->answer ? &n->record->answers[e->answer - 1] : NULL;
    bool some = e->call.op == ISP_OP_COMPLETE && e->call.mode != ISP_COMPLETE_ALL;
    bool told = some || e->call.flags & ISP_F_POLL || e->call.op == ISP_OP_LOCK;
    if (!answer || !told)
        return;
    int32_t *done = sched_alloc(e->n_named, sizeof *done);
    uint32_t count = 0;
    for (uint32_t i = 0; some && answer->flag && i < answer->n; i++)
        if (answer->list[i] < e->n_named)
            done[count++] = number_of(n, (struct sched_record_name){name.rank, e->named[answer->list[i]]});
    for (uint32_t i = 0; !some && answer->flag && i < e->n_named; i++) /* MPI_Testall */
        done[count++] = number_of(n, (struct sched_record_name){name.rank, e->named[i]});
    cuts_completed(cuts, number_of(n, name), done, count);
    free(done);
}

struct cuts_run *sched_recorded_cuts(const struct sched_record *record, bool buffered)
{
    struct cuts_run *cuts = cuts_create(record->ranks, buffered);
    struct numbering n = {record, sched_alloc((size_t)record->ranks, sizeof *n.first)};
    for (int r = 1; r < record->ranks; r++)
        n.first[r] = n.first[r - 1] + (int32_t)record->of[r - 1].n;
    for (int r = 0; r < record->ranks; r++)
        add_rank(cuts, &n, r);
    for (uint32_t k = 0; k < record->n_matches; k++)
        add_match(cuts, &n, &record->matches[k]);
    for (uint32_t k = 0; k < record->n_comms; k++)
        add_unmatched(cuts, &n, &record->comms[k]);
    for (uint32_t k = 0; k < record->n_locks; k++)
        add_lock(cuts, &n, k);
    for (int r = 0; r < record->ranks; r++)
        for (uint32_t k = 0; k < record->of[r].n; k++) {
            add_answer(cuts, &n, (struct sched_record_name){r, k});
            add_cancelled(cuts, &n, (struct sched_record_name){r, k});
        }
    cuts_finish(cuts, NULL);
    free(n.first);
    return cuts;
}

/* ---- cuts as limits ---- */

static bool ask(struct cuts_run *cuts, struct sched_record_name event, uint64_t *limits,
                bool (*question)(struct cuts_run *, int, int32_t, int32_t *))
{
    int n = cuts_ranks(cuts);
    int32_t *answer = sched_alloc((size_t)n, sizeof *answer);
    bool ok = question(cuts, event.rank, (int32_t)event.number, answer);
    for (int r = 0; r < n && ok; r++)
        limits[r] = (uint64_t)answer[r];
    free(answer);
    return ok;
}

bool sched_cut_at(struct cuts_run *cuts, struct sched_record_name event, uint64_t *limits)
{
    return ask(cuts, event, limits, cuts_earliest);
}

bool sched_cut_after(struct cuts_run *cuts, struct sched_record_name event, uint64_t *limits)
{
    return ask(cuts, event, limits, cuts_earliest_after);
}
