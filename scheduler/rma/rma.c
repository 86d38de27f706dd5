/* SPDX-License-Identifier: BSD-3-Clause */
/* See rma.h. For each target the accesses are kept that may still be in conflict with one to come. */
#include "rma.h"

#include "accesses.h"
#include "base/alloc.h"
#include "causes.h"
#include "check/types.h"
#include "words/words.h"
#include "clocks.h"
#include "conflicts.h"
#include "isp/functions.h"
#include "promises.h"

enum { PRUNE = 256, MOST = 100000 /* accesses per target; older ones are forgotten */ };

struct target {
    struct sched_rma_access **all;
    size_t n, room, prune_at;
};

struct origin {
    struct sched_rma_known *known; /* what it knows, as of its clock's `version` */
    uint32_t version;
    struct sched_rma_access *last; /* told by it, for the request that follows */
};

struct sched_rma {
    int n;
    bool on, off; /* a window was made; nothing can be said */
    bool unexplored, untold;
    bool shares;
    struct isp_access untold_first;                        /* by a rank with several threads */
    struct isp_access unexplored_first, unexplored_second; /* without their runs */
    struct sched_clocks *clocks;
    struct sched_causes *causes;
    struct sched_conflicts *conflicts;
    struct target *targets;
    struct origin *origins;
    struct sched_rma_promises promises;
    const struct poe *poe; /* of the last match set: who belongs to a window */
};

struct sched_rma *sched_rma_create(int ranks, bool buffered)
{
    struct sched_rma *r = sched_alloc(1, sizeof *r);
    *r = (struct sched_rma){.n = ranks,
                            .clocks = sched_clocks_create(ranks, buffered),
                            .causes = sched_causes_create(ranks),
                            .conflicts = sched_conflicts_create(ranks)};
    r->targets = sched_alloc((size_t)ranks, sizeof *r->targets);
    r->origins = sched_alloc((size_t)ranks, sizeof *r->origins);
    return r;
}

void sched_rma_destroy(struct sched_rma *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->n; i++) {
        for (size_t k = 0; k < r->targets[i].n; k++)
            sched_rma_access_destroy(r->targets[i].all[k]);
        free(r->targets[i].all);
        sched_rma_known_drop(r->origins[i].known);
    }
    free(r->targets);
    free(r->origins);
    sched_rma_promises_finish(&r->promises);
    sched_clocks_destroy(r->clocks);
    sched_causes_destroy(r->causes);
    sched_conflicts_destroy(r->conflicts);
    free(r);
}

/* ---- ends ---- */

enum which { ALL, IN_FENCES, IN_STARTS, READS };

static bool is_meant(const struct sched_rma_access *a, int rank, int window, enum which which)
{
    const struct isp_access *w = &a->what;
    if (a->rank != rank || w->window != window || a->state != SCHED_RMA_PENDING || sched_rma_is_buffer(w))
        return false;
    switch (which) {
    case IN_FENCES: return w->epoch == ISP_EPOCH_FENCE;
    case IN_STARTS: return w->epoch == ISP_EPOCH_START;
    case READS: return w->kind == ISP_ACCESS_GET || w->kind == ISP_ACCESS_FETCH || w->kind == ISP_ACCESS_SWAP;
    default: return true;
    }
}

static void end(struct sched_rma_access *a, int rank, uint32_t time)
{
    a->state = SCHED_RMA_ENDED;
    a->end_rank = rank;
    a->end_time = time;
}

/* The pending accesses of a rank to a target (or all: ISP_ANY_SOURCE) end now. */
static void end_all(struct sched_rma *r, int rank, int target, int window, enum which which)
{
    uint32_t now = sched_clocks_of(r->clocks, rank)[rank];
    for (int i = target < 0 ? 0 : target; i < (target < 0 ? r->n : target + 1); i++)
        for (size_t k = 0; k < r->targets[i].n; k++)
            if (is_meant(r->targets[i].all[k], rank, window, which))
                end(r->targets[i].all[k], rank, now);
}

