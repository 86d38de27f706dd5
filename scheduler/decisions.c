/* SPDX-License-Identifier: BSD-3-Clause */
#include "decisions.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "alloc.h"

struct key {
    int64_t rank;
    uint64_t index;
};

struct decision {
    struct key key; /* the transition */
    struct poe_alternative taken;
    uint32_t *positions;
    UT_hash_handle hh;
};

struct sched_decisions {
    struct decision *all;
};

struct sched_decisions *sched_decisions_create(void) { return sched_alloc(1, sizeof(struct sched_decisions)); }

void sched_decisions_destroy(struct sched_decisions *decisions)
{
    if (!decisions)
        return;
    struct decision *d, *next;
    HASH_ITER(hh, decisions->all, d, next) {
        HASH_DEL(decisions->all, d);
        free(d->positions);
        free(d);
    }
    free(decisions);
}

static struct key key_of(const struct poe_choice *c)
{
    return (struct key){c->transition->rank, c->transition->index};
}

void sched_decisions_note(struct sched_decisions *decisions, const struct poe_choice *choice, unsigned k)
{
    if (k >= choice->n)
        return;
    const struct poe_alternative *a = &choice->alternatives[k];
    struct decision *d = sched_alloc(1, sizeof *d), *old;
    d->key = key_of(choice);
    d->taken = *a;
    d->positions = sched_alloc(a->n, sizeof *d->positions);
    if (a->n)
        memcpy(d->positions, a->positions, a->n * sizeof *d->positions);
    HASH_REPLACE(hh, decisions->all, key, sizeof d->key, d, old);
    if (old)
        free(old->positions);
    free(old);
}

unsigned sched_decisions_count(const struct sched_decisions *decisions)
{
    return HASH_COUNT(decisions->all);
}

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
    case POE_TAKE_MESSAGE:
        return d->taken.source == a->source && d->taken.source_index == a->source_index;
    case POE_TAKE_SUBSET:
        return d->taken.n == a->n && (!a->n || memcmp(d->positions, a->positions, a->n * sizeof *a->positions) == 0);
    default:
        return true;
    }
}

unsigned sched_decisions_find(const struct sched_decisions *decisions, const struct poe_choice *choice, bool patient)
{
    struct key key = key_of(choice);
    struct decision *d;
    HASH_FIND(hh, decisions->all, &key, sizeof key, d);
    if (!d)
        return 0;
    for (unsigned k = 0; k < choice->n; k++)
        if (is_same(d, &choice->alternatives[k]))
            return k;
    return patient ? choice->n : 0;
}
