/* SPDX-License-Identifier: BSD-3-Clause */
/* See ahead.h. */
#include "ahead.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/alloc.h"
#include "base/now.h"
#include "delivery.h"
#include "forced.h"
#include "frames.h"
#include "isp/functions.h"
#include "isp/outcome.h"
#include "poe/poe.h"

static const double STUCK_S = 0.5;       /* so long nothing moves before ranks are believed to be stuck ... */
static const double STUCK_RANK_S = 0.02; /* ... and for each rank so much more */
/* isp works for such a part of the time that it was away before, and for so long at least */
static const double WORK_PART = 1 / 8.0, LEAST_WORK_S = 50e-6;

struct sched_outcome {
    uint64_t index;
    int32_t source, tag;
    uint32_t n, *list;
    UT_hash_handle hh;
};

static bool is_on(const struct sched_world *w) { return w->in->settings.ahead; }

static struct sched_ahead_rank *of(const struct sched_world *w, int rank)
{
    return &w->in->ranks[rank].ahead;
}

static struct sched_outcome *find_of(const struct sched_world *w, int rank, uint64_t index)
{
    struct sched_outcome *o;
    HASH_FIND(hh, of(w, rank)->outcomes, &index, sizeof index, o);
    return o;
}

static void give_up(struct sched_world *w, char *why)
{
    if (w->ending == SCHED_END_NONE)
        w->not_ahead = why;
    else
        free(why);
    sched_world_end(w, SCHED_END_NOT_FORKED);
}

static bool is_behind(const struct sched_ahead_rank *a) { return a->later_at < a->later.size; }

/* ---- frames ---- */

/* MPI says yes now to a poll that isp is asked about. False: isp has answered. */
static bool agree(struct sched_world *w, int rank, const struct sched_outcome *o)
{
    struct sched_rank *r = &w->in->ranks[rank];
    uint64_t next = poe_next_index(w->run->poe, rank, 0);
    bool is_present = o->index + 1 == next && r->waiting && r->ahead.asks && !r->n_new_releases;
    if (o->index < next && !is_present)
        return false;
    if (is_present)
        r->ahead.asks = false;
    sched_delivery_agree(w, rank,
                         &(struct isp_result){.flag = 1,
                                              .new_comm = ISP_NO_COMM,
                                              .source = o->source,
                                              .tag = o->tag,
                                              .n = o->n,
                                              .list = o->list});
    return true;
}

static void take_outcome(struct sched_world *w, int rank, struct isp_reader *in)
{
    size_t most = (size_t)(in->end - in->at) / 4;
    struct sched_outcome *o = sched_alloc(1, sizeof *o);
    struct isp_outcome told;
    o->list = sched_alloc(most + 1, sizeof *o->list);
    isp_get_outcome(in, &told, o->list, (uint32_t)most);
    o->index = told.index;
    o->source = told.source;
    o->tag = told.tag;
    o->n = told.n;
    const struct sched_outcome *old = find_of(w, rank, o->index);
    if (in->ok && !old && told.asked && !agree(w, rank, o)) {
        free(o->list);
        free(o);
        return;
    }
    if (old || !in->ok) { /* each is told once */
        in->ok = false;
        free(o->list);
        free(o);
        return;
    }
    HASH_ADD(hh, of(w, rank)->outcomes, index, sizeof o->index, o);
}

static void take_refusal(struct sched_world *w, struct isp_reader *in)
{
    uint32_t n;
    const char *what = isp_get_str(in, &n);
    if (in->ok)
        give_up(w, sched_must(strndup(what, n)));
}

/* The rank is about to end, and will call nothing more. */
static bool is_last(uint8_t type, const struct isp_reader *in)
{
    struct isp_reader r = *in;
    if (type != ISP_MSG_FINDING)
        return type == ISP_MSG_CRASH || type == ISP_MSG_ABORT || type == ISP_MSG_EXIT;
    isp_get_uint(&r, 4); /* rule, function */
    isp_get_u64(&r);     /* site, count */
    return isp_get_u8(&r) != ISP_LIVES;
}