/* Buffers of the rank's own calls. */
static void end_buffer(struct sched_rma *r, int rank, uint64_t number)
{
    uint32_t now = sched_clocks_of(r->clocks, rank)[rank];
    for (size_t k = 0; k < r->targets[rank].n; k++) {
        struct sched_rma_access *a = r->targets[rank].all[k];
        if (a->state == SCHED_RMA_PENDING && sched_rma_is_buffer(&a->what) && a->what.buffer == number)
            end(a, rank, now);
    }
}

/* MPI_Win_complete ends them at the origin only. */
static void complete_all(struct sched_rma *r, int rank, int target, int window)
{
    for (size_t k = 0; k < r->targets[target].n; k++)
        if (is_meant(r->targets[target].all[k], rank, window, IN_STARTS))
            r->targets[target].all[k]->state = SCHED_RMA_COMPLETED;
}

static void on_wait_over(void *context, int origin, int target, int window)
{
    struct sched_rma *r = context;
    uint32_t now = sched_clocks_of(r->clocks, target)[target];
    for (size_t k = 0; k < r->targets[target].n; k++) {
        struct sched_rma_access *a = r->targets[target].all[k];
        if (a->rank == origin && a->what.window == window && a->state == SCHED_RMA_COMPLETED)
            end(a, target, now);
    }
}

/* What a request brings is there; what it puts may still be under way. */
static void on_request_over(void *context, int rank, uint32_t handle)
{
    struct sched_rma *r = context;
    uint32_t now = sched_clocks_of(r->clocks, rank)[rank];
    for (int i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->targets[i].n; k++) {
            struct sched_rma_access *a = r->targets[i].all[k];
            if (a->rank != rank || !a->has_handle || a->handle != handle)
                continue;
            a->has_handle = false;
            if (is_meant(a, rank, a->what.window, READS))
                end(a, rank, now);
        }
}

/* ---- records ---- */

static bool makes_window(const struct isp_call *call)
{
    switch (isp_fn_base((enum isp_fn)call->fn)) {
    case ISP_FN_MPI_Win_create:
    case ISP_FN_MPI_Win_allocate:
    case ISP_FN_MPI_Win_allocate_shared:
    case ISP_FN_MPI_Win_create_dynamic: return true;
    default: return false;
    }
}

static bool is_window_call(const struct isp_call *call)
{
    return isp_fn_scope((enum isp_fn)call->fn) == ISP_SCOPE_WINDOW;
}

static void hear_call(void *self, struct sched_run *run, int rank, const struct isp_call *call)
{
    struct sched_rma *r = self;
    r->on = r->on || makes_window(call);
    if (!r->on || r->off)
        return;
    /* the turn of the access that was told just before: a part of it */
    if (call->op == ISP_OP_LOCK && call->mode == ISP_LOCK_ATOMIC)
        return;
    r->off = call->thread || call->others;
    sched_clocks_tick(r->clocks, rank);
    if (is_window_call(call)) {
        bool over = call->op == ISP_OP_COLLECTIVE && call->mode == ISP_MAKE_FREE;
        if (call->op == ISP_OP_COLLECTIVE && (over || call->fn == ISP_FN_MPI_Win_fence))
            end_all(r, rank, ISP_ANY_SOURCE, call->comm, over ? ALL : IN_FENCES);
        else if (call->op == ISP_OP_UNLOCK)
            end_all(r, rank, call->peer, call->comm, ALL);
        else if (call->op == ISP_OP_SEND && (call->flags & ISP_F_SIGNAL) &&
                 call->fn == ISP_FN_MPI_Win_complete && call->peer >= 0 && call->peer < r->n)
            complete_all(r, rank, call->peer, call->comm);
        else if (call->op == ISP_OP_SEND && !(call->flags & ISP_F_SIGNAL) && r->origins[rank].last) {
            r->origins[rank].last->has_handle = true;
            r->origins[rank].last->handle = call->handle;
        }
    }
    r->origins[rank].last = NULL;
    sched_clocks_record(r->clocks, rank, call);
}

bool sched_rma_is_on(const struct sched_rma *r) { return r->on; }

bool sched_rma_shares(const struct sched_rma *r) { return r->shares; }

