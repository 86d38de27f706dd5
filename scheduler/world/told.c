/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks tell beside their calls: see told.h. */
#include "told.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "ahead.h"
#include "base/alloc.h"
#include "check/collectives.h"
#include "check/deeds.h"
#include "isp/change.h"
#include "isp/functions.h"
#include "base/now.h"
#include "steps.h"

enum { STACK_MAX = 64 }; /* frames of a site */

struct sched_told *sched_told_add(struct sched_world *w, int rank, uint8_t type)
{
    w->told = sched_grow(w->told, w->n_told + 1, sizeof *w->told);
    struct sched_told *t = &w->told[w->n_told++];
    *t = (struct sched_told){
        .rank = rank, .type = type, .fn = w->in->ranks[rank].fn, .site = w->in->ranks[rank].site};
    return t;
}

uint32_t sched_told_site(const struct sched_rank *r, uint32_t site)
{
    return site < r->n_sites ? r->sites[site] : 0;
}

static void take_site(struct sched_world *w, struct sched_rank *r, struct isp_reader *in)
{
    uint32_t number = isp_get_u32(in), length;
    uint64_t offset = isp_get_u64(in);
    const char *module = isp_get_str(in, &length);
    uint32_t frames[STACK_MAX], callers = isp_get_u32(in), n_frames = 1;
    if (!in->ok || number > 1u << 24 || callers >= STACK_MAX) {
        in->ok = false;
        return;
    }
    frames[0] = sched_sites_intern(w->run->sites, module, length, offset);
    for (uint32_t i = 0; i < callers && in->ok; i++) {
        offset = isp_get_u64(in);
        module = isp_get_str(in, &length);
        uint32_t frame = in->ok ? sched_sites_intern(w->run->sites, module, length, offset) : 0;
        if (frame)
            frames[n_frames++] = frame;
    }
    if (!in->ok)
        return;
    if (number >= r->n_sites) {
        uint32_t n = number < 32 ? 64 : 2 * number;
        r->sites = sched_grow(r->sites, n, sizeof *r->sites);
        memset(r->sites + r->n_sites, 0, (n - r->n_sites) * sizeof *r->sites);
        r->n_sites = n;
    }
    r->sites[number] = sched_sites_intern_stack(w->run->sites, frames, n_frames);
}

uint32_t sched_told_type(const struct sched_rank *r, uint32_t type)
{
    if (type < ISP_TYPE_TOLD)
        return type < ISP_BASIC_END ? type : ISP_BASIC_NONE;
    return type - ISP_TYPE_TOLD < r->n_types ? r->types[type - ISP_TYPE_TOLD] : ISP_BASIC_NONE;
}

/* Ranks number their types in the order in which they tell them. */
static void take_type(struct sched_world *w, struct sched_rank *r, struct isp_reader *in)
{
    uint32_t number = isp_get_u32(in);
    if (number != r->n_types) {
        in->ok = false;
        return;
    }
    uint32_t type = sched_signatures_take(w->run->signatures, in);
    SCHED_GROW(r->types, r->n_types);
    r->types[r->n_types++] = type;
}

void sched_told_stop(struct sched_world *w, int rank)
{
    sched_world_feed(w, rank);
    poe_stop(w->run->poe, rank);
    w->in->ranks[rank].stopped = true;
    w->in->ranks[rank].quiet = w->in->ranks[rank].idle = false;
    w->in->ranks[rank].waiting = 0;
    w->in->doomed_s = sched_now_s() + SCHED_DYING_S;
    w->in->stopped = true;
}

/* The rank is about to die, and waits for leave: so the launcher does not end the others yet. They go on
 * as far as they can, since they may show alternatives to decisions that were made. Before MPI_Init
 * no rank waits for leave, and there is nothing to explore. */
static void rank_dies(struct sched_world *w, int rank)
{
    if (w->in->ranks[rank].peer->size < 0)
        sched_world_end(w, SCHED_END_DIED);
    else
        sched_told_stop(w, rank);
}

static char *copy_text(const char *text, uint32_t n) { return sched_must(strndup(text ? text : "", n)); }

