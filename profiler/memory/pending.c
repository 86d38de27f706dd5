/* SPDX-License-Identifier: BSD-3-Clause */
/* See pending.h. Two trees, so that the many reads of one buffer, which are allowed, never see each other. */
#include "pending.h"

#include <stdio.h>
#include <stdlib.h>

#include "access.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/phase.h"
#include "buffers.h"
#include "elements.h"
#include "hooks.h"
#include "kept/kept.h"
#include "link/uplink.h"
#include "overlap.h"
#include "watch/watch.h"
#include "watch_pending.h"

struct prof_memory_hooks prof_memory_hooks;

static struct prof_interval *trees[2]; /* by enum prof_use */
static uint64_t last_number;
static struct prof_pending *unused;
struct prof_op *prof_pending_arrived;

static bool is_on(void) { return prof_settings()->memory != ISP_MEMORY_OFF; }

/* ---- what shares bytes ---- */

struct search {
    const struct prof_region *region;
    prof_pending_see *see;
    void *context;
};

static bool compare(void *context, struct prof_interval *node)
{
    const struct search *s = context;
    struct prof_pending *p = (struct prof_pending *)node;
    struct prof_run common;
    return !prof_region_meet(s->region, &p->region, &common) || s->see(s->context, p, common);
}

bool prof_pending_each(const struct prof_region *region, enum prof_use use, prof_pending_see *see,
                       void *context)
{
    struct search s = {region, see, context};
    return prof_interval_each(trees[use], region->low, region->high, compare, &s);
}

struct hit {
    const struct prof_region *region;
    enum prof_use use;
    bool found;
};

/* The first is enough. Both are written by several: what is in them proves nothing any more. */
static bool tell_first(void *context, struct prof_pending *p, struct prof_run common)
{
    struct hit *hit = context;
    prof_overlap_tell(hit->region, hit->use, p, common);
    hit->found = true;
    p->checked = false;
    return false;
}

/* True: what is pending and the region of a new operation must not share what they share. */
static bool overlaps(const struct prof_region *r, enum prof_use use)
{
    struct hit hit = {r, use, false};
    if (trees[PROF_USE_WRITE])
        prof_pending_each(r, PROF_USE_WRITE, tell_first, &hit);
    if (use == PROF_USE_WRITE && trees[PROF_USE_READ] && !hit.found)
        prof_pending_each(r, PROF_USE_READ, tell_first, &hit);
    return hit.found;
}

/* The same, and what is wrong with the region by itself. */
static bool is_wrong(const struct prof_region *r, enum prof_use use)
{
    struct prof_run twice;
    bool wrong = overlaps(r, use);
    if (use == PROF_USE_WRITE && r->shape.kind != PROF_SHAPE_RUN && prof_region_meets_itself(r, &twice)) {
        prof_overlap_tell_twice(r, twice);
        return true;
    }
    return wrong;
}

/* ---- begin and end of one buffer ---- */

enum { LARGE = 16384, FIRST = 8, OFTEN = 8, SITES = 1024 };

/* To hash a megabyte four times costs as much as to send it. So large buffers of operations that a call site
 * starts again and again are looked at the first times, and then now and then: a mistake in a loop is seen
 * all the same. */
static uint32_t times[SITES]; /* by a hash: sites that share an entry are looked at less often */

static bool is_worth_it(const struct prof_region *r)
{
    if (prof_region_size(r) < LARGE || prof_settings()->memory == ISP_MEMORY_WATCH)
        return true;
    uint32_t n = times[((uintptr_t)prof_current.site * 0x9e3779b97f4a7c15u) >> 54]++;
    return n < FIRST || n % OFTEN == 0;
}

static struct prof_pending *take(void)
{
    struct prof_pending *p = unused;
    if (p)
        unused = p->next;
    else
        p = prof_alloc(1, sizeof *p);
    p->before = (struct prof_snapshot){.kind = PROF_SNAPSHOT_NONE};
    return p;
}

/* From here on its bytes stay as they are. */
static void guard(struct prof_pending *p)
{
    p->checked = is_worth_it(&p->region);
    p->before.whole = prof_watch_pending_is_ordered(p);
    if (p->before.whole || p->checked)
        prof_snapshot_take(&p->before, &p->region);
    p->checked |= p->before.whole;
    prof_watch_pending_begin(p);
}