bool sched_ahead_keeps(struct sched_world *w, int rank, uint8_t type, struct isp_reader *in)
{
    struct sched_ahead_rank *a = of(w, rank);
    if (!is_on(w))
        return false;
    switch (type) {
    case ISP_MSG_OUTCOME: take_outcome(w, rank, in); return true;
    case ISP_MSG_NOT_AHEAD: take_refusal(w, in); return true;
    case ISP_MSG_STUCK: a->stuck = isp_get_u8(in); return true;
    case ISP_MSG_CALLS: a->stuck = false; break;
    default: break;
    }
    a->dies |= is_last(type, in);
    if (!w->in->ranks[rank].waiting && !is_behind(a))
        return false;
    w->in->ranks[rank].heard_s = sched_now_s();
    size_t at = isp_frame_begin(&a->later, type);
    isp_put_bytes(&a->later, in->at, (size_t)(in->end - in->at));
    isp_frame_end(&a->later, at);
    return true;
}

bool sched_ahead_keeps_end(struct sched_world *w, int rank)
{
    struct sched_ahead_rank *a = of(w, rank);
    if (!is_on(w) || !is_behind(a))
        return false;
    a->ends = true;
    return true;
}

static bool feed(struct sched_world *w, int rank)
{
    struct sched_ahead_rank *a = of(w, rank);
    bool any = false;
    while (!w->in->ranks[rank].waiting && is_behind(a) && w->ending == SCHED_END_NONE) {
        struct isp_reader r = isp_reader_of_buf(&a->later, a->later_at);
        uint32_t length = isp_get_u32(&r);
        uint8_t type = isp_get_u8(&r);
        struct isp_reader payload = isp_reader_of(r.at, length - 1);
        a->later_at += 4 + (size_t)length;
        sched_frames_take_one(w, rank, type, &payload);
        any = true;
    }
    if (is_behind(a))
        return any;
    a->later_at = a->later.size = 0;
    if (!a->ends)
        return any;
    a->ends = false;
    sched_world_gone(w, rank);
    return true;
}

/* Ranks on one host wait for one another: while isp has the core of some, those on the other cores get no
 * further either. So it works in small pieces, and in larger ones if ranks compute, which do not give the
 * core back soon. (sched_link_yield, which then keeps the core for 20 ms, gains half as much.) */
static void give_way(struct sched_world *w)
{
    double before_s = sched_now_s();
    if (before_s < w->in->works_until_s)
        return;
    sched_yield();
    double now_s = sched_now_s(), work_s = WORK_PART * (now_s - before_s);
    w->in->works_until_s = now_s + (work_s > LEAST_WORK_S ? work_s : LEAST_WORK_S);
}

bool sched_ahead_feed(struct sched_world *w)
{
    bool any = false;
    if (!is_on(w))
        return false;
    give_way(w);
    for (int i = 0; i < w->n; i++)
        any |= feed(w, i);
    return any;
}

/* ---- numbers ---- */

int32_t sched_ahead_comm(const struct sched_world *w, int rank, int32_t comm)
{
    const struct sched_ahead_rank *a = of(w, rank);
    if (!is_on(w) || comm < ISP_COMMS_AHEAD)
        return comm;
    uint32_t number = (uint32_t)(comm - ISP_COMMS_AHEAD);
    return number < a->n_comms ? a->comms[number] : ISP_NO_COMM;
}

uint32_t sched_ahead_handle(const struct sched_world *w, int rank, uint32_t handle)
{
    const struct sched_ahead_rank *a = of(w, rank);
    return is_on(w) && handle < a->n_handles ? a->handles[handle] : handle;
}

/* The rank may use a slot again while poe still knows its last operation: then it is another one here. */
static uint32_t new_handle(struct sched_world *w, int rank, uint32_t handle)
{
    struct sched_ahead_rank *a = of(w, rank);
    uint32_t mine = handle;
    if (handle >= ISP_HANDLES_MAX)
        return handle; /* poe refuses it */
    for (; poe_operation(w->run->poe, rank, mine); a->next_handle = (a->next_handle + 1) % ISP_HANDLES_MAX)
        mine = a->next_handle;
    if (handle >= a->n_handles) {
        uint32_t n = handle < 32 ? 64 : 2 * handle;
        a->handles = sched_grow(a->handles, n, sizeof *a->handles);
        for (uint32_t i = a->n_handles; i < n; i++)
            a->handles[i] = i;
        a->n_handles = n;
    }
    a->handles[handle] = mine;
    return mine;
}