static void take_more(const struct sched_rank *r, struct sched_told *t, struct isp_reader *in)
{
    uint32_t n = isp_get_u32(in);
    for (uint32_t i = 0; i < n && in->ok; i++) {
        uint16_t fn = isp_get_u16(in);
        uint32_t site = isp_get_u32(in);
        t->more = sched_grow(t->more, (size_t)i + 1, sizeof *t->more);
        t->more[t->n_more++] = (struct sched_site_ref){t->rank, fn, sched_told_site(r, site)};
    }
}

/* A loop may tell the same finding a million times; what its text says then differs by numbers at most. */
struct sched_alike {
    struct alike_key {
        int32_t rank, rule;
        uint32_t fn, site;
        uint64_t more; /* a hash of its other places */
    } key;
    UT_hash_handle hh;
};

/* True: the rank has told another one like that, which can stand for it. Counted are handles; and a second
 * run looks for what is told of one buffer (explore/locate.h). */
static bool is_again(struct sched_world *w, const struct sched_told *t)
{
    struct alike_key key = {t->rank, (int32_t)t->rule, t->fn, t->site, 0};
    for (uint32_t i = 0; i < t->n_more; i++)
        key.more = (key.more ^ t->more[i].fn ^ (uint64_t)t->more[i].site << 16) * 0x9e3779b97f4a7c15u;
    struct sched_alike *alike;
    HASH_FIND(hh, w->in->alike, &key, sizeof key, alike);
    if (alike)
        return !sched_rule_is_leak(t->rule) && (!t->buffer || t->buffer != w->run->watch.buffer);
    alike = sched_alloc(1, sizeof *alike);
    alike->key = key;
    HASH_ADD(hh, w->in->alike, key, sizeof key, alike);
    return false;
}

unsigned sched_told_count_alike(const struct sched_world *w) { return HASH_COUNT(w->in->alike); }

void sched_told_forget(struct sched_world *w, size_t n_told, unsigned n_alike)
{
    while (HASH_COUNT(w->in->alike) > n_alike) { /* the table keeps the order in which its entries came */
        struct sched_alike *last = ELMT_FROM_HH(w->in->alike->hh.tbl, w->in->alike->hh.tbl->tail);
        HASH_DEL(w->in->alike, last);
        free(last);
    }
    while (w->n_told > n_told)
        sched_told_drop(&w->told[--w->n_told]);
}

void sched_told_drop(struct sched_told *t)
{
    free(t->text);
    free(t->story);
    free(t->change);
    free(t->more);
    free(t->frames);
}

static void *copy(const void *data, size_t n, size_t size)
{
    return data ? memcpy(sched_alloc(n, size), data, n * size) : NULL;
}

struct sched_told sched_told_copy(const struct sched_told *t)
{
    struct sched_told c = *t;
    c.text = t->text ? sched_strdup(t->text) : NULL;
    c.story = t->story ? sched_strdup(t->story) : NULL;
    c.change = copy(t->change, t->change_bytes, 1);
    c.more = copy(t->more, t->n_more, sizeof *t->more);
    c.frames = copy(t->frames, t->n_frames, sizeof *t->frames);
    return c;
}

void sched_told_finish(struct sched_world *w)
{
    sched_told_forget(w, 0, 0);
    free(w->told);
}

/* It is read again when it is put into words. */
static void take_change(struct sched_told *t, struct isp_reader *in)
{
    struct isp_change change;
    if (!isp_get_u8(in))
        return;
    const uint8_t *from = in->at;
    isp_get_change(in, &change);
    if (!in->ok)
        return;
    t->change_bytes = (size_t)(in->at - from);
    t->change = sched_copy(from, t->change_bytes);
}

