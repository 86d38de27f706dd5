/* SPDX-License-Identifier: BSD-3-Clause */
/* See history.h. */
#include "history.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spot.h"

enum { MOST = 1000 }; /* the oldest go first */

struct sched_history {
    int ranks;
    struct sched_history_place *places;
    unsigned n, at; /* places[at - 1] is the present one */
};

struct sched_history *sched_history_create(int ranks)
{
    struct sched_history *h = sched_alloc(1, sizeof *h);
    h->ranks = ranks;
    return h;
}

static void forget(struct sched_history_place *p)
{
    free(p->limits);
    if (p->spot)
        sched_spot_finish(p->spot);
    free(p->spot);
}

static void cut_to(struct sched_history *h, unsigned n)
{
    while (h->n > n)
        forget(&h->places[--h->n]);
    h->at = h->at < n ? h->at : n;
}

void sched_history_clear(struct sched_history *h) { cut_to(h, 0); }

void sched_history_destroy(struct sched_history *h)
{
    if (!h)
        return;
    sched_history_clear(h);
    free(h->places);
    free(h);
}

static bool is_one_spot(const struct sched_spot *a, const struct sched_spot *b)
{
    if (!a || !b)
        return a == b;
    bool alike = a->state && b->state ? strcmp(a->state, b->state) == 0 : a->state == b->state;
    return a->at == b->at && a->pc == b->pc && a->cfa == b->cfa && alike;
}

static bool is_there(const struct sched_history *h, const uint64_t *limits, int focus,
                     const struct sched_spot *spot)
{
    const struct sched_history_place *p = h->at ? &h->places[h->at - 1] : NULL;
    return p && p->focus == focus && memcmp(p->limits, limits, (size_t)h->ranks * sizeof *limits) == 0 &&
           is_one_spot(p->spot, spot);
}

/* Takes the spot, which is on the heap, or NULL. */
static void add(struct sched_history *h, const uint64_t *limits, int focus, struct sched_spot *spot)
{
    cut_to(h, h->at);
    if (h->n == MOST) {
        forget(&h->places[0]);
        memmove(h->places, h->places + 1, (size_t)--h->n * sizeof *h->places);
    }
    SCHED_GROW(h->places, h->n);
    h->places[h->n++] =
        (struct sched_history_place){sched_copy(limits, (size_t)h->ranks * sizeof *limits), focus, spot};
    h->at = h->n;
}

void sched_history_add(struct sched_history *h, const uint64_t *limits, int focus)
{
    if (!is_there(h, limits, focus, NULL))
        add(h, limits, focus, NULL);
}

void sched_history_add_spot(struct sched_history *h, const uint64_t *limits, int focus,
                            struct sched_spot *spot)
{
    if (is_there(h, limits, focus, spot))
        sched_spot_finish(spot);
    else
        add(h, limits, focus, sched_copy(spot, sizeof *spot));
}

static const struct sched_history_place *go(struct sched_history *h, unsigned to)
{
    if (to < 1 || to > h->n)
        return NULL;
    h->at = to;
    return &h->places[to - 1];
}

const struct sched_history_place *sched_history_back(struct sched_history *h) { return go(h, h->at - 1); }

const struct sched_history_place *sched_history_forward(struct sched_history *h) { return go(h, h->at + 1); }
