/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See change.h. Each send, receive or probe that holds a rank is looked at, the heart's first; the likeliest
 * that is found is told:
 *
 *   its message was taken by another receive, which could have taken what is there now;
 *   the request of its partner was never started;
 *   what nearly matches it (near.h);
 *   its partner has called the like with MPI_PROC_NULL, and never the right one; also where the same call
 *   nearly matches now;
 *   in a cycle: each receive of it waits for another rank than the one that has sent to it.
 *
 * If there is none of that, a message is missing: then it is told what the ranks did when all was well
 * (deeds.h): what it matched with before; or what its like matched with on other ranks; or what other ranks
 * call, and its partner does not.
 */
#include "change.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "deeds.h"
#include "isp/functions.h"
#include "near.h"
#include "partner.h"
#include "words/words.h"

enum { CLOSELY = 64 }; /* so many are compared with all that was done before */

enum worth {
    WORTH_OTHER_SOURCE = 1,
    WORTH_UNLIKELY_MISS, /* the sender may not have come to the right message yet */
    WORTH_TAKEN,
    WORTH_NULL,
    WORTH_MISS,
    WORTH_NULL_THERE, /* by the call that nearly matches now */
    WORTH_UNSTARTED,
    WORTH_EXCHANGE,
};

struct change {
    char *text;
    int worth;
};

static void offer(struct change *best, int worth, char *text)
{
    if (text && worth > best->worth) {
        free(best->text);
        *best = (struct change){text, worth};
    } else {
        free(text);
    }
}

static char *spot(const struct sched_picture *p, uint16_t fn, uint32_t site)
{
    char *place = sched_words_spot(p->run, site);
    char *text = sched_format("%s at %s", isp_fn_name((enum isp_fn)fn), place);
    free(place);
    return text;
}

static bool has_finished(const struct sched_picture *p, int rank)
{
    return rank >= 0 && rank < p->n && p->seats[rank].wait.finished;
}

/* ---- near misses ---- */

/* A rank that is in this send, or waits for the receiver, or has finished, will send nothing else. */
static bool is_certain(const struct sched_picture *p, const struct sched_near_miss *m)
{
    const struct sched_seat *s = &p->seats[m->send->rank];
    bool certain = s->wait.finished || s->wait.at == m->send;
    for (unsigned i = 0; i < s->n_pending; i++)
        certain |= s->pending[i] == m->send;
    for (unsigned i = 0; i < s->wait.n_ranks; i++)
        certain |= s->ranks[i] == m->receive->rank;
    return certain;
}

static int32_t tag_of(const struct isp_call *c)
{
    return c->flags & ISP_F_PARTITIONED ? isp_partitioned_program_tag(c->tag) : c->tag;
}

/* "tag 12 expected at f.c:43, 13 sent at f.c:47" */
static char *miss_words(const struct sched_picture *p, const struct sched_near_miss *m)
{
    const struct isp_call *r = &m->receive->call, *s = &m->send->call;
    char *here = sched_words_operation_spot(p->run, m->receive);
    char *there = sched_words_operation_spot(p->run, m->send);
    char *wanted = sched_words_comm_made(p->run, r), *sent = sched_words_comm_made(p->run, s), *text;
    if (m->differs & SCHED_OTHER_SOURCE)
        text = sched_format("a message from rank %d expected at %s, one from rank %d sent at %s", r->peer,
                            here, m->send->rank, there);
    else if (m->differs & SCHED_OTHER_TARGET)
        text = sched_format("a message to rank %d expected at %s, sent to rank %d at %s", m->receive->rank,
                            here, s->peer, there);
    else if (m->differs & SCHED_OTHER_KIND)
        text = sched_format("only one of the two is partitioned: the receive at %s, the send at %s", here,
                            there);
    else if (m->differs == SCHED_OTHER_COMM)
        text = sched_format("a message on %s expected at %s, on %s sent at %s", wanted, here, sent, there);
    else if (m->differs == SCHED_OTHER_TAG)
        text = sched_format("tag %d expected at %s, %d sent at %s", tag_of(r), here, tag_of(s), there);
    else
        text = sched_format("tag %d on %s expected at %s, tag %d on %s sent at %s", tag_of(r), wanted, here,
                            tag_of(s), sent, there);
    free(here);
    free(there);
    free(wanted);
    free(sent);
    return text;
}

static void offer_miss(struct change *best, const struct sched_picture *p,
                       const struct poe_transition *blocked)
{
    struct sched_near_miss m = sched_near_miss_find(p->run, blocked);
    if (m.worth > SCHED_NEAR_WEAK)
        offer(best, m.worth >= 3 && is_certain(p, &m) ? WORTH_MISS : WORTH_UNLIKELY_MISS, miss_words(p, &m));
}

/* Whether this send is what the rank waits for, as one of those in `waits`. */
static bool is_held_by(const struct sched_seat *s, const struct poe_transition *send, const bool *waits)
{
    bool held = s->wait.at == send;
    for (unsigned i = 0; i < s->n_pending; i++)
        held |= s->pending[i] == send;
    return held && waits[s->rank];
}