static void take_finding(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_rank *r = &w->in->ranks[rank];
    uint32_t rule = isp_get_u16(in), fn = isp_get_u16(in), site = isp_get_u32(in), count = isp_get_u32(in),
             n_text, n_story;
    uint8_t death = isp_get_u8(in);
    const char *text = isp_get_str(in, &n_text), *story = isp_get_str(in, &n_story);
    uint64_t buffer = isp_get_u64(in), buffer_at = isp_get_u64(in);
    if (!in->ok || rule >= ISP_RULE_COUNT || fn >= ISP_FN_COUNT) {
        in->ok = false;
        return;
    }
    struct sched_told *t = sched_told_add(w, rank, ISP_MSG_FINDING);
    t->rule = (enum isp_rule)rule;
    t->fn = (uint16_t)fn;
    t->site = sched_told_site(r, site);
    t->count = count;
    t->buffer = buffer;
    t->buffer_at = buffer_at;
    take_more(r, t, in);
    take_change(t, in);
    if (death == ISP_LIVES && is_again(w, t)) {
        free(t->more);
        free(t->change);
        w->n_told--;
        return;
    }
    t->text = copy_text(text, n_text);
    t->story = copy_text(story, n_story);
    if (rule == ISP_RULE_UNSUPPORTED)
        sched_world_end(w, SCHED_END_UNSUPPORTED);
    r->able = death == ISP_DIES_ABLE;
    if (death != ISP_LIVES)
        rank_dies(w, rank);
}

static void take_overwritten(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_overwritten o = {
        .rank = rank, .handle = sched_ahead_handle(w, rank, isp_get_u32(in)), .fn = isp_get_u16(in)};
    o.site = sched_told_site(&w->in->ranks[rank], isp_get_u32(in));
    if (!in->ok)
        return;
    w->run->overwritten = sched_grow(w->run->overwritten, w->run->n_overwritten + 1, sizeof o);
    w->run->overwritten[w->run->n_overwritten++] = o;
}

static struct sched_site_ref take_place(struct sched_world *w, int rank, struct isp_reader *in)
{
    uint16_t fn = isp_get_u16(in);
    return (struct sched_site_ref){rank, fn, sched_told_site(&w->in->ranks[rank], isp_get_u32(in))};
}

static void take_started(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_site_ref made = take_place(w, rank, in);
    int32_t comm = sched_ahead_comm(w, rank, isp_get_i32(in));
    struct sched_made request = {rank, made.fn, made.site, comm, isp_get_i32(in), isp_get_i32(in)};
    if (!in->ok || made.fn >= ISP_FN_COUNT)
        return;
    struct sched_told *t = sched_told_add(w, rank, ISP_MSG_STARTED);
    t->fn = made.fn;
    t->site = made.site;
    sched_deeds_started(&w->run->deeds, w->n, &request);
}

static void take_unstarted(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_site_ref at = take_place(w, rank, in), made = take_place(w, rank, in);
    bool explained = isp_get_u8(in);
    if (!in->ok || made.fn >= ISP_FN_COUNT)
        return;
    struct sched_made request = {rank, made.fn, made.site, ISP_NO_COMM, ISP_NO_RANK, ISP_ANY_TAG};
    sched_deeds_unstarted(&w->run->deeds, w->n, &request);
    if (explained)
        return;
    struct sched_told *t = sched_told_add(w, rank, ISP_MSG_UNSTARTED);
    t->fn = at.fn;
    t->site = at.site;
    t->more = sched_copy(&made, sizeof made);
    t->n_more = 1;
}

static void take_nobody(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_deed deed = {.rank = rank, .op = isp_get_u8(in), .fn = isp_get_u16(in)};
    deed.site = sched_told_site(&w->in->ranks[rank], isp_get_u32(in));
    deed.comm = sched_ahead_comm(w, rank, isp_get_i32(in));
    deed.tag = isp_get_i32(in);
    if (!in->ok || deed.fn >= ISP_FN_COUNT || (deed.op != ISP_OP_SEND && deed.op != ISP_OP_RECV)) {
        in->ok = false;
        return;
    }
    sched_steps_hear_nobody(w, rank, &deed);
    sched_deeds_nobody(&w->run->deeds, w->n, deed);
}

static void take_crash(struct sched_world *w, int rank, struct isp_reader *in)
{
    int32_t signal = isp_get_i32(in);
    uint32_t n = isp_get_u32(in), n_what, frames[256], kept = 0;
    for (uint32_t i = 0; i < n && in->ok; i++) {
        uint64_t offset = isp_get_u64(in);
        uint32_t length;
        const char *module = isp_get_str(in, &length);
        if (in->ok && kept < 256)
            frames[kept++] = sched_sites_intern(w->run->sites, module, length, offset);
    }
    const char *what = isp_get_str(in, &n_what);
    if (!in->ok)
        return;
    struct sched_told *t = sched_told_add(w, rank, ISP_MSG_CRASH);
    t->code = signal;
    t->text = copy_text(what, n_what);
    t->n_frames = kept;
    t->frames = sched_alloc(kept, sizeof *frames);
    memcpy(t->frames, frames, kept * sizeof *frames);
    rank_dies(w, rank);
}

