/* SPDX-License-Identifier: BSD-3-Clause */
/* See elements.h. The runs of a region begin with an element, and have whole ones, where all are of one
 * type. */
#include "elements.h"

#include <string.h>

#include "outside/caller.h"
#include "outside/place.h"
#include "overlap.h"

static bool take_run(void *context, struct prof_run run)
{
    *(struct prof_run *)context = run;
    return false;
}

/* The run of the region in which the byte is; length 0: none. */
static struct prof_run run_of(const struct prof_region *r, uintptr_t at)
{
    struct prof_run run = {0, 0};
    prof_region_runs_within(r, at, at + 1, take_run, &run);
    return run;
}

/* The first of these bytes that is another one now, or the first of all. */
static uintptr_t first_changed(const struct prof_pending *p, struct prof_run touched)
{
    for (uintptr_t at = touched.at; at < touched.at + touched.length; at++) {
        unsigned char was;
        if (prof_snapshot_old(&p->before, &p->region, (struct prof_run){at, 1}, &was) &&
            was != *(const unsigned char *)at)
            return at;
    }
    return touched.at;
}

static size_t size_of(const struct prof_region *r)
{
    size_t size = isp_basic_facts(r->basic).size;
    return size ? size : 1;
}

static void put_values(struct isp_change *c, const struct prof_pending *p, struct prof_run run,
                       uintptr_t element)
{
    uintptr_t low = element - run.at > ISP_CHANGE_BEFORE ? element - ISP_CHANGE_BEFORE : run.at,
              end = run.at + run.length,
              high = end - element > ISP_CHANGE_AFTER ? element + ISP_CHANGE_AFTER : end;
    if (!prof_snapshot_old(&p->before, &p->region, (struct prof_run){low, high - low}, c->was))
        return;
    memcpy(c->is, (const void *)low, high - low);
    c->before = (uint8_t)(element - low);
    c->bytes = (uint8_t)(high - low);
    c->n = prof_snapshot_count(&p->before, &p->region, size_of(&p->region));
}

/* ---- what leads there ---- */

/* Variables on the stack, and registers of the caller, that point to the buffer: a block of the heap has no
 * other name. */
static void find_ways(struct isp_change *c, const struct prof_where *w, const struct prof_region *r,
                      uintptr_t element)
{
    enum { FAR = 1 << 17 };
    struct prof_caller caller;
    unsigned n = 0;
    uintptr_t top = w->top - w->stack > FAR ? w->stack + FAR : w->top;
    if (r->at == 0 || element < r->at)
        return;
    if (prof_caller_find(&caller))
        for (unsigned i = 0; i < caller.n_values && n == 0; i++)
            if (caller.values[i] == r->at) {
                c->ways[n].pointer =
                    (struct isp_place){.kind = ISP_PLACE_REGISTER, .from_stack = prof_caller_register(i)};
                prof_place_put_module(&c->ways[n++].pointer, prof_caller_place());
            }
    for (uintptr_t at = w->stack & ~(uintptr_t)7; at < top && n < ISP_CHANGE_WAYS; at += sizeof at)
        if (*(const uintptr_t *)at == r->at)
            c->ways[n++].pointer = prof_place_of(w, at);
    for (unsigned i = 0; i < n; i++) {
        c->ways[i].n_steps = 1;
        c->ways[i].steps[0] = element - r->at;
    }
}

void prof_elements_tell(struct isp_change *c, const struct prof_pending *p, struct prof_run touched,
                        bool values)
{
    const struct prof_region *r = &p->region;
    bool there = prof_region_is_there(r);
    uintptr_t at = there && values ? first_changed(p, touched) : touched.at, element;
    struct prof_run run = run_of(r, at);
    size_t size = size_of(r);
    *c = (struct isp_change){.basic = r->basic, .index = ISP_CHANGE_NO_INDEX};
    if (run.length == 0)
        return;
    element = at - (at - run.at) % size;
    size_t offset = prof_overlap_offset(r, element);
    if (offset % size == 0)
        c->index = offset / size;
    if (values && there)
        put_values(c, p, run, element);
    struct prof_where w;
    prof_where_find(&w, prof_caller_place());
    c->place = prof_place_of(&w, element);
    if (c->place.kind == ISP_PLACE_UNKNOWN)
        find_ways(c, &w, r, element);
}
