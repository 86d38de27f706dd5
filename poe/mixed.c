/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixed buffering: see mixed.h. */
#include "mixed.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "kept.h"
#include "mixed_play.h"

enum { MOST_SETS = 256 };
static const uint64_t MOST_CALLS = (uint64_t)1 << 24; /* that are played for one run: some seconds */

static const size_t MOST_PAIRS = (size_t)1 << 26; /* of a decision, and what may be before it: bytes */

#define NEVER UINT32_MAX

/* An operation that MPI may keep. */
struct element {
    struct poe_name name;
    uint32_t at;    /* place among its rank's calls */
    uint32_t until; /* the call at which its rank learned that it is complete; NEVER */
};

/* Sets of elements, or of decisions: one byte each. */
struct poe_mixed {
    struct poe_mixed_play play;
    const struct poe_record *record;
    struct element *elements;
    uint32_t n, room;
    bool *past;            /* by decision: the elements that it needs to be complete (n each) */
    bool *before;          /* by decision: the decisions that happen before it */
    bool *sets[MOST_SETS]; /* that were, or are to be, played */
    unsigned n_sets, next;
    bool *closed[MOST_SETS]; /* what was complete in the cuts so far */
    unsigned n_closed;
    bool *least; /* what is kept in the last cut that was shown */
    uint64_t played;
    enum poe_mixed_limit limit;
    struct poe_name *kept;
    const struct isp_call **calls;
};

/* ---- what can be kept, and since when the program knows ---- */

/* By handle: the elements that it stands for, in a list: the first, and by element the next one. */
struct holders {
    uint32_t *first; /* + 1; 0: none */
    uint32_t room;
    uint32_t *next;
    uint32_t next_room;
};

static uint32_t *holder(struct holders *h, uint32_t handle)
{
    h->first = poe_grow(h->first, &h->room, handle + 1, sizeof *h->first);
    return &h->first[handle];
}

static void hold(struct holders *h, uint32_t handle, uint32_t element)
{
    uint32_t *first = holder(h, handle);
    h->next = poe_grow(h->next, &h->next_room, element + 1, sizeof *h->next);
    h->next[element] = *first;
    *first = element + 1;
}

/* A join holds what its parts hold. */
static void hold_parts(struct holders *h, const struct isp_call *join)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < join->n; i++) {
        uint32_t e = *holder(h, join->list[i]);
        *holder(h, join->list[i]) = 0;
        while (e) {
            uint32_t next = h->next[e - 1];
            h->next[e - 1] = all;
            all = e;
            e = next;
        }
    }
    *holder(h, join->handle) = all;
}

static void told(struct poe_mixed *m, struct holders *h, const struct isp_call *c, uint32_t position,
                 uint32_t at)
{
    uint32_t *first = holder(h, c->list[position]);
    for (uint32_t e = *first; e; e = h->next[e - 1])
        if (m->elements[e - 1].until == NEVER)
            m->elements[e - 1].until = at;
    if (!(c->flags & ISP_F_KEEP))
        *first = 0;
}

/* What a Wait or Test has completed. */
static void told_by(struct poe_mixed *m, struct holders *h, const struct poe_recorded *r, uint32_t at)
{
    const struct isp_call *c = &r->call;
    const struct poe_alternative *taken = r->decision ? &m->record->decisions[r->decision - 1].taken : NULL;
    if (r->said_no)
        return;
    if (taken)
        for (uint32_t i = 0; i < taken->n; i++)
            told(m, h, c, taken->positions[i], at);
    else if (c->mode == ISP_COMPLETE_ALL || c->n == 1)
        for (uint32_t i = 0; i < c->n; i++)
            told(m, h, c, i, at);
}

