/* SPDX-License-Identifier: BSD-3-Clause */
/* See file_order.h. Kept are the accesses that somebody may not know to be over. */
#include "file_order.h"

#include "base/alloc.h"
#include "words/words.h"
#include "clocks.h"
#include "isp/file.h"
#include "isp/functions.h"
#include "name_order.h"

enum { PRUNE = 256, MOST = 8192, STEPS = 1 << 27 };

struct access {
    int rank;
    uint64_t index; /* among those of its rank */
    struct isp_file_access what;
    struct isp_file_run *runs; /* ascending */
    uint64_t low, high;
    uint64_t news;   /* how much its rank had heard and told */
    uint32_t end;    /* who knows this time of the rank knows that it is over; 0: it lasts */
    bool due;        /* its collective has not matched: it is not made yet */
    bool has_handle; /* it has a request: */
    uint32_t handle;
};

struct side {
    int rank;
    uint64_t index;
    uint16_t fn;
    uint32_t site;
};

struct sched_file_order {
    int n;
    bool buffered;
    bool on;                     /* a file was used */
    bool threads;                /* some rank has several: no clock knows their order */
    struct sched_clocks *clocks; /* NULL: it is not on */
    uint64_t steps;              /* that may still be taken to compare; none: nothing is certain any more */
    struct access **all;
    size_t n_all, room, prune_at;
    uint64_t *counts;             /* by rank: accesses */
    uint64_t *news;               /* by rank: records that may tell others something, or bring it something */
    struct access **started;      /* by rank: its request comes next */
    struct access **latest;       /* by rank: what may go on */
    bool found, certain, defined; /* by atomic mode, but for the order */
    struct side first, second;    /* of all pairs the lowest */
    struct sched_name_order *names;
};

/* ---- life ---- */

static struct sched_file_order *create(int ranks)
{
    struct sched_file_order *o = sched_alloc(1, sizeof *o);
    o->n = ranks;
    o->prune_at = PRUNE;
    o->steps = STEPS;
    o->counts = sched_alloc((size_t)ranks, sizeof *o->counts);
    o->news = sched_alloc((size_t)ranks, sizeof *o->news);
    o->started = sched_alloc((size_t)ranks, sizeof *o->started);
    o->latest = sched_alloc((size_t)ranks, sizeof *o->latest);
    return o;
}

struct sched_file_order *sched_file_order_create(int ranks, bool buffered)
{
    struct sched_file_order *o = create(ranks);
    o->buffered = buffered;
    o->names = sched_name_order_create(ranks);
    return o;
}

static void drop(struct access *a)
{
    free(a->runs);
    free(a);
}

void sched_file_order_destroy(struct sched_file_order *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->n_all; i++)
        drop(o->all[i]);
    free(o->all);
    free(o->counts);
    free(o->news);
    free(o->started);
    free(o->latest);
    sched_clocks_destroy(o->clocks);
    sched_name_order_destroy(o->names);
    free(o);
}

struct sched_file_order *sched_file_order_copy(const struct sched_file_order *o)
{
    struct sched_file_order *c = create(o->n), made = *c;
    *c = *o;
    c->counts = made.counts;
    c->news = made.news;
    c->started = made.started;
    c->latest = made.latest;
    memcpy(c->counts, o->counts, (size_t)o->n * sizeof *c->counts);
    memcpy(c->news, o->news, (size_t)o->n * sizeof *c->news);
    c->clocks = o->clocks ? sched_clocks_copy(o->clocks) : NULL;
    c->names = sched_name_order_copy(o->names);
    c->all = sched_alloc(o->room, sizeof(struct access *));
    for (size_t i = 0; i < o->n_all; i++) {
        struct access *a = c->all[i] = sched_copy(o->all[i], sizeof *a);
        a->runs = sched_copy(a->runs, a->what.n * sizeof *a->runs);
        if (o->started[a->rank] == o->all[i])
            c->started[a->rank] = a;
        if (o->latest[a->rank] == o->all[i])
            c->latest[a->rank] = a;
    }
    return c;
}

