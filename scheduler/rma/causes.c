/* SPDX-License-Identifier: BSD-3-Clause */
/* See causes.h. Of each place a rank's first read and last write are kept; where there are too many places,
 * they are taken together. */
#include "causes.h"

#include "base/alloc.h"

enum { MOST = 512, ANY_TARGET = -1 };
enum way { ATOMIC = 1, SHARED = 2, EXCLUSIVE = 4, SYNCED = 8 };

struct touch {
    int target;
    uint64_t low, high;
    unsigned way;
    uint32_t first_read, last_write; /* 0: none */
    uint32_t *known;                 /* by the rank, at the last write; its own time is last_write */
};

struct rank {
    struct touch *touches;
    size_t n;
};

struct sched_causes {
    int n;
    struct rank ranks[];
};

struct sched_causes *sched_causes_create(int ranks)
{
    struct sched_causes *c = sched_alloc(1, sizeof *c + (size_t)ranks * sizeof *c->ranks);
    c->n = ranks;
    return c;
}

void sched_causes_destroy(struct sched_causes *c)
{
    for (int i = 0; c && i < c->n; i++) {
        for (size_t k = 0; k < c->ranks[i].n; k++)
            free(c->ranks[i].touches[k].known);
        free(c->ranks[i].touches);
    }
    free(c);
}

static unsigned way_of(const struct isp_access *a)
{
    unsigned way = sched_rma_is_atomic(a) ? ATOMIC : 0;
    way |= a->epoch == ISP_EPOCH_SHARED ? SHARED : a->epoch == ISP_EPOCH_EXCLUSIVE ? EXCLUSIVE : 0;
    return way | (a->synced ? SYNCED : 0);
}

static struct touch *find(struct rank *r, const struct sched_rma_access *a, unsigned way)
{
    struct touch *alike = NULL;
    for (size_t i = 0; i < r->n; i++) {
        struct touch *t = &r->touches[i];
        if (t->way != way)
            continue;
        if (t->target == a->what.target && t->low == a->low && t->high == a->high)
            return t;
        alike = t;
    }
    if (r->n >= MOST && alike) {
        if (alike->target != a->what.target)
            alike->target = ANY_TARGET;
        alike->low = a->low < alike->low ? a->low : alike->low;
        alike->high = a->high > alike->high ? a->high : alike->high;
        return alike;
    }
    r->touches = sched_grow(r->touches, r->n + 1, sizeof *r->touches);
    r->touches[r->n] = (struct touch){.target = a->what.target, .low = a->low, .high = a->high, .way = way};
    return &r->touches[r->n++];
}

static bool reads(const struct isp_access *a)
{
    return a->kind != ISP_ACCESS_PUT && a->kind != ISP_ACCESS_STORE && a->kind != ISP_ACCESS_TAKE &&
           a->kind != ISP_ACCESS_ACCUMULATE;
}

void sched_causes_note(struct sched_causes *c, const struct sched_rma_access *a)
{
    unsigned way = way_of(&a->what);
    if (!way)
        return;
    struct touch *t = find(&c->ranks[a->rank], a, way);
    if (reads(&a->what) && !t->first_read)
        t->first_read = a->begin;
    if (!sched_rma_writes(&a->what))
        return;
    if (!t->known)
        t->known = sched_alloc((size_t)c->n, sizeof *t->known);
    memcpy(t->known, a->known->at, (size_t)c->n * sizeof *t->known);
    t->last_write = t->known[a->rank] = a->begin;
}

static bool can_tell(const struct touch *write, const struct touch *read)
{
    unsigned both = write->way & read->way;
    bool locks = (write->way & (SHARED | EXCLUSIVE)) && (read->way & (SHARED | EXCLUSIVE)) &&
                 ((write->way | read->way) & EXCLUSIVE);
    bool target = write->target == read->target || write->target == ANY_TARGET || read->target == ANY_TARGET;
    return target && write->low < read->high && read->low < write->high &&
           ((both & ATOMIC) || locks || ((write->way | read->way) & SYNCED));
}

/* since[i]: who knows a later time of rank i than this has been told. Is that so of one who knows `known`? */
static bool is_told(const struct sched_causes *c, const uint32_t *since, const uint32_t *known)
{
    for (int i = 0; i < c->n; i++)
        if (known[i] > since[i])
            return true;
    return false;
}

/* Lets one write be read by all others. True: that has told somebody earlier than before. */
static bool spread(const struct sched_causes *c, uint32_t *since, const struct touch *write, int writer)
{
    bool any = false;
    for (int i = 0; i < c->n; i++)
        for (size_t k = 0; i != writer && k < c->ranks[i].n; k++) {
            const struct touch *read = &c->ranks[i].touches[k];
            if (!read->first_read || read->first_read >= since[i] || !can_tell(write, read))
                continue;
            since[i] = read->first_read;
            any = true;
        }
    return any;
}

bool sched_causes_may_link(const struct sched_causes *c, int from, uint32_t begin, int to, uint32_t end,
                           const uint32_t *known)
{
    uint32_t *since = sched_alloc((size_t)c->n, sizeof *since);
    for (int i = 0; i < c->n; i++)
        since[i] = UINT32_MAX;
    since[from] = begin;
    bool any = true;
    while (any) {
        any = false;
        for (int i = 0; i < c->n; i++)
            for (size_t k = 0; k < c->ranks[i].n; k++) {
                const struct touch *t = &c->ranks[i].touches[k];
                if (t->last_write && is_told(c, since, t->known))
                    any |= spread(c, since, t, i);
            }
    }
    bool linked = from != to && since[to] < end;
    since[from] = UINT32_MAX; /* that it knows of the access itself is no order */
    since[to] = UINT32_MAX;
    linked = linked || is_told(c, since, known);
    free(since);
    return linked;
}