/* Takes over the region. */
static struct prof_pending *begin(struct prof_op *op, enum prof_use use, struct prof_region *r, bool checked)
{
    struct prof_pending *p = take();
    p->region = *r;
    p->use = use;
    p->posted = (struct prof_place){prof_current.fn, prof_current.site};
    p->number = ++last_number;
    p->partition = -1;
    p->checked = false;
    p->watched = NULL;
    p->next = NULL;
    p->in_window = prof_memory_hooks.windows_any() &&
                   prof_memory_hooks.window_begin(&p->region, use == PROF_USE_WRITE, p->number);
    if (op) {
        p->next = op->pending;
        op->pending = p;
    }
    p->interval.low = r->low;
    p->interval.high = r->high;
    prof_interval_insert(&trees[use], &p->interval);
    if (checked)
        guard(p);
    return p;
}

static void end(struct prof_pending *p)
{
    prof_interval_remove(&trees[p->use], &p->interval);
    if (p->in_window)
        prof_memory_hooks.window_done(p->number);
    prof_watch_pending_end(p);
    prof_snapshot_finish(&p->before, &p->region);
    prof_region_finish(&p->region);
    p->next = unused;
    unused = p;
}

static struct prof_pending *begin_buffer(struct prof_op *op, enum prof_use use, const void *buf,
                                         MPI_Count count, MPI_Datatype datatype, bool checked)
{
    struct prof_region r;
    if (!is_on() || !prof_region_init(&r, buf, count, datatype))
        return NULL;
    if (r.low == r.high) {
        prof_region_finish(&r);
        return NULL;
    }
    bool wrong = is_wrong(&r, use);
    return begin(op, use, &r, checked && !wrong);
}

struct prof_pending *prof_pending_begin(struct prof_op *op, enum prof_use use, const void *buf,
                                        MPI_Count count, MPI_Datatype datatype)
{
    return begin_buffer(op, use, buf, count, datatype, true);
}

struct prof_pending *prof_pending_begin_attached(const void *buf, size_t bytes)
{
    struct prof_region r = prof_region_bytes(buf, bytes);
    if (!is_on() || bytes == 0)
        return NULL;
    is_wrong(&r, PROF_USE_WRITE);
    return begin(NULL, PROF_USE_WRITE, &r, false);
}

void prof_pending_end_one(struct prof_pending *p)
{
    if (p)
        end(p);
}

/* Accesses come by the hundred thousand in a loop: the buffers of a call that was found wrong are looked at
 * no more. */
struct prof_pending *prof_pending_begin_origin(enum prof_use use, const void *buf, MPI_Count count,
                                               MPI_Datatype datatype)
{
    enum { MOST = 64 };
    static const void *guilty[MOST];
    static unsigned n;
    struct prof_region r;
    for (unsigned i = 0; i < n; i++)
        if (guilty[i] == prof_current.site)
            return NULL;
    if (!is_on() || !prof_region_init(&r, buf, count, datatype))
        return NULL;
    bool wrong = r.low != r.high && is_wrong(&r, use);
    if (wrong && n < MOST)
        guilty[n++] = prof_current.site;
    if (wrong || r.low == r.high) {
        prof_region_finish(&r);
        return NULL;
    }
    struct prof_pending *p = begin(NULL, use, &r, use == PROF_USE_READ);
    if (use == PROF_USE_WRITE)
        prof_watch_pending_begin(p);
    return p;
}

/* ---- of operations ---- */

static enum prof_use use_of(enum prof_op_kind kind)
{
    return kind == PROF_OP_SEND ? PROF_USE_READ : PROF_USE_WRITE;
}

void prof_pending_begin_message(struct prof_op *op, const struct prof_envelope *e)
{
    if (e->peer != MPI_PROC_NULL)
        begin_buffer(op, use_of(op->kind), e->buf, e->count, e->datatype, !e->blocking);
}

void prof_pending_begin_partition(struct prof_op *op, const struct prof_envelope *e, int partition,
                                  int partitions)
{
    MPI_Count low, extent = 0, each = partitions > 0 ? e->count / partitions : 0;
    if (e->peer == MPI_PROC_NULL || !is_on())
        return;
    PMPI_Type_get_extent_x(e->datatype, &low, &extent);
    struct prof_pending *p = prof_pending_begin(
        op, use_of(op->kind), (char *)e->buf + partition * each * extent, each, e->datatype);
    if (p)
        p->partition = partition;
}

