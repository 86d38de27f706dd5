/* SPDX-License-Identifier: BSD-3-Clause */
/* See conflicts.h. Which of two accesses was told first depends on time; so all is sorted, and of many pairs
 * that two places in the program make, the lowest are kept. */
#include "conflicts.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "check/collectives.h"
#include "isp/functions.h"

enum { PAIRS = 16 };

/* What is needed of an access in the end. */
struct side {
    int rank;
    struct isp_access what;
    uint32_t begin;
    uint32_t *known;
};

struct pair {
    struct side first, second; /* the finding stands at `first` */
    struct isp_access_run common;
};

/* Two places. */
struct entry {
    struct pair pairs[PAIRS]; /* ascending */
    unsigned n;
};

struct sched_conflicts {
    int n;
    struct entry *entries;
    size_t n_entries;
};

struct sched_conflicts *sched_conflicts_create(int ranks)
{
    struct sched_conflicts *c = sched_alloc(1, sizeof *c);
    c->n = ranks;
    return c;
}

static void forget(struct pair *p)
{
    free(p->first.known);
    free(p->second.known);
}

void sched_conflicts_destroy(struct sched_conflicts *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n_entries; i++)
        for (unsigned k = 0; k < c->entries[i].n; k++)
            forget(&c->entries[i].pairs[k]);
    free(c->entries);
    free(c);
}

/* ---- collecting ---- */

static bool has_place(const struct isp_access *a) { return !sched_rma_is_local(a) || a->fn == ISP_FN_NONE; }

/* Where the finding stands: at an MPI call, since the place of a load or store may not be known; of the
 * higher rank; of one rank at what came later. */
static bool stands_at(const struct sched_rma_access *a, const struct sched_rma_access *b)
{
    if (sched_rma_is_local(&a->what) != sched_rma_is_local(&b->what))
        return sched_rma_is_local(&b->what);
    return a->rank != b->rank ? a->rank > b->rank : a->begin > b->begin;
}

static struct side side_of(const struct sched_conflicts *c, const struct sched_rma_access *a)
{
    struct side s = {.rank = a->rank,
                     .what = a->what,
                     .begin = a->begin,
                     .known = sched_alloc((size_t)c->n, sizeof *s.known)};
    memcpy(s.known, a->known->at, (size_t)c->n * sizeof *s.known);
    return s;
}