static void take_abort(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_told *t = sched_told_add(w, rank, ISP_MSG_ABORT);
    t->code = isp_get_i32(in);
    t->site = sched_told_site(&w->in->ranks[rank], isp_get_u32(in));
    t->fn = ISP_FN_MPI_Abort;
    rank_dies(w, rank);
}

static void take_exit(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_told *t = sched_told_add(w, rank, ISP_MSG_EXIT);
    t->code = isp_get_i32(in);
    t->finalized = isp_get_u8(in);
    w->in->ranks[rank].exited = true;
    if (!t->finalized)
        sched_told_stop(w, rank);
}

/* What can be told of two accesses in either order: poe/visit.h. */
static enum poe_use use_of(const struct isp_access *a)
{
    const char *op = a->op ? sched_redop_name(a->op) : NULL;
    switch (a->kind) {
    case ISP_ACCESS_GET:
    case ISP_ACCESS_GIVE:
    case ISP_ACCESS_LOAD: return POE_READS;
    case ISP_ACCESS_ACCUMULATE:
        return a->no_op ? POE_READS : op && strcmp(op, "MPI_REPLACE") == 0 ? POE_WRITES : POE_UPDATES;
    case ISP_ACCESS_FETCH: return a->no_op ? POE_READS : POE_FETCHES;
    case ISP_ACCESS_SWAP: return POE_FETCHES;
    default: return POE_WRITES;
    }
}

static void tell_poe(struct poe *poe, int rank, const struct isp_access *a)
{
    switch (a->kind) {
    case ISP_ACCESS_FLUSH:
    case ISP_ACCESS_FLUSH_LOCAL:
    case ISP_ACCESS_DONE: return;
    case ISP_ACCESS_THREADS: poe_access_unknown(poe, rank); return;
    case ISP_ACCESS_UNCHANGED: poe_unchanged(poe, rank, 0); return;
    case ISP_ACCESS_UNSEEN: poe_access(poe, rank, 0, a->window, rank, POE_READS, 0, 0, 0, UINT64_MAX); return;
    default: break;
    }
    for (uint32_t i = 0; i < a->n; i++)
        poe_access(poe, rank, 0, a->window, a->target, use_of(a), a->op, a->target_type, a->runs[i].at,
                   a->runs[i].length);
}

static void take_access(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct isp_access access;
    const struct sched_rank *r = &w->in->ranks[rank];
    if (!isp_get_access(in, &access, w->in->runs))
        return;
    access.window = sched_ahead_comm(w, rank, access.window);
    access.site = sched_told_site(r, access.site);
    access.type = sched_told_type(r, access.type);
    access.target_type = sched_told_type(r, access.target_type);
    sched_rma_access(w->rma, w->run, rank, &access);
    tell_poe(w->run->poe, rank, &access);
    sched_tell_access(w->run, rank, &access);
}

void sched_told_take(struct sched_world *w, int rank, uint8_t type, struct isp_reader *in)
{
    switch (type) {
    case ISP_MSG_TYPE: take_type(w, &w->in->ranks[rank], in); break;
    case ISP_MSG_SITE: take_site(w, &w->in->ranks[rank], in); break;
    case ISP_MSG_FINDING: take_finding(w, rank, in); break;
    case ISP_MSG_OVERWRITTEN: take_overwritten(w, rank, in); break;
    case ISP_MSG_STARTED: take_started(w, rank, in); break;
    case ISP_MSG_UNSTARTED: take_unstarted(w, rank, in); break;
    case ISP_MSG_NOBODY: take_nobody(w, rank, in); break;
    case ISP_MSG_CRASH: take_crash(w, rank, in); break;
    case ISP_MSG_ABORT: take_abort(w, rank, in); break;
    case ISP_MSG_EXIT: take_exit(w, rank, in); break;
    case ISP_MSG_ACCESS: take_access(w, rank, in); break;
    default: in->ok = false;
    }
}