void prof_pending_begin_collective(struct prof_op *op)
{
    struct prof_region read, written;
    struct prof_run common;
    if (!is_on())
        return;
    prof_buffers_of(op->kept, &read, &written);
    bool alias = prof_region_meet(&read, &written, &common);
    if (alias)
        prof_overlap_tell_alias(&read, &written, common);
    struct prof_pending *in = NULL, *out = NULL;
    bool wrong = alias;
    if (read.low != read.high) {
        wrong |= is_wrong(&read, PROF_USE_READ);
        in = begin(op, PROF_USE_READ, &read, false);
    }
    if (written.low != written.high) {
        wrong |= !alias && is_wrong(&written, PROF_USE_WRITE);
        out = begin(op, PROF_USE_WRITE, &written, false);
    }
    for (struct prof_pending *p = op->pending; p && !wrong; p = p->next)
        guard(p);
    if (!in)
        prof_region_finish(&read);
    if (!out)
        prof_region_finish(&written);
}

/* ---- what became of the bytes ---- */

static void describe(char *text, size_t room, const struct prof_pending *p, const struct prof_change *c)
{
    char buffer[40] = "its buffer";
    const char *fn = isp_fn_name(prof_current.fn), *did = p->use == PROF_USE_READ ? "changed" : "written";
    if (p->partition >= 0)
        snprintf(buffer, sizeof buffer, "partition %d of its buffer", p->partition);
    if (c->gone)
        snprintf(text, room, "the memory of %s was given back before %s", buffer, fn);
    else
        snprintf(text, room, "%s (%zu bytes) was %s before %s", buffer, prof_region_size(&p->region), did,
                 fn);
}

static enum isp_rule rule_of(const struct prof_pending *p)
{
    if (prof_fn_is_access(p->posted.fn))
        return ISP_RULE_RMA_CONFLICT;
    return p->use == PROF_USE_READ ? ISP_RULE_SEND_BUFFER_MODIFIED : ISP_RULE_RECEIVE_BUFFER_ACCESSED;
}

static void tell_changed(const struct prof_pending *p, const struct prof_change *change)
{
    char text[300];
    struct prof_place here = {prof_current.fn, prof_current.site};
    bool sends = p->use == PROF_USE_READ, can_watch = prof_watch_is_possible();
    char story[300];
    struct isp_change elements = {0};
    describe(text, sizeof text, p, change);
    if (change->run.length)
        prof_elements_tell(&elements, p, change->run, true);
    snprintf(story, sizeof story, "%%0 found it so: until this operation is complete its buffer %s\n%s",
             sends ? "may be read, but not written" : "must be neither read nor written",
             can_watch ? ""
                       : "the line of the access is not known: no debug registers here (a debugger or "
                         "valgrind, perf_event_paranoid above 2, a handler for SIGTRAP)\n");
    prof_finding_tell(&(struct prof_finding){
        .rule = rule_of(p),
        .at = p->posted,
        .text = text,
        .story = story,
        .more = &here,
        .n_more = 1,
        .buffer = can_watch ? p->number : 0, /* a second run finds out no more */
        .buffer_at = change->run.length ? change->run.at - p->region.low + 1 : 0,
        .change = change->run.length ? &elements : NULL,
    });
}

/* Whoever saw the access itself tells it better. complete: the program knows that it is. True: something is
 * told. */
static bool check(struct prof_pending *p, bool complete)
{
    struct prof_change change;
    bool differs = p->checked && prof_snapshot_differs(&p->before, &p->region, &change);
    if (!differs && !complete)
        return false;
    bool seen = prof_watch_pending_tell(p);
    if (!seen && differs)
        tell_changed(p, &change);
    p->checked = p->checked && !differs;
    return seen || differs;
}

bool prof_pending_end_origin(struct prof_pending *p)
{
    bool wrong = check(p, true);
    end(p);
    return wrong;
}

/* A send's large buffer is looked at once more when the operation is completed, and not here. One that goes
 * in parts has been written already. */
void prof_pending_issue(struct prof_op *op)
{
    for (struct prof_pending *p = op->pending; p && !op->early; p = p->next)
        if (p->use == PROF_USE_WRITE || p->before.kind == PROF_SNAPSHOT_COPIED)
            check(p, false);
}

/* Most often the rank is in the call that completes it: so it is looked at when that call ends, if it is
 * still pending then. */
void prof_pending_done(struct prof_op *op)
{
    if (!op->pending || op->arrived)
        return;
    op->arrived = true;
    op->next_arrived = prof_pending_arrived;
    op->previous_arrived = NULL;
    if (prof_pending_arrived)
        prof_pending_arrived->previous_arrived = op;
    prof_pending_arrived = op;
}