static int compare_places(const struct isp_access *a, const struct isp_access *b)
{
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    if (a->fn != b->fn)
        return a->fn < b->fn ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

static struct entry *entry_of(struct sched_conflicts *c, const struct pair *p)
{
    for (size_t i = 0; i < c->n_entries; i++) {
        const struct pair *other = &c->entries[i].pairs[0];
        bool both_mix = !other->common.length == !p->common.length;
        if (both_mix && compare_places(&other->first.what, &p->first.what) == 0 &&
            compare_places(&other->second.what, &p->second.what) == 0)
            return &c->entries[i];
    }
    SCHED_GROW(c->entries, c->n_entries);
    c->entries[c->n_entries] = (struct entry){.n = 0};
    return &c->entries[c->n_entries++];
}

static int compare_numbers(const uint64_t *a, const uint64_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* By what is alike in all runs. */
static int compare_pairs(const struct pair *a, const struct pair *b)
{
    enum { N = 6 };
    const struct pair *p[] = {a, b};
    uint64_t numbers[2][N];
    for (int i = 0; i < 2; i++) {
        uint64_t all[N] = {(uint64_t)p[i]->second.rank,
                           (uint64_t)p[i]->first.rank,
                           (uint64_t)p[i]->first.what.target,
                           p[i]->common.at - p[i]->first.what.base,
                           p[i]->second.begin,
                           p[i]->first.begin};
        memcpy(numbers[i], all, sizeof all);
    }
    return compare_numbers(numbers[0], numbers[1], N);
}

void sched_conflicts_add(struct sched_conflicts *c, const struct sched_rma_access *a,
                         const struct sched_rma_access *b, struct isp_access_run common)
{
    bool at_a = stands_at(a, b);
    struct pair new = {
        .first = side_of(c, at_a ? a : b), .second = side_of(c, at_a ? b : a), .common = common};
    struct entry *e = entry_of(c, &new);
    unsigned at = 0;
    while (at < e->n && compare_pairs(&e->pairs[at], &new) < 0)
        at++;
    if (at == PAIRS) {
        forget(&new);
        return;
    }
    if (e->n == PAIRS)
        forget(&e->pairs[--e->n]);
    memmove(&e->pairs[at + 1], &e->pairs[at], (e->n - at) * sizeof *e->pairs);
    e->pairs[at] = new;
    e->n++;
}

/* ---- telling ---- */

static const char *verb(const struct isp_access *a)
{
    switch (a->kind) {
    case ISP_ACCESS_PUT:
    case ISP_ACCESS_TAKE: return "writes";
    case ISP_ACCESS_GET:
    case ISP_ACCESS_GIVE: return "reads";
    case ISP_ACCESS_ACCUMULATE: return "updates";
    case ISP_ACCESS_FETCH: return a->no_op ? "fetches" : "fetches and updates";
    case ISP_ACCESS_SWAP: return "swaps";
    case ISP_ACCESS_LOAD: return "loads";
    default: return "stores";
    }
}

/* "MPI_Put", "MPI_Accumulate with MPI_SUM", "a store of its own". */
static char *call_of(const struct isp_access *a)
{
    if (sched_rma_is_local(a))
        return sched_strdup(a->kind == ISP_ACCESS_LOAD ? "a load of its own" : "a store of its own");
    if (sched_rma_is_buffer(a))
        return sched_format("%s, whose buffer is there,", isp_fn_name((enum isp_fn)a->fn));
    const char *op = a->op ? sched_redop_name(a->op) : NULL;
    return sched_format("%s%s%s", isp_fn_name((enum isp_fn)a->fn), op ? " with " : "", op ? op : "");
}

static char *memory_of(const struct pair *p)
{
    const struct isp_access *a = &p->first.what;
    uint64_t from = p->common.at - a->base, to = from + p->common.length - 1;
    if (!a->base)
        return sched_format("%" PRIu64 " bytes of the dynamic window of rank %d", p->common.length,
                            a->target);
    if (from == to)
        return sched_format("byte %" PRIu64 " of the window of rank %d", from, a->target);
    return sched_format("bytes %" PRIu64 " to %" PRIu64 " of the window of rank %d", from, to, a->target);
}

static const char *epoch_of(const struct isp_access *a)
{
    return a->epoch == ISP_EPOCH_FENCE   ? "an epoch of MPI_Win_fence"
           : a->epoch == ISP_EPOCH_START ? "an epoch of MPI_Win_start"
                                         : "a lock";
}

/* Epochs of different kinds. */
static void tell_mix(struct sched_draft *d, const struct pair *p)
{
    const struct isp_access *a = &p->first.what, *b = &p->second.what;
    sched_draft_message(
        d,
        "%s: rank %d accesses the window of rank %d in %s, and rank %d does so in %s: nothing orders "
        "the two",
        isp_fn_name((enum isp_fn)a->fn), p->first.rank, a->target, epoch_of(a), p->second.rank, epoch_of(b));
}

static void tell_overlap(struct sched_draft *d, const struct pair *p)
{
    const struct isp_access *a = &p->first.what, *b = &p->second.what;
    int rank = p->first.rank, other = p->second.rank;
    const char *memory = sched_draft_own(d, memory_of(p)), *its = sched_draft_own(d, call_of(b));
    if (!sched_rma_is_local(a))
        sched_draft_message(d, "%s: ", sched_draft_own(d, call_of(a)));
    sched_draft_message(d, "rank %d %s %s, ", rank, verb(a), memory);
    if (rank == other)
        sched_draft_message(d, "where its own %s is not complete", sched_rma_is_local(b) ? "access" : its);
    else
        sched_draft_message(d, "and rank %d %s there too: nothing orders the two", other, verb(b));
}

static bool is_locked(const struct side *s)
{
    return s->what.epoch == ISP_EPOCH_SHARED || s->what.epoch == ISP_EPOCH_EXCLUSIVE;
}

static const char *why(const struct pair *p)
{
    const struct isp_access *a = &p->first.what, *b = &p->second.what;
    if (p->common.length == 0)
        return "a window must not be exposed by fences, or by MPI_Win_post, while it is locked, "
               "nor in both ways at once";
    if (sched_rma_is_buffer(a) || sched_rma_is_buffer(b))
        return "a buffer in a window is in use until its call is complete (an origin buffer: "
               "until the epoch ends, or is flushed); meanwhile nobody may write what it reads, "
               "or access what it writes";
    if (p->first.rank == p->second.rank && sched_rma_is_atomic(a) && sched_rma_is_atomic(b))
        return "a rank's accumulates are in order only if they have one basic datatype";
    if (p->first.rank == p->second.rank)
        return "an access is complete only when its epoch ends, or is flushed; until then it may be done at "
               "any time";
    if (sched_rma_is_atomic(a) && sched_rma_is_atomic(b))
        return a->op != b->op ? "only accumulates with one operation (or MPI_NO_OP) may go together"
                              : "only accumulates with one basic datatype may go together, "
                                "whose elements are at the same places";
    if (sched_rma_is_local(a) || sched_rma_is_local(b))
        return "the owner of a window may load and store there when no other rank's access can be under way: "
               "behind the end of their epoch (a fence, MPI_Win_wait), or with a lock of its own";
    if (a->window == b->window && a->epoch == ISP_EPOCH_FENCE && b->epoch == ISP_EPOCH_FENCE)
        return "both are in the same epoch: no MPI_Win_fence lies between them";
    if (a->window == b->window && a->epoch == ISP_EPOCH_START && b->epoch == ISP_EPOCH_START)
        return "both may be in the same epoch of the target: no MPI_Win_wait and MPI_Win_post lie between "
               "them for certain";
    if (is_locked(&p->first) && is_locked(&p->second))
        return "both ranks have shared locks, which do not exclude each other (MPI_Win_lock_all is shared "
               "too)";
    return "between the end of the one (fence, MPI_Win_wait, unlock or flush) and the beginning of the other "
           "there is no synchronization";
}

static void tell_side(struct sched_draft *d, const struct side *s)
{
    const char *call = sched_draft_own(d, call_of(&s->what)), *place = sched_draft_place(d, s->what.site);
    if (has_place(&s->what))
        sched_draft_line(d, "rank %d %s by %s at %s", s->rank, verb(&s->what), call, place);
    else
        sched_draft_line(d, "rank %d %s by %s, seen at %s at %s", s->rank, verb(&s->what), call,
                         isp_fn_name((enum isp_fn)s->what.fn), place);
    sched_draft_site(d, s->rank, s->what.fn, s->what.site);
}

static void report(const struct pair *p, struct sched_run *run)
{
    const struct isp_access *a = &p->first.what, *b = &p->second.what;
    enum isp_rule rule = p->common.length ? ISP_RULE_RMA_CONFLICT : ISP_RULE_RMA_EPOCH;
    struct sched_draft *d = sched_draft_create(run, rule);
    if (p->common.length)
        tell_overlap(d, p);
    else
        tell_mix(d, p);
    tell_side(d, &p->first);
    tell_side(d, &p->second);
    sched_draft_line(d, "%s", why(p));
    sched_draft_key(d, "%s " SCHED_KEY_SITE " %d " SCHED_KEY_SITE " %d", sched_rule_id(rule), a->site,
                    a->kind, b->site, b->kind);
    sched_draft_end(d);
}

static bool may_be_ordered(const struct sched_causes *causes, const struct side *a, const struct side *b)
{
    return a->rank != b->rank &&
           (sched_causes_may_link(causes, a->rank, a->begin, b->rank, b->begin, b->known) ||
            sched_causes_may_link(causes, b->rank, b->begin, a->rank, a->begin, a->known));
}

static int by_first_pair(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = compare_pairs(&x->pairs[0], &y->pairs[0]);
    return order ? order : compare_places(&x->pairs[0].first.what, &y->pairs[0].first.what);
}

void sched_conflicts_report(const struct sched_conflicts *c, const struct sched_causes *causes,
                            struct sched_run *run)
{
    if (c->n_entries == 0) // and no array
        return;
    qsort(c->entries, c->n_entries, sizeof *c->entries, by_first_pair);
    for (size_t i = 0; i < c->n_entries; i++) {
        const struct entry *e = &c->entries[i];
        unsigned k = 0;
        while (k < e->n && may_be_ordered(causes, &e->pairs[k].first, &e->pairs[k].second))
            k++;
        if (k < e->n)
            report(&e->pairs[k], run);
    }
}
