/* SPDX-License-Identifier: BSD-3-Clause */
/* See watch_pending.h. */
#include "watch_pending.h"

#include <stdio.h>
#include <stdlib.h>

#include "access.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/phase.h"
#include "elements.h"
#include "link/uplink.h"
#include "pending.h"
#include "tables/communicators.h"
#include "watch/watch.h"
#include "watch/watch_compiled.h"

enum {
    FIRST = 32,
    OFTEN = 64,  /* one of so many, up to ... */
    LATE = 4096, /* ... this one; then */
    SELDOM = 1024,
    SITES = 1024,
    FEW_RUNS = 4,     /* of a buffer with holes: as many as there are debug registers */
    MANY_RUNS = 4096, /* ... if all accesses are seen */
};

struct prof_watched {
    bool seen;
    struct prof_sight sight;
    uint32_t n;
    struct prof_watch *watches[]; /* one for each run of bytes */
};

static uint32_t times[SITES]; /* by a hash of the call site: two that share an entry are watched less often */
static bool guilty[SITES];    /* an access was seen */

bool prof_watch_pending_is_ordered(const struct prof_pending *p)
{
    const struct isp_watch_order *order = &prof_settings()->watch;
    return order->buffer == p->number && order->rank == prof_world_rank;
}

static uint32_t place_of(const void *site)
{
    return (uint32_t)(((uintptr_t)site * 0x9e3779b97f4a7c15u) >> 54);
}

static bool is_its_turn(const struct prof_pending *p)
{
    const struct isp_settings *s = prof_settings();
    uint32_t place = place_of(p->posted.site), k;
    if (s->watch.buffer)
        return prof_watch_pending_is_ordered(p);
    k = times[place]++;
    return prof_watch_is_compiled || s->memory == ISP_MEMORY_WATCH || guilty[place] || k < FIRST ||
           k % (k < LATE ? OFTEN : SELDOM) == 0;
}

/* ---- what is seen ---- */

static void see(void *context, const struct prof_sight *sight)
{
    struct prof_watched *w = context;
    if (w->seen)
        return; /* the first is enough */
    w->seen = true;
    w->sight = *sight;
    for (uint32_t i = 0; i < w->n; i++) {
        struct prof_watch *watch = w->watches[i];
        w->watches[i] = NULL;
        prof_watch_end(watch);
    }
}

static void describe(char *text, size_t room, const struct prof_pending *p, const struct prof_sight *sight)
{
    char part[40] = "";
    if (p->partition >= 0)
        snprintf(part, sizeof part, " in partition %d of", p->partition);
    snprintf(text, room, "the program %s%s the buffer of a pending %s",
             sight->kind == PROF_STORE ? "writes" : "reads", part, isp_fn_name(p->posted.fn));
}

/* What MPI writes may have arrived since then: its values say nothing. */
static void find_elements(struct isp_change *change, const struct prof_pending *p,
                          const struct prof_sight *sight)
{
    uintptr_t low = sight->address < p->region.low ? p->region.low : sight->address,
              high = sight->address + sight->length;
    high = high > p->region.high ? p->region.high : high;
    prof_elements_tell(change, p, (struct prof_run){low, high > low ? high - low : 1},
                       p->use == PROF_USE_READ && sight->kind == PROF_STORE);
}

bool prof_watch_pending_tell(struct prof_pending *p)
{
    struct prof_watched *w = p->watched;
    char text[200];
    struct isp_change change;
    if (!w || !w->seen)
        return false;
    guilty[place_of(p->posted.site)] = true;
    bool sends = p->use == PROF_USE_READ;
    describe(text, sizeof text, p, &w->sight);
    find_elements(&change, p, &w->sight);
    prof_finding_tell(&(struct prof_finding){
        .rule = prof_fn_is_access(p->posted.fn) ? ISP_RULE_RMA_CONFLICT
                : sends                         ? ISP_RULE_SEND_BUFFER_MODIFIED
                                                : ISP_RULE_RECEIVE_BUFFER_ACCESSED,
        .at = {ISP_FN_NONE, w->sight.site},
        .text = text,
        .story = sends ? "%0: until this operation is complete its buffer may be read, but not written\n"
                       : "%0: until this operation is complete its buffer must be neither read nor written\n",
        .more = &p->posted,
        .n_more = 1,
        .buffer = p->number,
        .change = &change,
    });
    w->seen = false;
    return true;
}

/* ---- begin and end ---- */

struct runs {
    struct prof_watched *watched;
    uint32_t most;
    unsigned kinds;
    bool urgent;
};

static bool watch_run(void *context, struct prof_run run)
{
    struct runs *runs = context;
    struct prof_watched *w = runs->watched;
    if (run.length > 0) {
        w->watches[w->n] =
            prof_watch_begin((const void *)run.at, run.length, runs->kinds, runs->urgent, see, w);
        prof_watch_forbid(w->watches[w->n++]);
    }
    return w->n < runs->most;
}

void prof_watch_pending_begin(struct prof_pending *p)
{
    p->watched = NULL;
    if (!is_its_turn(p) || !prof_region_is_there(&p->region))
        return;
    bool plain = p->region.shape.kind == PROF_SHAPE_RUN;
    uint32_t most = plain ? 1 : prof_watch_is_compiled ? MANY_RUNS : FEW_RUNS;
    struct prof_watched *w = prof_alloc(sizeof *w + most * sizeof *w->watches, 1);
    struct runs runs = {w, most, p->use == PROF_USE_READ ? PROF_STORE : PROF_LOAD | PROF_STORE, false};
    bool ordered = prof_watch_pending_is_ordered(p);
    uint64_t at = prof_settings()->watch.at;
    runs.urgent = ordered || (runs.kinds & PROF_LOAD);
    *w = (struct prof_watched){.n = 0};
    p->watched = w;
    if (at && ordered)
        watch_run(&runs, (struct prof_run){p->region.low + at - 1, 1});
    else
        prof_region_runs(&p->region, watch_run, &runs);
}

void prof_watch_pending_end(struct prof_pending *p)
{
    struct prof_watched *w = p->watched;
    if (!w)
        return;
    p->watched = NULL;
    for (uint32_t i = 0; i < w->n; i++)
        prof_watch_end(w->watches[i]);
    free(w);
}

bool prof_watch_pending_has_seen(const struct prof_pending *p) { return p->watched && p->watched->seen; }

void prof_watch_pending_hash(struct prof_hash *h)
{
    prof_hash_bytes(h, times, sizeof times);
    prof_hash_bytes(h, guilty, sizeof guilty);
}