static void find_elements_of(struct poe_mixed *m, int rank)
{
    const struct poe_recorded_rank *r = &m->record->ranks[rank];
    struct holders h = {0};
    for (uint32_t at = 0; at < r->n; at++) {
        const struct isp_call *c = &r->calls[at].call;
        if (isp_call_has_slot(c))
            *holder(&h, c->handle) = 0;
        if (c->op == ISP_OP_JOIN)
            hold_parts(&h, c);
        else if (c->op == ISP_OP_COMPLETE)
            told_by(m, &h, &r->calls[at], at);
        if (!poe_kept_may_be(c))
            continue;
        bool blocks = c->flags & (ISP_F_FENCE | ISP_F_DETACHED);
        m->elements = poe_grow(m->elements, &m->room, m->n + 1, sizeof *m->elements);
        m->elements[m->n] =
            (struct element){.name = {rank, r->calls[at].index}, .at = at, .until = blocks ? at : NEVER};
        if (!blocks)
            hold(&h, c->handle, m->n);
        m->n++;
    }
    free(h.first);
    free(h.next);
}

/* ---- what happens before a decision ---- */

static uint32_t known(const struct poe_mixed *m, const struct poe_clock *clock, int rank)
{
    return poe_clock_at(clock, POE_CLOCK_INFINITE, m->play.poe->ranks[rank].threads[0].calls_component);
}

/* The clock of what the decision needs. */
static struct poe_clock *needs(struct poe *poe, const struct poe_choice *c, unsigned k)
{
    const struct poe_op *op = poe_op_of(c->transition);
    const struct poe_alternative *a = &c->alternatives[k];
    if (a->kind == POE_TAKE_MESSAGE)
        return poe_clock_join(poe->arena, op->posted, poe_op_of(a->send)->posted);
    struct poe_clock *clock = poe_clock_keep(op->posted);
    for (uint32_t i = 0; a->kind == POE_TAKE_SUBSET && i < a->n; i++) {
        struct poe_clock *more = poe_clock_join(poe->arena, clock, op->waits[a->positions[i]]->done);
        poe_clock_drop(poe->arena, clock);
        clock = more;
    }
    return clock;
}

/* The rank learns of the decision in the call it is made in, or, of a receive with a request, later: then it
 * is not looked for. */
static bool is_known(const struct poe_mixed *m, const struct poe_clock *clock, uint32_t decision)
{
    const struct poe_recorded_decision *d = &m->record->decisions[decision];
    bool waits = m->record->ranks[d->rank].calls[d->at].call.flags & ISP_F_FENCE;
    return waits && known(m, clock, d->rank) >= d->at + 2;
}

static void note_past(void *context, uint32_t decision, const struct poe_choice *c, unsigned k)
{
    struct poe_mixed *m = context;
    const struct poe_recorded_decision *d = &m->record->decisions[decision];
    bool *past = m->past + (size_t)decision * m->n,
         *before = m->before + (size_t)decision * m->record->n_decisions;
    struct poe_clock *clock = needs(m->play.poe, c, k);
    for (uint32_t i = 0; i < m->n; i++) {
        const struct element *e = &m->elements[i];
        bool here = e->name.rank == d->rank && e->until == d->at && e->at != d->at;
        past[i] = e->until != NEVER && (here || known(m, clock, e->name.rank) >= e->until + 2);
    }
    for (uint32_t i = 0; i < m->record->n_decisions; i++)
        before[i] = i != decision && is_known(m, clock, i);
    poe_clock_drop(m->play.poe->arena, clock);
}

/* ---- plays ---- */

static void play(struct poe_mixed *m, const bool *set)
{
    size_t n = 0;
    m->kept = poe_alloc(m->kept, m->n * sizeof *m->kept);
    for (uint32_t i = 0; i < m->n; i++)
        if (set[i])
            m->kept[n++] = m->elements[i].name;
    poe_mixed_play(&m->play, m->kept, n);
    for (int rank = 0; rank < m->play.run->config.ranks; rank++)
        m->played += m->play.at[rank];
}

static bool is_whole(const struct poe_mixed *m)
{
    for (int rank = 0; rank < m->play.run->config.ranks; rank++)
        if (m->play.at[rank] < m->record->ranks[rank].n)
            return false;
    return true;
}

static bool has_made_all(const struct poe_mixed *m)
{
    for (uint32_t i = 0; i < m->record->n_decisions; i++)
        if (!m->play.taken[i])
            return false;
    return poe_mixed_visits_are_all(&m->play.visits);
}