/* Each rank of the cycle has a message from another rank than the one that it waits for, or sends such a
 * message. */
static void offer_other_source(struct change *best, const struct sched_picture *p)
{
    struct sched_near_miss first = {0};
    unsigned misses = 0, told = 0;
    bool *waits = sched_alloc((size_t)p->n, sizeof *waits);
    for (unsigned i = 0; i < p->n_cycle; i++)
        waits[p->cycle[i]] = true;
    for (size_t k = 0; k < p->n_blocked; k++) {
        const struct poe_transition *t = p->blocked[k];
        if (!waits[t->rank] || t->call.op == ISP_OP_SEND)
            continue;
        struct sched_near_miss m = sched_near_miss_find(p->run, t);
        if (m.differs != SCHED_OTHER_SOURCE)
            continue;
        first = misses ? first : m;
        misses++;
        waits[t->rank] = false;
        bool sends = is_held_by(&p->seats[m.send->rank], m.send, waits);
        waits[m.send->rank] &= !sends;
        told += 1 + sends;
    }
    free(waits);
    if (misses && told == p->n_cycle)
        offer(best, WORTH_OTHER_SOURCE, miss_words(p, &first));
}

/* ---- taken by another receive, not started ---- */

static void offer_taken(struct change *best, const struct sched_picture *p,
                        const struct poe_transition *blocked)
{
    bool exchange;
    const struct isp_call *receive = sched_taken_by(p->run, blocked, &exchange);
    if (!receive || (receive->site == blocked->call.site && receive->fn == blocked->call.fn))
        return;
    char *here = sched_words_operation(p->run, blocked), *call = sched_words_call(p->run, receive);
    char *place = sched_words_spot(p->run, receive->site);
    offer(best, exchange ? WORTH_EXCHANGE : WORTH_TAKEN,
          sched_format("what %s waits for was taken by %s at %s", here, call, place));
    free(here);
    free(call);
    free(place);
}

static void offer_unstarted(struct change *best, const struct sched_picture *p,
                            const struct poe_transition *blocked)
{
    const struct sched_deeds *d = p->run->deeds;
    for (const struct sched_made *u = NULL; (u = sched_deeds_next_unstarted(d, u));) {
        if (u->rank != blocked->call.peer || sched_made_receives(u) != (blocked->call.op == ISP_OP_SEND))
            continue;
        char *made = spot(p, u->fn, u->site);
        offer(best, WORTH_UNSTARTED,
              sched_format("the request of %s is not started by rank %d", made, u->rank));
        free(made);
    }
}

/* ---- what was done before ---- */

struct past {
    const struct sched_run *run;
    const struct poe_transition *blocked;
    int peer;
    struct sched_deed own;    /* what this call matched with before, of the same partner */
    struct sched_deed alike;  /* the same of another rank's */
    struct sched_deed others; /* what other ranks call, and the partner does not */
    struct sched_deed null;   /* the partner's, with MPI_PROC_NULL */
    bool knows;               /* the partner has called the like for this rank */
};

/* Numbers of sites are not alike in all processes. */
static bool is_before(const struct sched_run *run, uint32_t a, uint32_t b)
{
    const struct sched_location *x = sched_sites_find(run->sites, a), *y = sched_sites_find(run->sites, b);
    int file = strcmp(x->file ? x->file : "", y->file ? y->file : "");
    if (file)
        return file < 0;
    return x->line != y->line ? x->line < y->line : x->offset < y->offset;
}

static bool is_better(const struct sched_run *run, const struct sched_deed *found,
                      const struct sched_deed *deed)
{
    if (!found->count || deed->count != found->count)
        return deed->count > found->count;
    return deed->rank != found->rank ? deed->rank < found->rank : is_before(run, deed->site, found->site);
}

static bool fits(const struct past *x, const struct sched_deed *deed)
{
    const struct isp_call *c = &x->blocked->call;
    return deed->comm == c->comm &&
           (c->tag == ISP_ANY_TAG || deed->tag == ISP_ANY_TAG || deed->tag == c->tag);
}

static void see(const struct sched_deed *deed, void *context)
{
    struct past *x = context;
    const struct isp_call *c = &x->blocked->call;
    bool same_side = (deed->op == ISP_OP_SEND) == (c->op == ISP_OP_SEND);
    if (deed->null) {
        if (!same_side && deed->rank == x->peer && fits(x, deed) && is_better(x->run, &x->null, deed))
            x->null = *deed;
        return;
    }
    if (same_side && deed->site == c->site && deed->fn == c->fn) {
        bool own = deed->rank == x->blocked->rank;
        struct sched_deed *found = own ? &x->own : &x->alike;
        if ((!own || deed->partner == x->peer) && is_better(x->run, found, deed))
            *found = *deed;
    }
    x->knows |= !same_side && deed->rank == x->peer && deed->partner == x->blocked->rank && fits(x, deed);
    /* With any tag, what others send to the partner says nothing of what it should send itself. */
    bool to_partner = (c->tag == ISP_ANY_TAG || deed->tag == ISP_ANY_TAG) && deed->partner == x->peer;
    if (!same_side && deed->rank != x->peer && deed->rank != x->blocked->rank && fits(x, deed) &&
        !to_partner && is_better(x->run, &x->others, deed))
        x->others = *deed;
}