void sched_file_order_restore(struct sched_file_order *o, const struct sched_file_order *saved)
{
    struct sched_file_order *copy = sched_file_order_copy(saved), now = *o;
    *o = *copy;
    *copy = now;
    sched_file_order_destroy(copy);
}

/* ---- what they have in common ---- */

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* Some i < a->n and k < b->n with bytes in common, where both have one stride, or n is 1. */
static bool meet_in_step(const struct isp_file_run *a, const struct isp_file_run *b)
{
    int64_t stride = (int64_t)(a->n > 1 ? a->stride : b->stride), apart = (int64_t)b->at - (int64_t)a->at;
    if (stride == 0)
        return apart > -(int64_t)b->length && apart < (int64_t)a->length;
    /* -b->length < apart + (k - i) * stride < a->length */
    int64_t low = floor_div(-(int64_t)b->length - apart, stride) + 1;
    int64_t high = floor_div((int64_t)a->length - 1 - apart, stride);
    int64_t least = 1 - (int64_t)a->n, most = (int64_t)b->n - 1;
    return (low > least ? low : least) <= (high < most ? high : most);
}

static uint64_t end_of(const struct isp_file_run *run)
{
    uint64_t end = 0;
    (void)isp_file_run_end(run, &end); /* it was read from the wire, or is part of such a run */
    return end;
}

static bool runs_meet(const struct isp_file_run *a, const struct isp_file_run *b, uint64_t *steps)
{
    if (a->at >= end_of(b) || b->at >= end_of(a))
        return false;
    if (a->n == 1 || b->n == 1 || a->stride == b->stride)
        return meet_in_step(a, b);
    if (a->n > b->n) {
        const struct isp_file_run *other = a;
        a = b;
        b = other;
    }
    for (uint64_t i = 0; i < a->n && *steps; i++, --*steps)
        if (meet_in_step(&(struct isp_file_run){a->at + i * a->stride, a->length, 1, 0}, b))
            return true;
    return false;
}

/* *certain: whether that is known. */
static bool meet(struct sched_file_order *o, const struct access *a, const struct access *b, bool *certain)
{
    *certain = !a->what.unknown && !b->what.unknown && o->steps;
    if (!*certain)
        return true;
    uint32_t first = 0; /* of b's, that may not end before the run of a begins */
    for (uint32_t i = 0; i < a->what.n && o->steps; i++) {
        uint64_t behind = end_of(&a->runs[i]);
        while (first < b->what.n && end_of(&b->runs[first]) <= a->runs[i].at)
            first++;
        for (uint32_t k = first; k < b->what.n && b->runs[k].at < behind && o->steps; k++) {
            o->steps--;
            if (runs_meet(&a->runs[i], &b->runs[k], &o->steps))
                return true;
        }
    }
    *certain = o->steps > 0;
    return !*certain;
}

/* An inode that was freed comes again with another name; one with several names is told without. */
static bool is_same_file(const struct isp_file_access *a, const struct isp_file_access *b)
{
    return a->number == b->number || (a->inode && a->inode == b->inode && a->device == b->device &&
                                      (a->name == b->name || a->linked || b->linked));
}

/* ---- order ---- */

static bool knows_end(const struct sched_file_order *o, int rank, const struct access *a)
{
    return !o->threads && a->end && sched_clocks_of(o->clocks, rank)[a->rank] >= a->end;
}

static void end(const struct sched_file_order *o, struct access *a)
{
    a->end = sched_clocks_of(o->clocks, a->rank)[a->rank];
    a->has_handle = false;
}

/* MPI_File_open is one on a communicator. */
static bool is_orderless(const struct isp_call *call)
{
    return call->op == ISP_OP_COLLECTIVE && isp_fn_scope((enum isp_fn)call->fn) == ISP_SCOPE_FILE &&
           call->fn != ISP_FN_MPI_File_open && call->fn != ISP_FN_MPI_File_close;
}

