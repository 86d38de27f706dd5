/* SPDX-License-Identifier: BSD-3-Clause */
/* See parts.h. Members of a fired match set stand in the order of their communicator, as do the shares of a
 * record. */
#include "parts.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "isp/functions.h"
#include "words/words.h"

/* ---- the entries of one member's argument, one after the other ---- */

struct cursor {
    const struct isp_call *call;
    uint32_t next, end; /* shares */
    struct isp_share share;
    struct sched_items all; /* ... if there are none */
    int at;                 /* the entry that was read last; -1: there are no shares */
};

static struct cursor cursor_of(const struct isp_call *call, bool given)
{
    uint32_t first = given ? 0 : call->n_given, n = given ? call->n_given : call->n_taken;
    return (struct cursor){.call = call,
                           .next = first,
                           .end = first + n,
                           .at = -1,
                           .all = given ? (struct sched_items){call->type, call->count}
                                        : (struct sched_items){call->taken_type, call->taken_count}};
}

static struct sched_items cursor_next(struct cursor *c)
{
    if (c->at < 0 && c->next == c->end)
        return c->all;
    c->at++;
    while (c->share.n == 0 && c->next < c->end)
        c->share = isp_call_share(c->call, c->next++);
    if (c->share.n == 0)
        return (struct sched_items){ISP_BASIC_NONE, 0};
    c->share.n--;
    return (struct sched_items){c->share.type, c->share.count};
}

/* ---- comparing ---- */

struct comparison {
    const struct sched_run *run;
    const struct poe_fired *fired;
    struct sched_misfits found;
};

static bool fits(const struct comparison *x, const struct sched_part *part)
{
    return sched_items_equal(x->run, part->given, part->taken);
}

static void compare(struct comparison *x, const struct sched_part *part)
{
    if (fits(x, part))
        return;
    const struct sched_signatures *s = x->run->signatures;
    x->found.sizes |= sched_signature_bytes(s, part->given.type, part->given.count) !=
                      sched_signature_bytes(s, part->taken.type, part->taken.count);
    SCHED_GROW(x->found.list, x->found.n);
    x->found.list[x->found.n++] = *part;
}

static void compare_next(struct comparison *x, const struct poe_transition *from, struct cursor *given,
                         const struct poe_transition *to, struct cursor *taken)
{
    struct sched_part part = {
        .from = from, .to = to, .given = cursor_next(given), .taken = cursor_next(taken)};
    part.given_at = given->at;
    part.taken_at = taken->at;
    compare(x, &part);
}

/* Each of the members from..from_end gives to each of to..to_end. */
static void compare_groups(struct comparison *x, unsigned from, unsigned from_end, unsigned to,
                           unsigned to_end)
{
    const struct poe_transition *const *m = x->fired->members;
    struct cursor *taken = sched_alloc(to_end - to, sizeof *taken);
    for (unsigned k = to; k < to_end; k++)
        taken[k - to] = cursor_of(&m[k]->call, false);
    for (unsigned i = from; i < from_end; i++) {
        struct cursor given = cursor_of(&m[i]->call, true);
        for (unsigned k = to; k < to_end; k++)
            compare_next(x, m[i], &given, m[k], &taken[k - to]);
    }
    free(taken);
}

static void compare_rooted(struct comparison *x, const struct poe_transition *root, unsigned first,
                           unsigned end)
{
    struct cursor given = cursor_of(&root->call, true), taken = cursor_of(&root->call, false);
    for (unsigned i = first; i < end; i++) {
        const struct poe_transition *t = x->fired->members[i];
        struct cursor its_given = cursor_of(&t->call, true), its_taken = cursor_of(&t->call, false);
        if (t == root) {
            compare_next(x, root, &given, root, &taken);
            continue;
        }
        compare_next(x, root, &given, t, &its_taken);
        compare_next(x, t, &its_given, root, &taken);
    }
}

/* ---- along the edges of a topology ---- */

/* The k-th place (from 0) at which a record's list names the rank; n if there is none. */
static uint32_t source_place(const struct isp_call *call, int rank, uint32_t k)
{
    uint32_t i = 0;
    while (i < call->n && (isp_source_rank(call->list[i]) != (uint32_t)rank || k-- > 0))
        i++;
    return i;
}

/* The same for what it gives; n_given if there is none. */
static uint32_t destination_place(const struct isp_call *call, int rank, uint32_t k)
{
    uint32_t i = 0;
    while (i < call->n_given && (isp_call_share(call, i).peer != rank || k-- > 0))
        i++;
    return i;
}

/* The k-th edge between them, which goes to the l-th place of `to` that names `from`. False: there is
 * none. */
