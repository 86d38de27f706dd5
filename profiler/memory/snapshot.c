/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See snapshot.h. Reading must not crash: so larger regions are looked up in the process's map first, at the
 * cost of a system call; of small ones, for which that would be much, a fault is caught.
 */
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/alloc.h"
#include "base/fault.h"
#include "base/hash.h"

static bool is_small(const struct prof_region *r) { return prof_region_size(r) <= PROF_SNAPSHOT_SMALL; }

static unsigned char *bytes_of(struct prof_snapshot *s, const struct prof_region *r)
{
    return is_small(r) ? s->as.few : s->as.copy;
}

static bool copy_run(void *context, struct prof_run run)
{
    unsigned char **to = context;
    memcpy(*to, (const void *)run.at, run.length);
    *to += run.length;
    return true;
}

static bool hash_run(void *context, struct prof_run run)
{
    XXH3_64bits_update(context, (const void *)run.at, run.length);
    return true;
}

static uint64_t hash(const struct prof_region *r)
{
    if (r->shape.kind == PROF_SHAPE_RUN)
        return XXH3_64bits((const void *)r->low, r->high - r->low);
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    prof_region_runs(r, hash_run, &state);
    return XXH3_64bits_digest(&state);
}

static void copy(struct prof_snapshot *s, const struct prof_region *r)
{
    if (s->kind == PROF_SNAPSHOT_NONE && !is_small(r))
        s->as.copy = prof_alloc(prof_region_size(r), 1);
    unsigned char *to = bytes_of(s, r);
    s->kind = PROF_SNAPSHOT_COPIED;
    if (r->shape.kind == PROF_SHAPE_RUN)
        memcpy(to, (const void *)r->low, r->high - r->low);
    else
        prof_region_runs(r, copy_run, &to);
}

void prof_snapshot_take(struct prof_snapshot *s, const struct prof_region *r)
{
    if (prof_region_size(r) == 0 || r->shape.runs > PROF_SNAPSHOT_RUNS)
        return;
    if (!prof_region_is_there(r)) {
        prof_snapshot_finish(s, r);
        return;
    }
    if (s->whole || prof_region_size(r) <= PROF_SNAPSHOT_COPY) {
        copy(s, r);
        return;
    }
    s->as.hash = hash(r);
    s->kind = PROF_SNAPSHOT_HASHED;
}

void prof_snapshot_finish(struct prof_snapshot *s, const struct prof_region *r)
{
    if (s->kind == PROF_SNAPSHOT_COPIED && !is_small(r))
        free(s->as.copy);
    s->kind = PROF_SNAPSHOT_NONE;
}

/* ---- what is different ---- */

struct comparison {
    const unsigned char *was;
    struct prof_change *change;
};

static void widen(struct prof_change *c, uintptr_t at)
{
    if (c->run.length == 0)
        c->run.at = at;
    c->run.length = at + 1 - c->run.at;
}

static bool compare_run(void *context, struct prof_run run)
{
    struct comparison *c = context;
    const unsigned char *is = (const unsigned char *)run.at;
    if (memcmp(is, c->was, run.length) != 0)
        for (size_t i = 0; i < run.length; i++)
            if (is[i] != c->was[i])
                widen(c->change, run.at + i);
    c->was += run.length;
    return true;
}

static bool is_different(const struct prof_snapshot *s, const struct prof_region *r,
                         struct prof_change *change)
{
    if (s->kind == PROF_SNAPSHOT_HASHED)
        return hash(r) != s->as.hash;
    struct comparison c = {bytes_of((struct prof_snapshot *)(uintptr_t)s, r), change};
    if (r->shape.kind == PROF_SHAPE_RUN)
        return memcmp(c.was, (const void *)r->low, r->high - r->low) != 0 &&
               compare_run(&c, (struct prof_run){r->low, r->high - r->low});
    prof_region_runs(r, compare_run, &c);
    return change->run.length > 0;
}

bool prof_snapshot_differs(const struct prof_snapshot *s, const struct prof_region *r,
                           struct prof_change *change)
{
    *change = (struct prof_change){.gone = false};
    if (s->kind == PROF_SNAPSHOT_NONE)
        return false;
    if (!prof_region_is_there(r) || PROF_FAULTS()) {
        /* else it may have been a hole that went */
        *change = (struct prof_change){.gone = r->shape.kind == PROF_SHAPE_RUN};
        return change->gone;
    }
    bool different = is_different(s, r, change);
    prof_faults_over();
    return different;
}

struct old {
    struct prof_run wanted;
    const unsigned char *was; /* of the run that comes next */
    unsigned char *to;
    bool found;
};

static bool look_in_run(void *context, struct prof_run run)
{
    struct old *o = context;
    if (o->wanted.at >= run.at && o->wanted.at + o->wanted.length <= run.at + run.length) {
        memcpy(o->to, o->was + (o->wanted.at - run.at), o->wanted.length);
        o->found = true;
    }
    o->was += run.length;
    return !o->found;
}

bool prof_snapshot_old(const struct prof_snapshot *s, const struct prof_region *r, struct prof_run bytes,
                       unsigned char *was)
{
    if (s->kind != PROF_SNAPSHOT_COPIED)
        return false;
    struct old o = {bytes, bytes_of((struct prof_snapshot *)(uintptr_t)s, r), was, false};
    prof_region_runs(r, look_in_run, &o);
    return o.found;
}

struct count {
    const unsigned char *was;
    size_t size;
    uint64_t n;
};

static bool count_run(void *context, struct prof_run run)
{
    struct count *c = context;
    for (size_t i = 0; i < run.length; i += c->size) {
        size_t n = run.length - i < c->size ? run.length - i : c->size;
        c->n += memcmp((const char *)run.at + i, c->was + i, n) != 0;
    }
    c->was += run.length;
    return true;
}

uint64_t prof_snapshot_count(const struct prof_snapshot *s, const struct prof_region *r, size_t size)
{
    if (s->kind != PROF_SNAPSHOT_COPIED || !prof_region_is_there(r))
        return 0;
    struct count c = {bytes_of((struct prof_snapshot *)(uintptr_t)s, r), size, 0};
    prof_region_runs(r, count_run, &c);
    return c.n;
}

void prof_snapshot_hash(struct prof_hash *h, const struct prof_snapshot *s, const struct prof_region *r)
{
    prof_hash_word(h, s->kind);
    if (s->kind == PROF_SNAPSHOT_HASHED)
        prof_hash_word(h, s->as.hash);
    if (s->kind == PROF_SNAPSHOT_COPIED)
        prof_hash_bytes(h, is_small(r) ? s->as.few : s->as.copy, prof_region_size(r));
}