static bool is_start(const struct isp_call *call, const struct access *a)
{
    return a->what.lasts && call->fn == a->what.fn && (call->op == ISP_OP_SEND || (call->flags & ISP_F_SLOT));
}

static void turn_on(struct sched_file_order *o)
{
    if (!o->on)
        o->clocks = sched_clocks_create(o->n, o->buffered);
    o->on = true;
}

static void hear_call(void *self, struct sched_run *run, int rank, const struct isp_call *call)
{
    struct sched_file_order *o = self;
    sched_name_order_record(o->names, rank, call);
    if (call->fn == ISP_FN_MPI_File_open)
        turn_on(o);
    if (!o->on)
        return;
    o->threads = o->threads || call->thread || call->others;
    sched_clocks_tick(o->clocks, rank);
    struct access *started = o->started[rank];
    if (started && is_start(call, started)) {
        started->has_handle = true;
        started->handle = call->handle;
    }
    o->started[rank] = NULL;
    o->news[rank] += !is_orderless(call);
    sched_clocks_record(o->clocks, rank, call);
}

static void on_wait_over(void *context, int origin, int target, int window)
{
    (void)context, (void)origin, (void)target, (void)window;
}

static void on_request_over(void *context, int rank, uint32_t handle)
{
    struct sched_file_order *o = context;
    for (size_t i = 0; i < o->n_all; i++)
        if (o->all[i]->has_handle && o->all[i]->rank == rank && o->all[i]->handle == handle)
            end(o, o->all[i]);
}

/* ---- accesses ---- */

/* Everybody knows that it is over. */
static bool is_past(const struct sched_file_order *o, const struct access *a)
{
    for (int i = 0; i < o->n; i++)
        if (!knows_end(o, i, a))
            return false;
    return true;
}

static void prune(struct sched_file_order *o)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->n_all; i++) {
        struct access *a = o->all[i];
        if (!is_past(o, a)) {
            o->all[kept++] = a;
            continue;
        }
        if (o->latest[a->rank] == a)
            o->latest[a->rank] = NULL;
        drop(a);
    }
    o->n_all = kept;
    o->prune_at = kept + (kept > PRUNE ? kept : PRUNE);
}

static int compare_sides(const struct side *a, const struct side *b)
{
    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1) : (a->index > b->index) - (a->index < b->index);
}

static struct side side_of(const struct access *a)
{
    return (struct side){a->rank, a->index, a->what.fn, a->what.site};
}

/* Which pair is told does not depend on time; one of which the bytes are known comes first. */
static void note(struct sched_file_order *o, const struct access *a, const struct access *b, bool certain)
{
    struct side first = side_of(a->rank < b->rank ? a : b), second = side_of(a->rank < b->rank ? b : a);
    int order = o->found ? compare_sides(&first, &o->first) : -1;
    order = order ? order : compare_sides(&second, &o->second);
    if (o->found && (certain != o->certain ? o->certain : order >= 0))
        return;
    o->found = true;
    o->certain = certain;
    o->defined = a->what.atomic && b->what.atomic && a->what.number == b->what.number;
    o->first = first;
    o->second = second;
}

static bool changes(const struct access *a)
{
    return a->what.kind == ISP_FILE_WRITE || a->what.kind == ISP_FILE_CUT;
}

/* Opening a handle and setting the size by it happen once for all of its ranks; each knows which of its own
 * accesses come before. */
static bool is_of_all(const struct isp_file_access *a)
{
    return a->kind == ISP_FILE_CUT || a->fn == ISP_FN_MPI_File_open;
}

/* Ranks take turns at the shared pointer of a handle. */
static bool is_ordered_by_handle(const struct isp_file_access *a, const struct isp_file_access *b)
{
    return a->number == b->number && ((a->turn && b->turn) || is_of_all(a) || is_of_all(b));
}

static bool is_pair(const struct sched_file_order *o, const struct access *old, const struct access *new)
{
    return old->rank != new->rank && !old->due && (changes(old) || changes(new)) &&
           !is_ordered_by_handle(&old->what, &new->what) && is_same_file(&old->what, &new->what) &&
           !knows_end(o, new->rank, old);
}