static bool edge(const struct poe_transition *from, const struct poe_transition *to, uint32_t k, uint32_t l,
                 struct sched_part *part)
{
    uint32_t at = source_place(&to->call, from->rank, l), out = destination_place(&from->call, to->rank, k);
    if (at == to->call.n || (from->call.n_given && out == from->call.n_given))
        return false;
    struct cursor given = cursor_of(&from->call, true), taken = cursor_of(&to->call, false);
    *part = (struct sched_part){.from = from, .to = to};
    for (uint32_t i = 0; i <= at; i++)
        part->taken = cursor_next(&taken);
    for (uint32_t i = 0; i <= out; i++)
        part->given = cursor_next(&given);
    part->taken_at = taken.at;
    part->given_at = given.at;
    return true;
}

/* The edges between two members, of which there may be several: in their order, or against it where that is
 * allowed as well. */
static void compare_edges(struct comparison *x, const struct poe_transition *from,
                          const struct poe_transition *to)
{
    struct sched_part part;
    uint32_t n = 0;
    while (source_place(&to->call, from->rank, n) < to->call.n)
        n++;
    bool against = n > 1 && (to->call.flags & ISP_F_EITHER_WAY);
    for (uint32_t k = 0; k < n && against; k++)
        against = !edge(from, to, k, n - 1 - k, &part) || fits(x, &part);
    for (uint32_t k = 0; k < n && !against; k++)
        if (edge(from, to, k, k, &part))
            compare(x, &part);
}

static void compare_neighbours(struct comparison *x)
{
    const struct poe_fired *fired = x->fired;
    const struct poe_transition **by_rank = sched_alloc((size_t)x->run->options->ranks, sizeof *by_rank);
    for (unsigned i = 0; i < fired->n_members; i++)
        by_rank[fired->members[i]->rank] = fired->members[i];
    for (unsigned i = 0; i < fired->n_members; i++) {
        const struct poe_transition *to = fired->members[i];
        for (uint32_t k = 0; k < to->call.n; k++) {
            uint32_t source = isp_source_rank(to->call.list[k]);
            bool first = source_place(&to->call, (int)source, 0) == k;
            if (first && source != (uint32_t)ISP_NO_RANK && by_rank[source])
                compare_edges(x, by_rank[source], to);
        }
    }
    free(by_rank);
}

/* ---- all of it ---- */

static const struct poe_transition *find_root(const struct poe_fired *fired)
{
    for (unsigned i = 0; i < fired->n_members; i++)
        if (fired->members[i]->rank == fired->members[i]->call.root)
            return fired->members[i];
    return NULL;
}

static bool is_in_first_side(const struct poe_fired *fired, const struct poe_transition *t, unsigned n_first)
{
    for (unsigned i = 0; i < n_first; i++)
        if (fired->members[i] == t)
            return true;
    return false;
}

struct sched_misfits sched_parts_compare(const struct sched_run *run, const struct poe_fired *fired)
{
    struct comparison x = {.run = run, .fired = fired};
    const int *members;
    const struct isp_call *call = &fired->members[0]->call;
    unsigned n = poe_comm_members(run->poe, call->comm, &members),
             n_first = poe_comm_first_side(run->poe, call->comm);
    const struct poe_transition *root = find_root(fired);
    if (fired->n_members != n)
        return x.found;
    if (call->flow == ISP_FLOW_LIST) {
        compare_neighbours(&x);
    } else if (root) {
        bool in_first = n_first && is_in_first_side(fired, root, n_first);
        compare_rooted(&x, root, in_first ? n_first : 0, n_first && !in_first ? n_first : n);
    } else if (n_first) {
        compare_groups(&x, 0, n_first, n_first, n);
        compare_groups(&x, n_first, n, 0, n_first);
    } else {
        compare_groups(&x, 0, n, 0, n);
    }
    return x.found;
}

/* ---- MPI_Reduce_scatter ---- */

static uint64_t shared_members(const struct isp_call *call)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < call->n_taken; i++)
        n += isp_call_share(call, call->n_given + i).n;
    return n;
}

static bool scatter_alike(const struct sched_run *run, const struct isp_call *a, const struct isp_call *b)
{
    struct cursor x = cursor_of(a, false), y = cursor_of(b, false);
    uint64_t n = shared_members(a);
    bool alike = n == shared_members(b);
    for (uint64_t i = 0; i < n && i < (uint64_t)run->options->ranks && alike; i++)
        alike = sched_items_equal(run, cursor_next(&x), cursor_next(&y));
    return alike;
}