static bool hear_fired(void *self, struct sched_run *run, const struct poe_fired *fired)
{
    struct sched_rma *r = self;
    r->shares |= fired->members[0]->call.fn == ISP_FN_MPI_Win_allocate_shared && fired->n_members > 1;
    if (!r->on || r->off)
        return true;
    r->poe = run->poe;
    struct sched_clocks_watcher watcher = {on_wait_over, on_request_over, r};
    sched_clocks_fired(r->clocks, run->poe, fired, &watcher);
    if (fired->members[0]->call.fn == ISP_FN_MPI_Win_fence)
        sched_rma_promises_fence(&r->promises, fired);
    return true;
}

const struct sched_listener sched_rma_listener = {.call = hear_call, .fired = hear_fired};

/* ---- accesses ---- */

static bool knows_end(const struct sched_rma *r, int rank, const struct sched_rma_access *a)
{
    return a->state == SCHED_RMA_ENDED && sched_clocks_of(r->clocks, rank)[a->end_rank] >= a->end_time;
}

/* Every member of the window knows that it has ended: nothing to come can be in conflict with it. */
static bool is_past(const struct sched_rma *r, const struct sched_rma_access *a)
{
    const int *members;
    unsigned n = r->poe ? poe_comm_members(r->poe, a->what.window, &members) : 0;
    for (unsigned i = 0; i < n; i++)
        if (!knows_end(r, members[i], a))
            return false;
    return n > 0 || a->state == SCHED_RMA_ENDED; /* 0: the window is gone, and all members have freed it */
}

static void forget_last(struct sched_rma *r, const struct sched_rma_access *a)
{
    if (r->origins[a->rank].last == a)
        r->origins[a->rank].last = NULL;
}

static void prune(struct sched_rma *r, struct target *t)
{
    size_t kept = 0, skip = t->n > MOST ? t->n / 2 : 0;
    for (size_t i = 0; i < t->n; i++) {
        struct sched_rma_access *a = t->all[i];
        if (i < skip || is_past(r, a)) {
            forget_last(r, a);
            sched_rma_access_destroy(a);
        } else {
            t->all[kept++] = a;
        }
    }
    t->n = kept;
    t->prune_at = kept + (kept > PRUNE ? kept : PRUNE);
}

static struct sched_rma_known *known_now(struct sched_rma *r, int rank)
{
    struct origin *o = &r->origins[rank];
    uint32_t version = sched_clocks_version(r->clocks, rank);
    if (!o->known || o->version != version) {
        sched_rma_known_drop(o->known);
        o->known = sched_alloc(1, sizeof *o->known + (size_t)r->n * sizeof *o->known->at);
        memcpy(o->known->at, sched_clocks_of(r->clocks, rank), (size_t)r->n * sizeof *o->known->at);
        o->known->users = 1;
        o->version = version;
    }
    o->known->users++;
    return o->known;
}

static struct sched_rma_access *make(struct sched_rma *r, int rank, const struct isp_access *what)
{
    struct sched_rma_access *a = sched_alloc(1, sizeof *a);
    a->rank = rank;
    a->what = *what;
    a->what.runs = NULL;
    a->n_runs = a->runs_room = what->n;
    a->runs = sched_alloc(what->n, sizeof *a->runs);
    memcpy(a->runs, what->runs, what->n * sizeof *a->runs);
    a->low = a->runs[0].at;
    for (uint32_t i = 0; i < a->n_runs; i++)
        a->high = a->runs[i].at + a->runs[i].length > a->high ? a->runs[i].at + a->runs[i].length : a->high;
    a->begin = sched_clocks_of(r->clocks, rank)[rank];
    a->known = known_now(r, rank);
    a->version = sched_clocks_version(r->clocks, rank);
    return a;
}

/* A load is known to be of some of its bytes, not of which. */
static bool is_certain(const struct sched_rma_access *a, const struct sched_rma_access *b,
                       struct isp_access_run common)
{
    bool load_a = a->what.kind == ISP_ACCESS_LOAD, load_b = b->what.kind == ISP_ACCESS_LOAD;
    return !(load_a && common.length < a->high - a->low) && !(load_b && common.length < b->high - b->low);
}