/* The rank has given it the next number. */
static void note_maker(struct sched_ahead_rank *a, const struct isp_call *call)
{
    int32_t comm = ISP_COMMS_AHEAD + (int32_t)a->n_made++;
    if (!(call->flags & ISP_F_SLOT)) {
        a->making = comm;
        return;
    }
    a->makers = sched_grow(a->makers, a->n_makers + 1, sizeof *a->makers);
    a->makers[a->n_makers++] = (struct sched_ahead_maker){call->handle, comm};
}

void sched_ahead_rename(struct sched_world *w, int rank, struct isp_call *call)
{
    struct sched_ahead_rank *a = of(w, rank);
    if (!is_on(w))
        return;
    call->comm = sched_ahead_comm(w, rank, call->comm);
    if (call->op == ISP_OP_COLLECTIVE && call->mode == ISP_MAKE_INTER)
        call->color = sched_ahead_comm(w, rank, call->color);
    for (uint32_t i = 0; i < call->n && isp_call_names(call); i++)
        w->in->list[i] = sched_ahead_handle(w, rank, w->in->list[i]);
    if (isp_call_has_slot(call))
        call->handle = new_handle(w, rank, call->handle);
    else if (call->op == ISP_OP_FREE || call->op == ISP_OP_CANCEL)
        call->handle = sched_ahead_handle(w, rank, call->handle);
    if (call->flags & ISP_F_FENCE) {
        a->asks = call->flags & ISP_F_ASKS && !find_of(w, rank, poe_next_index(w->run->poe, rank, 0));
        a->polls = call->flags & ISP_F_POLL;
        a->making = ISP_NO_COMM;
    }
    if (call->op == ISP_OP_COLLECTIVE && isp_makes_communicator(call->mode))
        note_maker(a, call);
    call->flags &= ~(uint32_t)ISP_F_ASKS; /* the same record as of a rank that waits */
}

static void name_communicator(struct sched_ahead_rank *a, int32_t comm, int32_t number)
{
    uint32_t at = (uint32_t)(comm - ISP_COMMS_AHEAD);
    if (at >= a->n_comms) {
        uint32_t n = 2 * at + 16;
        a->comms = sched_grow(a->comms, n, sizeof *a->comms);
        for (uint32_t i = a->n_comms; i < n; i++)
            a->comms[i] = ISP_NO_COMM;
        a->n_comms = n;
    }
    a->comms[at] = number;
}

/* ---- what poe says ---- */

static void take_action(struct sched_ahead_rank *a, const struct isp_action *action)
{
    for (uint32_t i = 0; i < a->n_makers && action->kind == ISP_ACTION_ISSUE; i++)
        if (a->makers[i].handle == action->handle) {
            name_communicator(a, a->makers[i].comm, action->peer);
            a->makers[i] = a->makers[--a->n_makers];
            return;
        }
}

bool sched_ahead_takes(struct sched_world *w, const struct poe_effect *e)
{
    struct sched_rank *r = &w->in->ranks[e->rank];
    struct sched_ahead_rank *a = &r->ahead;
    if (!is_on(w))
        return false;
    if (!e->release) {
        take_action(a, &e->action);
        return true;
    }
    if (a->making != ISP_NO_COMM)
        name_communicator(a, a->making, e->result.new_comm);
    a->making = ISP_NO_COMM;
    if (a->asks)
        return false;
    if (a->polls && !e->result.flag) { /* MPI has said yes */
        sched_world_end(w, SCHED_END_NOT_FORKED);
        return true;
    }
    r->quiet = r->quiet_told = false;
    r->waiting--;
    r->n_releases++;
    return true;
}