bool sched_parts_scatter_alike(const struct sched_run *run, const struct poe_fired *fired)
{
    unsigned n_first = poe_comm_first_side(run->poe, fired->members[0]->call.comm);
    for (unsigned i = 1; i < fired->n_members; i++) {
        const struct isp_call *first = &fired->members[n_first && i >= n_first ? n_first : 0]->call;
        if (!scatter_alike(run, first, &fired->members[i]->call))
            return false;
    }
    return true;
}

/* ---- telling ---- */

/* The rank that is an end of most of them; if there are several, one that takes. */
static int odd_rank(const struct sched_run *run, const struct sched_misfits *m)
{
    size_t *ends = sched_alloc((size_t)run->options->ranks, sizeof *ends);
    for (size_t i = 0; i < m->n; i++) {
        ends[m->list[i].from->rank]++;
        if (m->list[i].to != m->list[i].from)
            ends[m->list[i].to->rank]++;
    }
    int odd = m->list[0].to->rank;
    for (int rank = 0; rank < run->options->ranks; rank++)
        if (ends[rank] > ends[odd])
            odd = rank;
    free(ends);
    return odd;
}

static const struct sched_part *part_of(const struct sched_misfits *m, int rank)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->list[i].to->rank == rank)
            return &m->list[i];
    for (size_t i = 0; i < m->n; i++)
        if (m->list[i].from->rank == rank)
            return &m->list[i];
    return &m->list[0];
}

/* "4 MPI_INT (sendcounts[2])" */
static char *side_words(const struct sched_run *run, struct sched_items items, const char *argument, int at)
{
    char *text = sched_signature_words(run->signatures, items.type, items.count);
    if (at >= 0)
        sched_words_add(&text, " (%s[%d])", argument, at);
    return text;
}

static void tell_message(struct sched_draft *d, const struct sched_run *run, const struct sched_part *p,
                         bool taker_first, const char *given, const char *taken)
{
    int from = p->from->rank, to = p->to->rank;
    if (p->from == p->to)
        sched_draft_message(d, "rank %d gives itself %s and takes %s from itself", to, given, taken);
    else if (taker_first)
        sched_draft_message(d, "rank %d takes %s from rank %d, which gives it %s", to, taken, from, given);
    else
        sched_draft_message(d, "rank %d gives %s to rank %d, which takes %s", from, given, to, taken);
    sched_draft_message(d, ", in %s on %s", isp_fn_name((enum isp_fn)p->to->call.fn),
                        sched_draft_own(d, sched_words_comm(run, &p->to->call)));
}

static void tell_giver(struct sched_draft *d, const struct sched_part *p, const char *given)
{
    sched_draft_row(d, p->from->rank, &p->from->call,
                    sched_format("gives %s to rank %d", given, p->to->rank));
}

static void tell_taker(struct sched_draft *d, const struct sched_part *p, const char *taken)
{
    sched_draft_row(d, p->to->rank, &p->to->call,
                    sched_format("takes %s from rank %d", taken, p->from->rank));
}

/* By rank. */
static void tell_ends(struct sched_draft *d, const struct sched_part *p, const char *given, const char *taken)
{
    if (p->from == p->to)
        sched_draft_row(d, p->to->rank, &p->to->call,
                        sched_format("gives itself %s and takes %s", given, taken));
    else if (p->from->rank < p->to->rank)
        tell_giver(d, p, given), tell_taker(d, p, taken);
    else
        tell_taker(d, p, taken), tell_giver(d, p, given);
}

void sched_parts_report(struct sched_run *run, const struct sched_misfits *misfits)
{
    int odd = odd_rank(run, misfits);
    const struct sched_part *p = part_of(misfits, odd);
    bool taker = p->to->rank == odd;
    size_t more = misfits->n - 1;
    struct sched_draft *d = sched_draft_create(run, ISP_RULE_TYPE_MISMATCH);
    const char *given = sched_draft_own(d, side_words(run, p->given, "sendcounts", p->given_at));
    const char *taken = sched_draft_own(d, side_words(run, p->taken, "recvcounts", p->taken_at));
    tell_message(d, run, p, taker, given, taken);
    tell_ends(d, p, given, taken);
    sched_items_tell_difference(d, run, p->given, p->taken, "given", "taken");
    if (more)
        sched_draft_line(d, "%zu more part%s of this collective differ%s", more, more > 1 ? "s" : "",
                         more > 1 ? "" : "s");
    sched_draft_at(d, taker ? p->to : p->from);
    if (p->from != p->to)
        sched_draft_at(d, taker ? p->from : p->to);
    sched_draft_end(d);
}
