/* SPDX-License-Identifier: BSD-3-Clause */
#include "forced.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/alloc.h"
#include "isp/outcome.h"

enum { MOST = 1 << 16 }; /* choice points that are known: a prefix with others is made without */

struct alternative {
    enum poe_alternative_kind kind;
    int32_t source, tag;
    uint32_t n, *positions;
};

/* A choice point. */
struct note {
    uint64_t signature, index;
    int rank;
    bool poll;  /* isp answers it where it is known what it said */
    bool lock;  /* the rank waits for isp's answer in any case */
    bool waits; /* the rank does nothing else until it is decided */
    struct alternative *all;
    unsigned n;
    struct alternative later; /* what is known to come, if kind is POE_TAKE_MESSAGE */
    UT_hash_handle hh;
};

struct entry {
    int rank;
    bool later; /* it is put off, and not decided */
    struct isp_outcome outcome;
};

struct sched_forced {
    struct note *notes;    /* by signature, the oldest first */
    struct entry *entries; /* by rank and index */
    size_t n_entries;
    uint64_t *asked; /* of each rank: polls among so many transitions are isp's to answer */
    int n_ranks;
};

struct sched_forced *sched_forced_create(void) { return sched_alloc(1, sizeof(struct sched_forced)); }

static void drop(struct sched_forced *f, struct note *n)
{
    HASH_DEL(f->notes, n);
    for (unsigned k = 0; k < n->n; k++)
        free(n->all[k].positions);
    free(n->all);
    free(n);
}

void sched_forced_destroy(struct sched_forced *f)
{
    if (!f)
        return;
    while (f->notes)
        drop(f, f->notes);
    free(f->entries);
    free(f->asked);
    free(f);
}

static struct note *find(const struct sched_forced *f, uint64_t signature)
{
    struct note *n;
    HASH_FIND(hh, f->notes, &signature, sizeof signature, n);
    return n;
}

void sched_forced_note(struct sched_forced *f, const struct poe_choice *c)
{
    if (find(f, c->signature))
        return;
    if (HASH_COUNT(f->notes) == MOST)
        drop(f, f->notes);
    struct note *n = sched_alloc(1, sizeof *n);
    *n = (struct note){.signature = c->signature,
                       .index = c->transition->index,
                       .rank = c->transition->rank,
                       .poll = c->transition->call.flags & ISP_F_POLL,
                       .lock = c->transition->call.op == ISP_OP_LOCK,
                       .waits = c->transition->call.flags & ISP_F_FENCE,
                       .all = sched_alloc(c->n, sizeof *n->all),
                       .n = c->n,
                       .later = {.kind = POE_NOT_YET}};
    for (unsigned k = 0; k < c->n; k++) {
        const struct poe_alternative *a = &c->alternatives[k];
        bool message = a->kind == POE_TAKE_MESSAGE, subset = a->kind == POE_TAKE_SUBSET;
        n->all[k] = (struct alternative){a->kind, message ? a->source : -1, message ? a->send->call.tag : -1,
                                         subset ? a->n : 0, NULL};
        n->all[k].positions = sched_alloc(n->all[k].n, sizeof *n->all[k].positions);
        if (n->all[k].n)
            memcpy(n->all[k].positions, a->positions, a->n * sizeof *a->positions);
    }
    HASH_ADD(hh, f->notes, signature, sizeof n->signature, n);
}

void sched_forced_note_race(struct sched_forced *f, const struct poe_search *search,
                            const struct poe_race *race)
{
    if (race->source == ISP_NO_RANK || race->number >= poe_search_depth(search))
        return;
    struct note *n = find(f, poe_search_step(search, race->number).signature);
    if (n && n->waits) /* else another receive could get what this one is not to have: MPI would not do so */
        n->later = (struct alternative){.kind = POE_TAKE_MESSAGE, .source = race->source, .tag = race->tag};
}

static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->outcome.index > y->outcome.index) - (x->outcome.index < y->outcome.index);
}

/* What was decided last of a transition counts. */
static struct entry *entry_of(struct sched_forced *f, const struct note *n)
{
    for (size_t i = f->n_entries; i-- > 0;)
        if (f->entries[i].rank == n->rank && f->entries[i].outcome.index == n->index)
            return &f->entries[i];
    SCHED_GROW(f->entries, f->n_entries);
    struct entry *e = &f->entries[f->n_entries++];
    *e = (struct entry){.rank = n->rank, .outcome = {.index = n->index}};
    return e;
}

static void ask_until(struct sched_forced *f, int rank, uint64_t n_asked)
{
    if (rank >= f->n_ranks) {
        f->asked = sched_grow(f->asked, (size_t)rank + 1, sizeof *f->asked);
        while (f->n_ranks <= rank)
            f->asked[f->n_ranks++] = 0;
    }
    if (f->asked[rank] < n_asked)
        f->asked[rank] = n_asked;
}

static bool add(struct sched_forced *f, const struct note *n, unsigned taken)
{
    if (n->lock)
        return true;
    if (n->poll) {
        ask_until(f, n->rank, n->index + 1);
        return true;
    }
    struct entry *e = entry_of(f, n);
    const struct alternative *a = taken < n->n ? &n->all[taken] : &n->later;
    e->later = taken == n->n && a->kind != POE_TAKE_MESSAGE;
    if (e->later)
        return true;
    e->outcome.source = a->source;
    e->outcome.tag = a->tag;
    e->outcome.n = a->n;
    e->outcome.list = a->positions;
    return a->kind == POE_TAKE_MESSAGE || a->kind == POE_TAKE_SUBSET;
}

bool sched_forced_find(struct sched_forced *f, const struct poe_search *search)
{
    unsigned n = poe_search_known(search);
    f->n_entries = 0;
    f->n_ranks = 0;
    for (unsigned i = 0; i < n; i++) {
        struct poe_step step = poe_search_step(search, i);
        const struct note *note = find(f, step.signature);
        if (!note || note->n != step.n || !add(f, note, poe_search_taken(search, i)))
            return false;
    }
    for (size_t i = 0; i < f->n_entries; i++)
        if (f->entries[i].later)
            return false;
    if (f->n_entries)
        qsort(f->entries, f->n_entries, sizeof *f->entries, compare);
    return true;
}

bool sched_forced_is_unknown(const struct sched_forced *f) { return !f->notes; }

bool sched_forced_is_empty(const struct sched_forced *f) { return f->n_entries == 0; }

void sched_forced_put(const struct sched_forced *f, int rank, struct isp_buf *b)
{
    uint32_t n = 0;
    for (size_t i = 0; i < f->n_entries; i++)
        n += f->entries[i].rank == rank;
    isp_put_u32(b, n);
    for (size_t i = 0; i < f->n_entries; i++)
        if (f->entries[i].rank == rank)
            isp_put_outcome(b, &f->entries[i].outcome);
    isp_put_u64(b, rank < f->n_ranks ? f->asked[rank] : 0);
}