static struct past look_back(const struct sched_picture *p, const struct poe_transition *blocked)
{
    struct past x = {.run = p->run, .blocked = blocked, .peer = blocked->call.peer};
    if (x.peer >= 0)
        sched_deeds_each(p->run->deeds, see, &x);
    return x;
}

/* The call of the partner that has another tag has been made with this one before, and for nobody. */
static bool is_instead_of_miss(const struct sched_picture *p, const struct poe_transition *blocked,
                               const struct sched_deed *null)
{
    struct sched_near_miss m = sched_near_miss_find(p->run, blocked);
    const struct poe_transition *other = m.send == blocked ? m.receive : m.send;
    return m.worth && m.differs == SCHED_OTHER_TAG && other->rank == null->rank &&
           other->call.site == null->site && null->tag == blocked->call.tag;
}

static void offer_null(struct change *best, const struct sched_picture *p,
                       const struct poe_transition *blocked)
{
    struct past x = look_back(p, blocked);
    if (!x.null.count || x.knows)
        return;
    bool sends = blocked->call.op == ISP_OP_SEND;
    char *here = sched_words_operation(p->run, blocked), *there = spot(p, x.null.fn, x.null.site);
    offer(best, is_instead_of_miss(p, blocked, &x.null) ? WORTH_NULL_THERE : WORTH_NULL,
          sched_format("%s waits for rank %d, which %s MPI_PROC_NULL in %s", here, x.peer,
                       sends ? "receives from" : "sends to", there));
    free(here);
    free(there);
}

static const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

/* " (3 before, the last from MPI_Send at f.c:7)", of when it went well; empty: it never did. */
static char *before_words(const struct sched_picture *p, const struct poe_transition *blocked)
{
    struct past x = look_back(p, blocked);
    const char *by = blocked->call.op == ISP_OP_SEND ? "received by" : "sent by";
    char *text = NULL, *place = NULL;
    if (x.own.count) {
        place = spot(p, x.own.partner_fn, x.own.partner_site);
        text = sched_format(" (%" PRIu64 " message%s before, %s %s)", x.own.count, plural(x.own.count), by,
                            place);
    } else if (x.alike.count) {
        place = spot(p, x.alike.partner_fn, x.alike.partner_site);
        text = sched_format(" (that of rank %d was %s %s)", x.alike.rank, by, place);
    } else if (x.others.count && !x.knows) {
        place = spot(p, x.others.fn, x.others.site);
        text = sched_format(" (as rank %d calls %s)", x.others.rank, place);
    }
    free(place);
    return text ? text : sched_strdup("");
}

/* "no send for MPI_Recv at f.c:7 (...)", if there is something to say of before. */
static char *missing_words(const struct sched_picture *p, const struct poe_transition *t)
{
    if (t->call.flags & ISP_F_SIGNAL || t->held)
        return NULL;
    char *before = before_words(p, t), *here = sched_words_operation(p->run, t);
    char *text =
        *before ? sched_format("no %s for %s%s", t->call.op == ISP_OP_SEND ? "receive" : "send", here, before)
                : NULL;
    free(before);
    free(here);
    return text;
}

static bool is_at_heart(const struct sched_picture *p, const bool *in_cycle, const struct poe_transition *t)
{
    if (p->n_cycle)
        return in_cycle[t->rank] && in_cycle[t->call.peer];
    return t->rank == p->heart->rank || has_finished(p, t->call.peer);
}

/* Messages that are missing, of those at the heart: two at most, and no two that read the same. */
static char *missing(const struct sched_picture *p)
{
    char *text = NULL;
    unsigned n = 0, looked = 0;
    bool *in_cycle = sched_alloc((size_t)p->n, sizeof *in_cycle);
    for (unsigned i = 0; i < p->n_cycle; i++)
        in_cycle[p->cycle[i]] = true;
    for (size_t i = 0; i < p->n_blocked && n < 2 && looked < CLOSELY; i++) {
        const struct poe_transition *t = p->blocked[i];
        if (t->call.peer < 0 || !is_at_heart(p, in_cycle, t))
            continue;
        looked++;
        char *one = missing_words(p, t);
        if (one && (!text || !strstr(text, one))) {
            sched_words_add(&text, "%s%s", text ? ", " : "", one);
            n++;
        }
        free(one);
    }
    free(in_cycle);
    return text;
}

char *sched_change(const struct sched_picture *p)
{
    struct change best = {0};
    if (!p->heart)
        return NULL;
    for (size_t i = 0; i < p->n_blocked; i++) {
        const struct poe_transition *t = p->blocked[i];
        if (t->call.flags & ISP_F_SIGNAL || t->held)
            continue;
        offer_taken(&best, p, t);
        offer_unstarted(&best, p, t);
        offer_miss(&best, p, t);
        if (i < CLOSELY)
            offer_null(&best, p, t);
    }
    if (!best.text)
        offer_other_source(&best, p);
    return best.text ? best.text : missing(p);
}
