/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See near.h. An operation that holds its rank is compared with all that nobody has matched. What is told
 * must be plausible:
 *
 *   the tag, the communicator, or both differ; or one of the two is partitioned and the other is not;
 *   the source differs, and the rank that is waited for has finished;
 *   the message went to another rank, which has finished without receiving it.
 *
 * And a message that a wildcard took, if its sender is waited for and has finished, or if the wildcard could
 * have taken another one that is still there; or that a receive took before a probe looked for it.
 */
#include "near.h"

#include <string.h>

#include "base/alloc.h"
#include "deeds.h"
#include "words/words.h"

enum { SHOWN = 4 };

struct search {
    struct sched_run *run;
    const struct poe_transition *blocked;
    struct sched_near_miss best; /* worth 0: there is none */
};

/* ---- looking ---- */

static int32_t tag_of(const struct isp_call *c)
{
    return c->flags & ISP_F_PARTITIONED ? isp_partitioned_program_tag(c->tag) : c->tag;
}

static unsigned differences(const struct poe_transition *send, const struct poe_transition *receive)
{
    const struct isp_call *s = &send->call, *r = &receive->call;
    unsigned differs = 0;
    if (r->tag != ISP_ANY_TAG && tag_of(r) != tag_of(s))
        differs |= SCHED_OTHER_TAG;
    if (r->comm != s->comm)
        differs |= SCHED_OTHER_COMM;
    if ((r->flags ^ s->flags) & ISP_F_PARTITIONED)
        differs |= SCHED_OTHER_KIND;
    if (r->peer != ISP_ANY_SOURCE && r->peer != send->rank)
        differs |= SCHED_OTHER_SOURCE;
    if (s->peer != receive->rank)
        differs |= SCHED_OTHER_TARGET;
    return differs;
}

static bool has_finished(const struct search *x, int rank)
{
    return rank >= 0 && rank < x->run->options->ranks && poe_wait(x->run->poe, rank)->finished;
}

static int worth_of(const struct search *x, const struct sched_near_miss *m)
{
    bool waits = m->receive == x->blocked;
    switch (m->differs) {
    case SCHED_OTHER_TAG:
    case SCHED_OTHER_COMM:
    case SCHED_OTHER_KIND: return 4;
    case SCHED_OTHER_SOURCE: return !waits ? 0 : has_finished(x, m->receive->call.peer) ? 3 : SCHED_NEAR_WEAK;
    case SCHED_OTHER_TARGET:
        return waits && m->receive->call.peer >= 0 && has_finished(x, m->send->call.peer) ? 3 : 0;
    case SCHED_OTHER_TAG | SCHED_OTHER_COMM: return 2;
    default: return 0;
    }
}

static bool is_open(const struct poe_transition *t)
{
    const struct isp_call *c = &t->call;
    bool message =
        c->op == ISP_OP_SEND || c->op == ISP_OP_PROBE || (c->op == ISP_OP_RECV && c->mode == ISP_RECV_NORMAL);
    return message && !t->matched && !t->held && c->peer != ISP_NO_RANK && !(c->flags & ISP_F_SIGNAL);
}

static void see(const struct poe_transition *t, void *context)
{
    struct search *x = context;
    bool sends = x->blocked->call.op == ISP_OP_SEND;
    if (!is_open(t) || (t->call.op == ISP_OP_SEND) == sends)
        return;
    struct sched_near_miss m = {sends ? x->blocked : t, sends ? t : x->blocked, 0, 0};
    m.differs = differences(m.send, m.receive);
    m.worth = worth_of(x, &m);
    if (m.worth > x->best.worth)
        x->best = m;
}

struct sched_near_miss sched_near_miss_find(struct sched_run *run, const struct poe_transition *blocked)
{
    struct search x = {.run = run, .blocked = blocked};
    if (is_open(blocked))
        poe_each_live(run->poe, see, &x);
    return x.best;
}

/* ---- telling ---- */

/* "tag 7 from rank 0 on MPI_COMM_WORLD", as far as it matters. */
static char *wanted(const struct sched_near_miss *m, const char *comm)
{
    char *text = m->differs & SCHED_OTHER_TAG ? sched_format("tag %d", tag_of(&m->receive->call))
                                              : sched_format("a message");
    if (m->receive->call.peer == ISP_ANY_SOURCE)
        sched_words_add(&text, " from any rank");
    else
        sched_words_add(&text, " from rank %d", m->receive->call.peer);
    if (m->differs & SCHED_OTHER_COMM)
        sched_words_add(&text, " on %s", comm);
    return text;
}

static char *had(const struct sched_near_miss *m, const char *comm, bool same_words)
{
    char *text = m->receive->call.peer == m->send->rank ? sched_format(", which sends")
                 : m->differs & SCHED_OTHER_SOURCE
                     ? sched_format(", which has finished; rank %d sends", m->send->rank)
                     : sched_format(", and rank %d sends", m->send->rank);
    if (m->differs & SCHED_OTHER_TARGET)
        sched_words_add(&text, " it to rank %d", m->send->call.peer);
    else if (m->differs & SCHED_OTHER_TAG)
        sched_words_add(&text, " it tag %d", tag_of(&m->send->call));
    else
        sched_words_add(&text, " it one");
    if (m->differs & SCHED_OTHER_COMM)
        sched_words_add(&text, same_words ? " on another %s" : " on %s", comm);
    if (m->differs & SCHED_OTHER_KIND)
        sched_words_add(&text, ", but only one of the two is partitioned");
    return text;
}

