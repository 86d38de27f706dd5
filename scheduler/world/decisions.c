/* SPDX-License-Identifier: BSD-3-Clause */
#include "decisions.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/alloc.h"

struct key {
    int64_t rank;
    uint64_t index;
};

struct decision {
    struct key key; /* the transition */
    struct poe_alternative taken;
    unsigned put_off; /* a lock or access: so often, before */
    uint32_t *positions;
    struct isp_call call; /* POE_ADMIT: the thread's, without its list */
    bool again;           /* ... and it has been admitted in the run that is led */
    UT_hash_handle hh;
};

struct sched_decisions {
    struct decision *all;
};

struct sched_decisions *sched_decisions_create(void)
{
    return sched_alloc(1, sizeof(struct sched_decisions));
}

void sched_decisions_destroy(struct sched_decisions *decisions)
{
    if (!decisions)
        return;
    struct decision *d, *next;
    HASH_ITER (hh, decisions->all, d, next) {
        HASH_DEL(decisions->all, d);
        free(d->positions);
        free(d);
    }
    free(decisions);
}

static struct key key_of(const struct poe_choice *c)
{
    /* the call itself may be decided, too */
    uint64_t admission = c->alternatives[0].kind == POE_ADMIT ? UINT64_C(1) << 63 : 0;
    return (struct key){c->transition->rank, c->transition->index | admission};
}

static void decide(void *self, struct sched_run *run, const struct poe_choice *choice, unsigned k)
{
    struct sched_decisions *decisions = self;
    if (k >= choice->n)
        return;
    const struct poe_alternative *a = &choice->alternatives[k];
    struct decision *d = sched_alloc(1, sizeof *d), *old;
    d->key = key_of(choice);
    d->taken = *a;
    d->call = choice->transition->call;
    d->call.list = NULL;
    d->put_off = choice->transition->put_off;
    d->positions = sched_alloc(a->n, sizeof *d->positions);
    if (a->n)
        memcpy(d->positions, a->positions, a->n * sizeof *d->positions);
    HASH_REPLACE(hh, decisions->all, key, sizeof d->key, d, old);
    if (old)
        free(old->positions);
    free(old);
}

const struct sched_listener sched_decisions_listener = {.decide = decide};

unsigned sched_decisions_count(const struct sched_decisions *decisions) { return HASH_COUNT(decisions->all); }

/* The table keeps the order in which its entries came. */
void sched_decisions_forget(struct sched_decisions *decisions, unsigned n)
{
    while (HASH_COUNT(decisions->all) > n) {
        struct decision *last = ELMT_FROM_HH(decisions->all->hh.tbl, decisions->all->hh.tbl->tail);
        HASH_DEL(decisions->all, last);
        free(last->positions);
        free(last);
    }
}

static bool is_same(const struct decision *d, const struct poe_alternative *a)
{
    if (d->taken.kind != a->kind)
        return false;
    switch (a->kind) {
    case POE_TAKE_MESSAGE: return d->taken.source == a->source && d->taken.source_index == a->source_index;
    case POE_TAKE_SUBSET:
        return d->taken.n == a->n &&
               (!a->n || memcmp(d->positions, a->positions, a->n * sizeof *a->positions) == 0);
    default: return true;
    }
}

/* A thread waits for those that compete with it and were admitted before it. The table keeps the order in
 * which its entries came. */
static unsigned find_admission(const struct sched_decisions *decisions, const struct poe *poe,
                               struct decision *d)
{
    for (const struct decision *e = decisions->all; e != d; e = e->hh.next)
        if (e->taken.kind == POE_ADMIT && e->key.rank == d->key.rank && !e->again &&
            poe_calls_compete(poe, &e->call, &d->call))
            return 1;
    d->again = true;
    return 0;
}

static void begin(const struct sched_decisions *decisions)
{
    for (struct decision *d = decisions->all; d; d = d->hh.next)
        d->again = false;
}

unsigned sched_decisions_find(const struct sched_decisions *decisions, const struct poe *poe,
                              const struct poe_choice *choice, bool patient)
{
    struct key key = key_of(choice);
    struct decision *d;
    if (choice->number == 0)
        begin(decisions);
    HASH_FIND(hh, decisions->all, &key, sizeof key, d);
    if (!d)
        return 0;
    if (d->taken.kind == POE_ADMIT)
        return find_admission(decisions, poe, d);
    if (choice->transition->put_off < d->put_off)
        return choice->n;
    for (unsigned k = 0; k < choice->n; k++)
        if (is_same(d, &choice->alternatives[k]))
            return k;
    return patient ? choice->n : 0;
}