/* The others have come about, and the rank must see to it that their data is there: as it is in a rank that
 * waits. */
void sched_ahead_finalize(struct sched_world *w, int rank, struct isp_result result)
{
    struct sched_ahead_rank *a = of(w, rank);
    uint32_t *list = sched_alloc(a->n_handles + 1, sizeof *list);
    result.n = 0;
    for (uint32_t i = 0; i < a->n_handles; i++) {
        const struct poe_transition *t = poe_operation(w->run->poe, rank, a->handles[i]);
        if (t && !t->matched && (t->call.op == ISP_OP_RECV || t->call.op == ISP_OP_COLLECTIVE))
            list[result.n++] = i;
    }
    result.list = list;
    isp_put_result(&w->in->ranks[rank].releases, &result);
    free(list);
}

/* ---- choices ---- */

static struct sched_outcome *find(const struct sched_world *w, const struct poe_transition *t)
{
    return find_of(w, t->rank, t->index);
}

/* A poll says so beforehand if MPI has said yes; else it asks. */
static bool is_decided_here(const struct sched_world *w, const struct poe_choice *c)
{
    const struct isp_call *call = &c->transition->call;
    bool told = call->op == ISP_OP_RECV || call->op == ISP_OP_PROBE || call->op == ISP_OP_COMPLETE;
    return !told || (call->flags & ISP_F_POLL && !find(w, c->transition));
}

/* The message of a receive or probe, or -1 (cancelled); false: its rank has not said so yet. */
static bool find_message(const struct sched_world *w, const struct poe_transition *t, int32_t *source,
                         int32_t *tag)
{
    const struct isp_call *c = &t->call;
    const struct sched_outcome *o = isp_call_tells_message(c) ? find(w, t) : NULL;
    *source = o ? o->source : c->peer;
    *tag = o ? o->tag : c->tag;
    return o || !isp_call_tells_message(c);
}

/* Receives of the rank that were called before this one, and could have had its message. */
struct earlier {
    const struct sched_world *world;
    const struct poe_transition *t;
    int32_t source, tag;
    bool unknown; /* one of them has got some message, and it is not told which */
    bool takes;   /* one of them has got one like it: it came first */
};

static void see_earlier(const struct poe_transition *e, void *context)
{
    struct earlier *x = context;
    const struct isp_call *c = &e->call;
    int32_t source, tag;
    if (e->rank != x->t->rank || e->index >= x->t->index || c->op != ISP_OP_RECV || e->matched ||
        c->mode == ISP_RECV_MESSAGE || c->comm != x->t->call.comm ||
        (c->peer != ISP_ANY_SOURCE && c->peer != x->source) || (c->tag != ISP_ANY_TAG && c->tag != x->tag))
        return;
    if (!find_message(x->world, e, &source, &tag))
        x->unknown = true;
    else
        x->takes |= source == x->source && tag == x->tag;
}

static bool is_message(const struct poe_alternative *a, int32_t source, int32_t tag)
{
    return a->kind == POE_TAKE_MESSAGE && a->source == source && a->send->call.tag == tag;
}

enum { UNKNOWN = -2, FREE = -1 };

/* Messages of one sender with one tag go to receives in the order in which these were called (MPI-4.1,
 * section 3.5). So one that was called before, and is still open in poe, may have had the message that poe
 * offers. If it could have, it has got one: so who waits for it to be told does not wait for ever. */
static int find_taken(const struct sched_world *w, const struct poe_choice *c)
{
    struct earlier x = {.world = w, .t = c->transition};
    if (!find_message(w, c->transition, &x.source, &x.tag))
        return UNKNOWN;
    bool cancelled = x.source == ISP_NO_RANK;
    unsigned k = 0;
    while (k < c->n && !(cancelled ? c->alternatives[k].kind == POE_CANCEL
                                   : is_message(&c->alternatives[k], x.source, x.tag)))
        k++;
    if (cancelled || k == c->n)
        return (int)k;
    poe_each_live_of(w->run->poe, c->transition->rank, see_earlier, &x);
    return x.unknown ? UNKNOWN : x.takes ? (int)c->n : (int)k;
}