static bool fetches(const struct isp_access *a)
{
    return a->kind == ISP_ACCESS_FETCH || a->kind == ISP_ACCESS_SWAP;
}

/* As profiler/windows/turns.c has it. */
static bool has_turn(const struct sched_rma_access *a)
{
    return a->what.epoch == ISP_EPOCH_SHARED && (fetches(&a->what) || a->high - a->low <= 32);
}

/* Which came first can be told, and was left to time. Under exclusive locks it was not. */
static bool is_unexplored(const struct sched_rma_access *a, const struct sched_rma_access *b)
{
    bool atomic = sched_rma_is_atomic(&a->what) && sched_rma_is_atomic(&b->what);
    bool locked = a->what.epoch == ISP_EPOCH_EXCLUSIVE || b->what.epoch == ISP_EPOCH_EXCLUSIVE;
    return a->rank != b->rank && atomic && !locked && (fetches(&a->what) || fetches(&b->what)) &&
           (sched_rma_writes(&a->what) || sched_rma_writes(&b->what)) && !(has_turn(a) && has_turn(b));
}

static void see_unexplored(struct sched_rma *r, const struct sched_rma_access *a,
                           const struct sched_rma_access *b)
{
    bool ascending = a->rank < b->rank;
    r->unexplored = true;
    r->unexplored_first = ascending ? a->what : b->what;
    r->unexplored_second = ascending ? b->what : a->what;
}

/* Of several ranks that of the lowest site is told: which comes first is not known. */
static void see_untold(struct sched_rma *r, const struct isp_access *a)
{
    if (!a->fn || (r->untold && r->untold_first.site <= a->site))
        return;
    r->untold = true;
    r->untold_first = *a;
}

static char *untold_words(const struct sched_rma *r, const struct sched_run *run)
{
    char *place = sched_words_place(run, r->untold_first.site);
    char *why = sched_format("accesses to windows by ranks with several threads are neither compared nor put "
                             "in every order: %s at %s",
                             isp_fn_name((enum isp_fn)r->untold_first.fn), place);
    free(place);
    return why;
}

char *sched_rma_unexplored(const struct sched_rma *r, const struct sched_run *run)
{
    if (r && r->untold)
        return untold_words(r, run);
    if (!r || !r->unexplored)
        return NULL;
    const struct isp_access *a = &r->unexplored_first, *b = &r->unexplored_second;
    char *first = sched_words_place(run, a->site), *second = sched_words_place(run, b->site);
    char *why =
        sched_format("one order of two accesses to a window was run, not every one: %s at %s and %s at %s",
                     isp_fn_name((enum isp_fn)a->fn), first, isp_fn_name((enum isp_fn)b->fn), second);
    free(first);
    free(second);
    return why;
}

/* Compares it with those that are there. Returns the one that stands for it, or NULL. */
static struct sched_rma_access *compare(struct sched_rma *r, struct target *t,
                                        const struct sched_rma_access *new)
{
    struct sched_rma_access *again = NULL;
    for (size_t i = 0; i < t->n; i++) {
        struct sched_rma_access *old = t->all[i];
        struct isp_access_run common = {0};
        if (sched_rma_mix(old, new) && !knows_end(r, new->rank, old))
            sched_conflicts_add(r->conflicts, old, new, common);
        if (old->low >= new->high || new->low >= old->high)
            continue;
        if (!again && sched_rma_is_again(old, new))
            again = old;
        if (!r->unexplored && is_unexplored(old, new) && !knows_end(r, new->rank, old) &&
            sched_rma_meet(old, new, &common))
            see_unexplored(r, old, new);
        if (sched_rma_needs_order(old, new) && !knows_end(r, new->rank, old) &&
            sched_rma_meet(old, new, &common) && is_certain(old, new, common))
            sched_conflicts_add(r->conflicts, old, new, common);
    }
    if (again) {
        again->state = new->state;
        again->end_time = new->end_time;
        again->what.buffer = new->what.buffer;
    }
    return again;
}

