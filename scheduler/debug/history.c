/* SPDX-License-Identifier: BSD-3-Clause */
/* See history.h. */
#include "history.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { MOST = 1000 }; /* the oldest go first */

struct place {
    uint64_t *limits;
    int focus;
};

struct sched_history {
    int ranks;
    struct place *places;
    unsigned n, at; /* places[at - 1] is the present one */
};

struct sched_history *sched_history_create(int ranks)
{
    struct sched_history *h = sched_alloc(1, sizeof *h);
    h->ranks = ranks;
    return h;
}

static void cut_to(struct sched_history *h, unsigned n)
{
    while (h->n > n)
        free(h->places[--h->n].limits);
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

static bool is_there(const struct sched_history *h, const uint64_t *limits, int focus)
{
    const struct place *p = h->at ? &h->places[h->at - 1] : NULL;
    return p && p->focus == focus && memcmp(p->limits, limits, (size_t)h->ranks * sizeof *limits) == 0;
}

void sched_history_add(struct sched_history *h, const uint64_t *limits, int focus)
{
    if (is_there(h, limits, focus))
        return;
    cut_to(h, h->at);
    if (h->n == MOST) {
        free(h->places[0].limits);
        memmove(h->places, h->places + 1, (size_t)--h->n * sizeof *h->places);
    }
    SCHED_GROW(h->places, h->n);
    struct place *p = &h->places[h->n++];
    *p = (struct place){sched_alloc((size_t)h->ranks, sizeof *limits), focus};
    memcpy(p->limits, limits, (size_t)h->ranks * sizeof *limits);
    h->at = h->n;
}

static const uint64_t *go(struct sched_history *h, unsigned to, int *focus)
{
    if (to < 1 || to > h->n)
        return NULL;
    h->at = to;
    *focus = h->places[to - 1].focus;
    return h->places[to - 1].limits;
}

const uint64_t *sched_history_back(struct sched_history *h, int *focus) { return go(h, h->at - 1, focus); }

const uint64_t *sched_history_forward(struct sched_history *h, int *focus) { return go(h, h->at + 1, focus); }