static int find_completed(const struct sched_world *w, const struct poe_choice *c)
{
    const struct sched_outcome *o = find(w, c->transition);
    unsigned k = 0;
    for (; o && k < c->n; k++) {
        const struct poe_alternative *a = &c->alternatives[k];
        if (a->kind == POE_TAKE_SUBSET && a->n == o->n &&
            (!a->n || memcmp(a->positions, o->list, a->n * sizeof *o->list) == 0))
            break;
    }
    return o ? (int)k : UNKNOWN;
}

int sched_ahead_shown(const struct sched_world *w, const struct poe_choice *c)
{
    if (!is_on(w) || is_decided_here(w, c))
        return FREE;
    return c->transition->call.op == ISP_OP_COMPLETE ? find_completed(w, c) : find_taken(w, c);
}

bool sched_ahead_has_shown(struct sched_world *w)
{
    const struct poe_choice *c = poe_choice(w->run->poe);
    if (!is_on(w) || sched_ahead_shown(w, c) != UNKNOWN)
        return true;
    const struct sched_ahead_rank *a = of(w, c->transition->rank);
    if (a->dies || a->ends) /* MPI knew it, and nobody has asked */
        sched_world_end(w, SCHED_END_NOT_FORKED);
    return false;
}

static void drop(struct sched_ahead_rank *a, struct sched_outcome *o)
{
    HASH_DEL(a->outcomes, o);
    free(o->list);
    free(o);
}

void sched_ahead_fired(struct sched_world *w, const struct poe_fired *f)
{
    for (unsigned i = 0; i < f->n_members && is_on(w); i++) {
        struct sched_outcome *o = f->members[i]->call.op == ISP_OP_SEND ? NULL : find(w, f->members[i]);
        if (o)
            drop(of(w, f->members[i]->rank), o);
    }
}

/* ---- where MPI and poe differ ---- */

bool sched_ahead_is_behind(const struct sched_world *w, bool dying)
{
    int i = 0;
    while (i < w->n && !(is_behind(of(w, i)) && (of(w, i)->dies || !dying)))
        i++;
    return i < w->n;
}

bool sched_ahead_is_disproved(struct sched_world *w)
{
    for (int i = 0; i < w->n && is_on(w) && !w->in->settings.eager; i++) {
        const struct sched_rank *r = &w->in->ranks[i];
        if (r->waiting && !r->ahead.asks && is_behind(&r->ahead)) {
            give_up(w, sched_format("%s went on where isp's model of MPI waits", isp_fn_name(r->fn)));
            return true;
        }
    }
    return false;
}

/* All ranks wait, be it in MPI or for isp, and isp has nothing that it could do: else it would have done
 * it, or called it a deadlock. In a run that begins with given decisions these may not be possible, or
 * what a receive has got is not told, since nobody asks: that is no matter of MPI's. */
void sched_ahead_check(struct sched_world *w)
{
    double limit_s = STUCK_S + STUCK_RANK_S * w->n;
    if (!is_on(w) || w->ending != SCHED_END_NONE || w->in->stuck || sched_now_s() - w->in->news_s < limit_s)
        return;
    const struct sched_rank *stuck = NULL;
    for (int i = 0; i < w->n; i++) {
        const struct sched_rank *r = &w->in->ranks[i];
        if (!r->gone && !r->stopped && !r->ahead.stuck)
            return;
        stuck = r->ahead.stuck && !r->waiting ? r : stuck;
    }
    if (!stuck && !w->in->untold)
        return;
    if (stuck && sched_forced_is_empty(w->run->forced))
        give_up(w, sched_format("%s waits where isp's model of MPI goes on", isp_fn_name(stuck->fn)));
    else
        sched_world_end(w, SCHED_END_NOT_FORKED);
}

void sched_ahead_finish(struct sched_ahead_rank *a)
{
    struct sched_outcome *o, *next;
    HASH_ITER (hh, a->outcomes, o, next)
        drop(a, o);
    isp_buf_finish(&a->later);
    free(a->handles);
    free(a->comms);
    free(a->makers);
}