static void tell(struct sched_draft *d, const struct sched_run *run, const struct sched_near_miss *m,
                 bool waits)
{
    const struct poe_transition *receive = m->receive, *shown = waits ? m->send : receive;
    const char *here = sched_draft_own(d, sched_words_comm_made(run, &receive->call));
    const char *there = sched_draft_own(d, sched_words_comm_made(run, &m->send->call));
    const char *want = sched_draft_own(d, wanted(m, here));
    const char *have = sched_draft_own(d, had(m, there, strcmp(here, there) == 0));
    const char *verb = !waits                             ? "has asked for"
                       : receive->call.flags & ISP_F_POLL ? "polls for"
                                                          : "waits for";
    sched_draft_line(d, "near miss: rank %d %s %s%s [%s, %s]", receive->rank, verb, want, have,
                     sched_draft_call(d, &shown->call), sched_draft_place(d, shown->call.site));
}

static bool is_among(const struct poe_transition *const *all, size_t n, const struct poe_transition *t)
{
    for (size_t i = 0; i < n; i++)
        if (all[i] == t)
            return true;
    return false;
}

/* Whether it was told from the other end. */
static bool is_told(const struct sched_near_miss *told, size_t n, const struct sched_near_miss *m)
{
    for (size_t i = 0; i < n; i++)
        if (told[i].send == m->send && told[i].receive == m->receive)
            return true;
    return false;
}

/* A receive that was called before, and got the message that a probe waits for; or a matched probe that has
 * one which nobody has received. */
struct thief {
    const struct poe_transition *blocked, *found;
};

static void see_thief(const struct poe_transition *t, void *context)
{
    struct thief *x = context;
    const struct isp_call *call = &x->blocked->call;
    bool takes = t->call.op == ISP_OP_PROBE ? t->call.flags & ISP_F_MATCHED
                                            : t->call.op == ISP_OP_RECV && call->op == ISP_OP_PROBE;
    bool fits = takes && t->rank == x->blocked->rank && t->matched && t->call.comm == call->comm &&
                (call->peer == ISP_ANY_SOURCE || call->peer == t->source) &&
                (call->tag == ISP_ANY_TAG || call->tag == t->tag);
    if (fits)
        x->found = t;
}

static const struct isp_call *find_thief(struct sched_run *run, const struct poe_transition *blocked)
{
    struct thief x = {.blocked = blocked};
    if (blocked->call.op != ISP_OP_SEND)
        poe_each_live(run->poe, see_thief, &x);
    return x.found ? &x.found->call : NULL;
}

/* Whether it could as well have taken another message, which is still there. */
struct exchange {
    const struct sched_taken_message *taken;
    int rank;
    bool possible;
};

static void see_other(const struct poe_transition *t, void *context)
{
    struct exchange *x = context;
    const struct isp_call *receive = &x->taken->receive;
    x->possible |= t->call.op == ISP_OP_SEND && is_open(t) && t->call.peer == x->rank &&
                   t->call.comm == receive->comm &&
                   (receive->peer == ISP_ANY_SOURCE || receive->peer == t->rank) &&
                   (receive->tag == ISP_ANY_TAG || receive->tag == t->call.tag);
}

static bool could_exchange(struct sched_run *run, const struct sched_taken_message *taken, int rank)
{
    struct exchange x = {taken, rank, false};
    poe_each_live(run->poe, see_other, &x);
    return x.possible;
}

const struct isp_call *sched_taken_by(struct sched_run *run, const struct poe_transition *blocked,
                                      bool *exchange)
{
    const struct isp_call *call = &blocked->call;
    const struct isp_call *thief = find_thief(run, blocked);
    *exchange = thief;
    if (thief || call->op == ISP_OP_SEND || call->peer < 0)
        return thief;
    const struct sched_taken_message *taken = sched_deeds_taken(run->deeds, blocked->rank, call->peer);
    if (!taken || taken->send_comm != call->comm ||
        (call->tag != ISP_ANY_TAG && call->tag != taken->send_tag))
        return NULL;
    *exchange = could_exchange(run, taken, blocked->rank);
    bool finished = call->tag != ISP_ANY_TAG && poe_wait(run->poe, call->peer)->finished;
    return *exchange || finished ? &taken->receive : NULL;
}

static bool tell_taken(struct sched_draft *d, const struct search *x)
{
    bool exchange;
    const struct isp_call *receive = sched_taken_by(x->run, x->blocked, &exchange);
    if (receive)
        sched_draft_line(d, "the message of rank %d was taken by %s at %s", x->blocked->call.peer,
                         sched_draft_call(d, receive), sched_draft_place(d, receive->site));
    return receive != NULL;
}

char sched_near_miss_kind(struct sched_run *run, const struct poe_transition *blocked)
{
    struct sched_near_miss best = sched_near_miss_find(run, blocked);
    bool exchange;
    if (best.worth && !(best.differs & (SCHED_OTHER_SOURCE | SCHED_OTHER_TARGET)))
        return (char)('0' + best.differs);
    return is_open(blocked) && sched_taken_by(run, blocked, &exchange) ? 't' : '-';
}

void sched_near_misses_tell(struct sched_run *run, const struct poe_transition *const *blocked, size_t n,
                            struct sched_draft *draft)
{
    struct sched_near_miss told[SHOWN];
    size_t n_told = 0;
    unsigned lines = 0;
    for (size_t i = 0; i < n && lines < SHOWN; i++) {
        struct search x = {.run = run, .blocked = blocked[i]};
        if (!is_open(blocked[i]))
            continue;
        x.best = sched_near_miss_find(run, blocked[i]);
        if (x.best.worth > SCHED_NEAR_WEAK && !is_told(told, n_told, &x.best)) {
            tell(draft, run, &x.best, is_among(blocked, n, x.best.receive));
            told[n_told++] = x.best;
            lines++;
        }
        lines += tell_taken(draft, &x);
    }
}