/* The elements whose ranks know that they are complete. All ranks wait. */
static void close(const struct poe_mixed *m, bool *complete)
{
    for (uint32_t i = 0; i < m->n; i++)
        complete[i] =
            m->elements[i].until != NEVER && m->play.at[m->elements[i].name.rank] >= m->elements[i].until + 2;
}

static bool add(bool **sets, unsigned *n, bool *set, size_t size)
{
    for (unsigned i = 0; i < *n; i++)
        if (memcmp(sets[i], set, size) == 0) {
            free(set);
            return true;
        }
    if (*n == MOST_SETS) {
        free(set);
        return false;
    }
    sets[(*n)++] = set;
    return true;
}

static bool *create_set(const struct poe_mixed *m) { return memset(poe_alloc(NULL, m->n + 1), 0, m->n + 1); }

/* A decision that was not made, though all before it were. */
static bool is_next(const struct poe_mixed *m, uint32_t decision)
{
    const bool *before = m->before + (size_t)decision * m->record->n_decisions;
    for (uint32_t i = 0; i < m->record->n_decisions; i++)
        if (before[i] && !m->play.taken[i])
            return false;
    return !m->play.taken[decision];
}

/* From a cut in which `complete` is, on: what each further decision needs. */
static void add_sets(struct poe_mixed *m, const bool *complete)
{
    for (uint32_t d = 0; d < m->record->n_decisions; d++) {
        if (!is_next(m, d))
            continue;
        bool *set = create_set(m);
        for (uint32_t i = 0; i < m->n; i++)
            set[i] = complete[i] || m->past[(size_t)d * m->n + i];
        if (!add(m->sets, &m->n_sets, set, m->n))
            m->limit = POE_MIXED_TOO_MANY;
    }
}

/* The whole run, with everything kept: what its decisions need. */
static void look_back(struct poe_mixed *m)
{
    size_t decisions = m->record->n_decisions;
    if (decisions * (decisions + m->n) > MOST_PAIRS) {
        m->limit = POE_MIXED_TOO_MANY;
        return;
    }
    m->past = memset(poe_alloc(m->past, decisions * m->n + 1), 0, decisions * m->n + 1);
    m->before = memset(poe_alloc(m->before, decisions * decisions + 1), 0, decisions * decisions + 1);
    bool *all = memset(create_set(m), true, m->n);
    m->play.decides = note_past;
    m->play.context = m;
    play(m, all);
    m->play.decides = NULL;
    free(all);
}

/* ---- cuts ---- */

/* Leaves out what the cut does not need. The play is that of the smallest set in the end. */
static void reduce(struct poe_mixed *m, bool *set)
{
    size_t ranks = (size_t)m->play.run->config.ranks * sizeof *m->play.at, decisions = m->record->n_decisions;
    uint32_t *at = memcpy(poe_alloc(NULL, ranks), m->play.at, ranks);
    bool *taken = memcpy(poe_alloc(NULL, decisions + 1), m->play.taken, decisions + 1);
    bool last = false; /* the last play is that of the set */
    for (uint32_t i = 0; i < m->n && m->played < 2 * MOST_CALLS; i++) {
        if (!set[i])
            continue;
        set[i] = false;
        play(m, set);
        last = memcmp(at, m->play.at, ranks) == 0 && memcmp(taken, m->play.taken, decisions) == 0;
        set[i] = !last;
    }
    free(at);
    free(taken);
    if (!last)
        play(m, set);
}

static void show(struct poe_mixed *m, const bool *set, struct poe_mixed_cut *cut)
{
    *cut = (struct poe_mixed_cut){.poe = m->play.poe,
                                  .livelock = m->play.end == POE_MIXED_LIVELOCK,
                                  .kept = m->kept,
                                  .choices = m->play.choices,
                                  .n_choices = m->play.n_choices};
    m->calls = poe_alloc(m->calls, m->n * sizeof(const struct isp_call *));
    for (uint32_t i = 0; i < m->n; i++)
        if (set[i])
            m->calls[cut->n_kept++] =
                &m->record->ranks[m->elements[i].name.rank].calls[m->elements[i].at].call;
    cut->calls = m->calls;
}