static void compare(struct sched_file_order *o, const struct access *new)
{
    for (size_t i = 0; i < o->n_all; i++) {
        const struct access *old = o->all[i];
        bool certain, near = old->low < new->high &&new->low < old->high;
        if (near && is_pair(o, old, new) && meet(o, old, new, &certain))
            note(o, old, new, certain);
    }
}

static bool is_alike(const struct access *a, const struct access *b)
{
    const struct isp_file_access *x = &a->what, *y = &b->what;
    return a->rank == b->rank && a->news == b->news && x->kind == y->kind && x->fn == y->fn &&
           x->site == y->site && x->number == y->number && x->turn == y->turn && x->atomic == y->atomic;
}

/* The rank has had no news and told none since: nobody can tell the two apart but by their bytes. A loop over
 * blocks, next to each other or at a stride, is one access. */
static bool merge(struct access *a, const struct access *b)
{
    const struct isp_file_access *x = &a->what, *y = &b->what;
    if (!is_alike(a, b) || x->n != 1 || y->n != 1 || !a->end || !b->end)
        return false;
    struct isp_file_run *run = a->runs, more = b->runs[0];
    bool again = memcmp(run, &more, sizeof more) == 0;
    if (!again && (more.n != 1 || more.at < run->at))
        return false;
    if (!again && run->n == 1 && run->at + run->length == more.at)
        run->length += more.length;
    else if (!again && run->length == more.length && run->n == 1 && more.at > run->at)
        *run = (struct isp_file_run){run->at, run->length, 2, more.at - run->at};
    else if (!again && run->length == more.length && run->n > 1 && run->at + run->n * run->stride == more.at)
        run->n++;
    else if (!again)
        return false;
    a->end = b->end;
    a->high = end_of(run);
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct isp_file_run *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static struct access *make(struct sched_file_order *o, int rank, const struct isp_file_access *what)
{
    struct access *a = sched_alloc(1, sizeof *a);
    a->rank = rank;
    a->index = o->counts[rank]++;
    a->what = *what;
    a->runs = sched_copy(what->runs, what->n * sizeof *a->runs);
    qsort(a->runs, what->n, sizeof *a->runs, by_place);
    a->low = what->unknown ? 0 : UINT64_MAX;
    a->high = what->unknown ? UINT64_MAX : 0;
    for (uint32_t i = 0; i < what->n; i++) {
        a->low = a->runs[i].at < a->low ? a->runs[i].at : a->low;
        a->high = end_of(&a->runs[i]) > a->high ? end_of(&a->runs[i]) : a->high;
    }
    a->news = o->news[rank];
    a->due = what->due;
    return a;
}

/* What there is no room for is compared with those that are kept as if its bytes were unknown. False: it is
 * not kept. */
static bool keep(struct sched_file_order *o, struct access *a)
{
    if (o->n_all >= o->prune_at || o->n_all == MOST)
        prune(o);
    for (size_t i = 0; o->n_all == MOST && i < MOST; i++)
        if (is_pair(o, o->all[i], a))
            note(o, o->all[i], a, false);
    if (o->n_all == MOST)
        return false;
    if (o->n_all == o->room) {
        o->room = 2 * o->room + 16;
        o->all = sched_grow(o->all, o->room, sizeof(struct access *));
    }
    o->all[o->n_all++] = a;
    return true;
}

static const uint32_t *known_by(const struct sched_file_order *o, int rank)
{
    return o->threads ? NULL : sched_clocks_of(o->clocks, rank);
}

void sched_file_order_take(struct sched_file_order *o, int rank, const struct isp_file *file)
{
    turn_on(o);
    uint32_t now = sched_clocks_tick(o->clocks, rank);
    sched_name_order_take(o->names, rank, file, known_by(o, rank), now);
}

/* It is made now. True: it needs not be kept by itself. */
static bool happen(struct sched_file_order *o, struct access *a)
{
    a->due = false;
    uint32_t now = sched_clocks_tick(o->clocks, a->rank);
    if (!a->what.lasts)
        a->end = now; /* it is over; what the rank tells next, tells that */
    sched_name_order_take_access(o->names, a->rank, &a->what, known_by(o, a->rank), now);
    compare(o, a);
    bool merged = o->latest[a->rank] && merge(o->latest[a->rank], a);
    if (!merged)
        o->latest[a->rank] = a;
    return merged;
}

static void end_split(struct sched_file_order *o, int rank, int32_t number)
{
    for (size_t i = 0; i < o->n_all; i++) {
        struct access *a = o->all[i];
        if (a->rank == rank && a->what.number == number && !a->end && !a->due && !a->has_handle)
            a->end = sched_clocks_tick(o->clocks, rank);
    }
}

void sched_file_order_access(struct sched_file_order *o, int rank, const struct isp_file_access *what)
{
    if (what->kind == ISP_FILE_END)
        end_split(o, rank, what->number);
    if (!o->on || what->kind == ISP_FILE_END || (!what->unknown && !what->n))
        return;
    struct access *a = make(o, rank, what);
    if (!a->due && happen(o, a)) {
        drop(a);
        return;
    }
    if (!keep(o, a)) {
        if (o->latest[rank] == a)
            o->latest[rank] = NULL;
        drop(a);
        return;
    }
    if (a->what.lasts)
        o->started[rank] = a;
}

static bool is_due(const struct access *a, const struct poe_transition *t)
{
    return a->due && a->rank == t->rank && a->what.fn == t->call.fn && a->what.number == t->call.comm;
}

/* Those of a collective on a file that has matched. */
static void happen_all(struct sched_file_order *o, const struct poe_fired *fired)
{
    for (unsigned m = 0; m < fired->n_members; m++) {
        const struct poe_transition *t = fired->members[m];
        size_t i = 0;
        while (i < o->n_all && !is_due(o->all[i], t))
            i++;
        if (i == o->n_all || !happen(o, o->all[i]))
            continue;
        drop(o->all[i]);
        memmove(&o->all[i], &o->all[i + 1], (--o->n_all - i) * sizeof *o->all);
    }
}

static bool hear_fired(void *self, struct sched_run *run, const struct poe_fired *fired)
{
    struct sched_file_order *o = self;
    struct sched_clocks_watcher watcher = {on_wait_over, on_request_over, o};
    if (!o->on)
        return true;
    if (is_orderless(&fired->members[0]->call))
        happen_all(o, fired);
    else if (!o->threads)
        sched_clocks_fired(o->clocks, run->poe, fired, &watcher);
    return true;
}

const struct sched_listener sched_file_order_listener = {.call = hear_call, .fired = hear_fired};

/* ---- words ---- */

static char *side_words(const struct sched_run *run, const struct side *s)
{
    char *place = sched_words_place(run, s->site);
    char *words = sched_format("%s at %s (rank %d)", isp_fn_name((enum isp_fn)s->fn), place, s->rank);
    free(place);
    return words;
}

bool sched_file_order_shares(const struct sched_file_order *o)
{
    return o && sched_name_order_shares(o->names);
}

bool sched_file_order_waited(const struct sched_file_order *o)
{
    return o && sched_name_order_waited(o->names);
}

char *sched_file_order_unexplored(const struct sched_file_order *o, const struct sched_run *run)
{
    if (!o || !o->found)
        return o ? sched_name_order_unexplored(o->names, run) : NULL;
    char *first = side_words(run, &o->first), *second = side_words(run, &o->second);
    const char *what = "common bytes of a file in one order only";
    if (o->certain && !o->defined)
        what = "common bytes of a file in one order only, and what comes of it is undefined (nonatomic mode)";
    if (!o->certain)
        what = "a file in one order only, and their bytes are not known, or too many to compare";
    char *why = sched_format("%s and %s access %s", first, second, what);
    free(first);
    free(second);
    return why;
}