static void add(struct sched_rma *r, int rank, const struct isp_access *what)
{
    struct target *t = &r->targets[what->target];
    struct sched_rma_access *a = make(r, rank, what);
    if (sched_rma_is_local(what)) /* it is over; what the rank tells next, tells that */
        end(a, rank, sched_clocks_tick(r->clocks, rank));
    sched_causes_note(r->causes, a);
    struct sched_rma_access *last = t->n ? t->all[t->n - 1] : NULL;
    struct sched_rma_access *other = compare(r, t, a);
    if (!other && last && sched_rma_merge(last, a))
        other = last;
    if (other) {
        r->origins[rank].last = other;
        sched_rma_access_destroy(a);
        return;
    }
    if (t->n >= t->prune_at)
        prune(r, t);
    if (t->n == t->room) {
        t->room = 2 * t->room + 16;
        t->all = sched_grow(t->all, t->room, sizeof(struct sched_rma_access *));
    }
    t->all[t->n++] = a;
    r->origins[rank].last = a;
}

/* ---- datatypes ---- */

/* The data must have one signature at both ends, and fit where it goes (MPI-4.0, sections 12.3.1 and 12.3.2),
 * as in a message. */
static void check_types(struct sched_run *run, int rank, const struct isp_access *a)
{
    bool takes = a->kind == ISP_ACCESS_GET || a->kind == ISP_ACCESS_FETCH;
    struct sched_items mine = {a->type, a->count}, theirs = {a->target_type, a->target_count};
    if (a->kind > ISP_ACCESS_FETCH)
        return;
    uint64_t here_bytes = sched_signature_bytes(run->signatures, mine.type, mine.count);
    uint64_t there_bytes = sched_signature_bytes(run->signatures, theirs.type, theirs.count);
    bool match = sched_items_match(run, mine, theirs), known = here_bytes && there_bytes;
    if (match && !(known && (takes ? there_bytes > here_bytes : here_bytes > there_bytes)))
        return;
    enum isp_rule rule = match ? ISP_RULE_TRUNCATION : ISP_RULE_TYPE_MISMATCH;
    struct sched_draft *d = sched_draft_create(run, rule);
    const char *here = sched_draft_own(d, sched_signature_words(run->signatures, mine.type, mine.count));
    const char *there = sched_draft_own(d, sched_signature_words(run->signatures, theirs.type, theirs.count));
    sched_draft_message(d, "%s: ", isp_fn_name((enum isp_fn)a->fn));
    if (!match)
        sched_draft_message(d, "%s at the origin, but %s at the target", here, there);
    else if (takes)
        sched_draft_message(d, "%s at the target, but room for %s at the origin", there, here);
    else
        sched_draft_message(d, "%s at the origin, but room for %s at the target", here, there);
    sched_draft_line(d, "rank %d %s the window of rank %d", rank, takes ? "gets from" : "puts into",
                     a->target);
    sched_draft_site(d, rank, a->fn, a->site);
    sched_draft_key(d, "%s of access " SCHED_KEY_SITE, sched_rule_id(rule), a->site);
    sched_draft_end(d);
}

void sched_rma_access(struct sched_rma *r, struct sched_run *run, int rank, const struct isp_access *a)
{
    if (a->kind == ISP_ACCESS_THREADS) {
        see_untold(r, a);
        r->off = true;
        return;
    }
    if (!r->on || r->off || a->target >= r->n || (a->target < 0 && a->kind < ISP_ACCESS_FLUSH))
        return;
    if (a->kind > ISP_ACCESS_THREADS)
        return; /* poe's business */
    sched_clocks_tick(r->clocks, rank);
    if (a->kind == ISP_ACCESS_FLUSH || a->kind == ISP_ACCESS_FLUSH_LOCAL) {
        end_all(r, rank, a->target, a->window, a->kind == ISP_ACCESS_FLUSH ? ALL : READS);
        return;
    }
    if (a->kind == ISP_ACCESS_DONE) {
        end_buffer(r, rank, a->buffer);
        return;
    }
    check_types(run, rank, a);
    sched_rma_promises_check(&r->promises, run, rank, a);
    if (a->n)
        add(r, rank, a);
}

void sched_rma_report(struct sched_rma *r, struct sched_run *run)
{
    if (r && r->on && !r->off)
        sched_conflicts_report(r->conflicts, r->causes, run);
}