/* Plays a set. True: it ends in a deadlock that no set before it has shown. */
static bool look_at(struct poe_mixed *m, bool *set)
{
    bool first = m->n_closed == 0; /* nothing is kept */
    play(m, set);
    bool *complete = create_set(m);
    bool stuck = m->play.end != POE_MIXED_NOT_STUCK, over = first && has_made_all(m);
    close(m, complete);
    if (m->play.visits.meet) {
        m->limit = over && !m->play.visits.send_in_epoch ? POE_MIXED_ALL : POE_MIXED_VISITS;
        free(complete);
        return false;
    }
    unsigned closed = m->n_closed;
    if (!over && first) {
        bool *taken = m->play.taken;
        m->play.taken = NULL; /* another play comes in between */
        look_back(m);
        free(m->play.taken);
        m->play.taken = taken;
    }
    if (!over && m->past)
        add_sets(m, complete);
    bool new = add(m->closed, &m->n_closed, complete, m->n) && m->n_closed > closed;
    return new && !first &&stuck && !is_whole(m);
}

bool poe_mixed_next(struct poe_mixed *m, struct poe_mixed_cut *cut)
{
    while (m->next < m->n_sets && m->limit != POE_MIXED_TOO_LONG) {
        if (m->played > MOST_CALLS && m->next > 0) {
            m->limit = POE_MIXED_TOO_MANY;
            return false;
        }
        bool *set = m->sets[m->next++];
        if (!look_at(m, set))
            continue;
        m->least = memcpy(poe_alloc(m->least, m->n), set, m->n);
        show(m, m->least, cut);
        return true;
    }
    return false;
}

void poe_mixed_reduce(struct poe_mixed *m, struct poe_mixed_cut *cut)
{
    reduce(m, m->least);
    show(m, m->least, cut);
}

enum poe_mixed_limit poe_mixed_limit(const struct poe_mixed *mixed) { return mixed->limit; }

/* Whether some rank goes on after an operation that MPI may keep. If not, it does not matter whether it is
 * kept. */
static bool goes_on(const struct poe *run)
{
    for (int rank = 0; rank < run->config.ranks; rank++) {
        const struct poe_recorded_rank *r = &run->record->ranks[rank];
        bool seen = false;
        for (uint32_t at = 0; at < r->n; at++) {
            if (seen && r->calls[at].call.op != ISP_OP_FINALIZE)
                return true;
            seen |= poe_kept_may_be(&r->calls[at].call);
        }
    }
    return false;
}

struct poe_mixed *poe_mixed_create(const struct poe *run)
{
    struct poe_mixed *m = memset(poe_alloc(NULL, sizeof *m), 0, sizeof *m);
    m->record = run->record;
    m->play = (struct poe_mixed_play){.run = run, .record = run->record};
    poe_mixed_visits_init(&m->play.visits, run->record, run->config.ranks);
    bool kept = run->record && !run->record->too_long && !run->record->threads;
    bool visits = run->record && (kept ? m->play.visits.meet : run->record->visits);
    if (!run->record || (!run->record->n_decisions && !visits))
        return m; /* a deterministic run has no part that zero buffering has not */
    if (!kept) {
        bool matters = run->record->too_long || goes_on(run);
        m->limit = !matters ? POE_MIXED_ALL : run->record->too_long ? POE_MIXED_TOO_LONG : POE_MIXED_THREADS;
        return m;
    }
    for (int rank = 0; rank < run->config.ranks; rank++)
        find_elements_of(m, rank);
    if (m->n > (visits ? 1 : 0)) /* one is kept, or not: with infinite buffering, or with zero */
        m->sets[m->n_sets++] = create_set(m);
    return m;
}

void poe_mixed_destroy(struct poe_mixed *m)
{
    poe_mixed_play_finish(&m->play);
    for (unsigned i = 0; i < m->n_sets; i++)
        free(m->sets[i]);
    for (unsigned i = 0; i < m->n_closed; i++)
        free(m->closed[i]);
    free(m->least);
    free(m->elements);
    free(m->past);
    free(m->before);
    free(m->kept);
    free((void *)m->calls);
    free(m);
}