static void forget_arrived(struct prof_op *op)
{
    if (!op->arrived)
        return;
    op->arrived = false;
    if (op->next_arrived)
        op->next_arrived->previous_arrived = op->previous_arrived;
    if (op->previous_arrived)
        op->previous_arrived->next_arrived = op->next_arrived;
    else
        prof_pending_arrived = op->next_arrived;
}

void prof_pending_look(void)
{
    while (prof_pending_arrived) {
        struct prof_op *op = prof_pending_arrived;
        forget_arrived(op);
        for (struct prof_pending *p = op->pending; p; p = p->next)
            if (p->checked && p->use == PROF_USE_WRITE)
                prof_snapshot_take(&p->before, &p->region);
    }
}

void prof_pending_drop(struct prof_op *op)
{
    forget_arrived(op);
    while (op->pending) {
        struct prof_pending *p = op->pending;
        op->pending = p->next;
        end(p);
    }
}

void prof_pending_complete(struct prof_op *op)
{
    for (int i = 0; i < 2; i++)
        if (op->parts[i])
            prof_pending_complete(op->parts[i]);
    for (struct prof_pending *p = op->pending; p; p = p->next) {
        /* what arrived in this very call has been written by MPI */
        if (op->arrived && p->use == PROF_USE_WRITE)
            prof_watch_pending_tell(p);
        else
            check(p, true);
    }
    prof_pending_drop(op);
}

void prof_pending_end_partition(struct prof_op *op, int partition)
{
    for (struct prof_pending **at = &op->pending; *at; at = &(*at)->next)
        if ((*at)->partition == partition) {
            struct prof_pending *p = *at;
            if (op->arrived && p->use == PROF_USE_WRITE)
                prof_watch_pending_tell(p);
            else
                check(p, true);
            *at = p->next;
            end(p);
            return;
        }
}

/* ---- calls that are complete when they return ---- */

void prof_pending_meets(enum prof_use use, const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    struct prof_region r;
    if (!is_on() || !prof_region_init(&r, buf, count, datatype))
        return;
    is_wrong(&r, use);
    if (prof_memory_hooks.windows_any())
        prof_memory_hooks.window_begin(&r, use == PROF_USE_WRITE, 0);
    prof_region_finish(&r);
}

void prof_pending_meets_message(enum prof_op_kind kind, const struct prof_envelope *e)
{
    /* Most often there is nothing to compare with. */
    bool nothing = !trees[PROF_USE_READ] && !trees[PROF_USE_WRITE] && !prof_memory_hooks.windows_any() &&
                   (kind == PROF_OP_SEND || !e->type);
    if (!nothing && e->peer != MPI_PROC_NULL)
        prof_pending_meets(use_of(kind), e->buf, e->count, e->datatype);
}

void prof_pending_meets_collective(const struct prof_kept *kept)
{
    struct prof_region read, written;
    struct prof_run common;
    if (!is_on())
        return;
    prof_buffers_of(kept, &read, &written);
    is_wrong(&read, PROF_USE_READ);
    if (prof_region_meet(&read, &written, &common))
        prof_overlap_tell_alias(&read, &written, common);
    else
        is_wrong(&written, PROF_USE_WRITE);
    if (prof_memory_hooks.windows_any()) {
        prof_memory_hooks.window_begin(&read, false, 0);
        prof_memory_hooks.window_begin(&written, true, 0);
    }
    prof_region_finish(&read);
    prof_region_finish(&written);
}

/* ---- the state of the rank ---- */

bool prof_pending_hash_one(struct prof_hash *h, const struct prof_pending *p)
{
    const struct prof_region *r = &p->region;
    prof_hash_word(h, r->at);
    prof_hash_word(h, r->low);
    prof_hash_word(h, r->high);
    prof_hash_word(h, prof_region_size(r));
    prof_hash_word(h, p->posted.fn);
    prof_hash_pointer(h, p->posted.site);
    prof_hash_word(h, p->number);
    prof_hash_word(h, (uint64_t)(uint32_t)p->partition << 32 | p->use << 3 | p->checked << 2 |
                          p->in_window << 1 | (p->watched != NULL));
    prof_snapshot_hash(h, &p->before, r);
    return !prof_watch_pending_has_seen(p);
}

void prof_pending_hash(struct prof_hash *h)
{
    prof_hash_word(h, last_number);
    prof_hash_bytes(h, times, sizeof times);
    prof_watch_pending_hash(h);
}
