/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an event needs to be done: the rules, from what was told of the run. Sections are of MPI-4.0.
 *
 *   3.4, 3.6     a send in synchronous mode, and a standard one that is not buffered, is complete with its
 *                receive; others at once. MPI_Buffer_detach likewise, with all messages in the buffer
 *   3.5          messages do not overtake: a receive or probe takes a message when both are there, all
 *                earlier messages of the channel that it accepts are gone, and so are all earlier receives of
 *                its rank that accept the message
 *   3.7.3, 3.7.5 Wait is done when its request is complete; Waitall, when all are; Waitany, Waitsome and a
 *                Test that said yes, when those are that it completed. A Test that said no needs nothing
 *   3.8          Probe is a receive that leaves the message there. Mprobe takes it out, and its Mrecv needs
 *                nothing else
 *   3.8.4        an operation that was cancelled is complete, and gone, when MPI_Cancel was called
 *   3.10         what is sent to or received from MPI_PROC_NULL is complete at once
 *   4.2          a partitioned message goes from its last Pready on; its units that could not be paired are
 *                complete with the whole
 *   6.12, 6.14   members of a collective wait for all; where standard sends are buffered, for those of which
 *                they get data (enum isp_flow)
 *   11.2.2       MPI_Finalize is collective over all ranks
 *
 * Where several receives or messages must be gone, only the last one of each envelope is named, since it
 * needs the one of the same envelope before it: so a message needs no more than four receives.
 */
#include "run.h"

#include <stdlib.h>

#include "table.h"

struct channel {
    int32_t first, last; /* from the last message on that a receive of any tag took or found */
};

struct rules {
    struct cuts_run *run;
    struct cuts_table receives; /* the last one of an envelope */
    struct cuts_table sends;    /* the last one of a channel and tag */
    struct cuts_table channels;
    struct channel *all;
    int32_t n, room;
    int32_t *gone; /* by event: a node, of cancelled ones */
};

static struct cuts_event *event(const struct rules *w, int32_t number) { return &w->run->events[number]; }

static void need(struct rules *w, int32_t node, cuts_point point) { cuts_node_need(w->run, node, point); }

static void need_node(struct rules *w, int32_t node, int32_t other) { need(w, node, cuts_node_point(other)); }

/* What the event needs to be done, as a node. */
static int32_t node_of(struct rules *w, int32_t number)
{
    struct cuts_event *e = event(w, number);
    if (e->node == CUTS_NONE)
        e->node = cuts_node_add(w->run);
    return e->node;
}

static void need_done(struct rules *w, int32_t node, int32_t number)
{
    need(w, node, number);
    need_node(w, node, node_of(w, number));
}

static bool is(const struct cuts_event *e, uint32_t flag) { return e->call.flags & flag; }

static bool to_nobody(const struct cuts_event *e) { return e->call.peer == ISP_NO_RANK; }

static int32_t next_of_rank(const struct rules *w, int32_t number)
{
    const struct cuts_event *e = event(w, number);
    return cuts_event(w->run, e->call.rank, e->index + 1);
}

/* ---- messages ---- */

static bool is_probe(const struct cuts_event *e) { return e->call.op == ISP_OP_PROBE; }

static bool is_mrecv(const struct cuts_event *e)
{
    return e->call.op == ISP_OP_RECV && e->call.mode == ISP_RECV_MESSAGE;
}

/* The match in which the send's message was received, or the one in which it left its channel; CUTS_NONE. */
static int32_t match_of_send(const struct rules *w, const struct cuts_event *send, bool left)
{
    int32_t m = send->match;
    for (; m != CUTS_NONE; m = w->run->matches[m].next) {
        const struct cuts_event *r = event(w, w->run->matches[m].receive);
        if (is_probe(r) ? left && is(r, ISP_F_MATCHED) : !left || !is_mrecv(r))
            return m;
    }
    return m;
}

static void need_posted(struct rules *w, int32_t node, int32_t number)
{
    const struct cuts_event *e = event(w, number);
    if (!is(e, ISP_F_HELD))
        need(w, node, number);
    else if (e->ready_after == CUTS_NONE)
        need_node(w, node, CUTS_NEVER);
    else
        need_done(w, node, e->ready_after);
}

/* The send or receive is no longer in its queue. */
static void need_gone(struct rules *w, int32_t node, int32_t number)
{
    const struct cuts_event *e = event(w, number);
    int32_t m = e->call.op == ISP_OP_SEND ? match_of_send(w, e, true) : e->match;
    if (e->cancelled)
        need_node(w, node, w->gone[number]);
    else if (m != CUTS_NONE)
        need_node(w, node, w->run->matches[m].node);
    else
        need_node(w, node, CUTS_NEVER);
}

enum { KINDS = ISP_F_PARTITIONED | ISP_F_SIGNAL }; /* each matches its like only */

static void envelope(int32_t key[CUTS_KEY], const struct cuts_event *e, int32_t rank, int32_t peer,
                     int32_t tag)
{
    key[0] = rank, key[1] = peer, key[2] = e->call.comm, key[3] = tag;
    key[4] = (int32_t)(e->call.flags & KINDS);
    key[5] = is(e, ISP_F_PARTITIONED) ? e->call.color : 0;
}

/* The receives that would take the message, and are before `receive`: the last one of each envelope. */
static void need_unshielded(struct rules *w, int32_t node, const struct cuts_event *receive, int32_t source,
                            int32_t tag)
{
    for (int any = 0; any < 4; any++) {
        int32_t key[CUTS_KEY];
        envelope(key, receive, receive->call.rank, any & 1 ? ISP_ANY_SOURCE : source,
                 any & 2 ? ISP_ANY_TAG : tag);
        int32_t before = cuts_table_get(&w->receives, key);
        if (before != CUTS_NONE)
            need_gone(w, node, before);
    }
}

/* In program order of its rank. */
static void add_receive(struct rules *w, int32_t number)
{
    const struct cuts_event *r = event(w, number);
    if (is_mrecv(r) || to_nobody(r))
        return;
    if (r->match != CUTS_NONE) {
        const struct cuts_match *m = &w->run->matches[r->match];
        const struct cuts_event *send = event(w, m->send);
        need_unshielded(w, m->node, r, send->call.rank, send->call.tag);
    }
    if (is_probe(r))
        return;
    int32_t key[CUTS_KEY];
    envelope(key, r, r->call.rank, r->call.peer, r->call.tag);
    int32_t *last = cuts_table_at(&w->receives, key);
    if (r->cancelled && *last != CUTS_NONE)
        need_gone(w, w->gone[number], *last);
    *last = number;
}

static struct channel *channel_of(struct rules *w, const struct cuts_event *send)
{
    int32_t key[CUTS_KEY];
    envelope(key, send, send->call.rank, send->call.peer, 0);
    int32_t *at = cuts_table_at(&w->channels, key);
    if (*at == CUTS_NONE) {
        *at = w->n++;
        w->all = cuts_grow(w->all, &w->room, w->n, sizeof *w->all);
        w->all[*at] = (struct channel){.first = CUTS_NONE, .last = CUTS_NONE};
    }
    return &w->all[*at];
}

/* The messages of the channel before it that the receive of any tag would have taken. Those before `first`
 * were gone for an earlier receive of any tag, which is done, or would take this message as well:
 * need_unshielded. */
static void need_channel(struct rules *w, int32_t node, struct channel *c, int32_t number)
{
    for (int32_t s = c->first; s != number; s = event(w, s)->next_in_channel)
        need_gone(w, node, s);
    c->first = number;
}

static void add_send(struct rules *w, int32_t number)
{
    const struct cuts_event *send = event(w, number);
    if (to_nobody(send))
        return;
    int32_t key[CUTS_KEY];
    envelope(key, send, send->call.rank, send->call.peer, send->call.tag);
    int32_t *last = cuts_table_at(&w->sends, key), before = *last;
    *last = number;
    struct channel *c = channel_of(w, send);
    *(c->last == CUTS_NONE ? &c->first : &event(w, c->last)->next_in_channel) = number;
    c->last = number;
    if (send->cancelled && before != CUTS_NONE)
        need_gone(w, w->gone[number], before);
    for (int32_t m = send->match; m != CUTS_NONE; m = w->run->matches[m].next) {
        const struct cuts_event *r = event(w, w->run->matches[m].receive);
        int32_t node = w->run->matches[m].node;
        if (is_mrecv(r))
            continue;
        if (r->call.tag == ISP_ANY_TAG)
            need_channel(w, node, c, number);
        else if (before != CUTS_NONE)
            need_gone(w, node, before); /* as need_unshielded says, unless that was cancelled */
    }
}

/* ---- what an operation needs to be complete ---- */

static bool is_buffered(const struct rules *w, const struct cuts_event *send)
{
    const struct cuts_call *c = &send->call;
    return c->mode == ISP_SEND_BUFFERED || is(send, ISP_F_DETACHED) ||
           (w->run->buffered && c->mode != ISP_SEND_SYNC && !c->unkept);
}

/* The message as a whole that the unit is of. */
static int32_t whole_of(const struct rules *w, const struct cuts_event *unit)
{
    for (int32_t i = unit->index - 1; i >= 0; i--) {
        const struct cuts_event *e = cuts_at_rank(w->run, unit->call.rank, i);
        if (e->call.op == unit->call.op && is(e, ISP_F_PARTITIONED) && e->call.comm == unit->call.comm &&
            e->call.peer == unit->call.peer && e->call.tag == unit->call.tag && e->call.color == 0)
            return cuts_event(w->run, unit->call.rank, i);
    }
    return CUTS_NONE;
}

/* Its match, as of a unit that could not be paired. */
static void need_whole(struct rules *w, int32_t node, const struct cuts_event *unit)
{
    int32_t number = whole_of(w, unit), m = CUTS_NONE;
    if (number != CUTS_NONE && unit->call.op == ISP_OP_SEND)
        m = match_of_send(w, event(w, number), false);
    else if (number != CUTS_NONE)
        m = event(w, number)->match;
    need_node(w, node, m == CUTS_NONE ? CUTS_NEVER : w->run->matches[m].node);
}

static void need_message(struct rules *w, int32_t node, int32_t number)
{
    const struct cuts_event *e = event(w, number);
    bool send = e->call.op == ISP_OP_SEND;
    int32_t m = send ? match_of_send(w, e, false) : e->match;
    if (to_nobody(e) || (send && is_buffered(w, e))) {
        if (is(e, ISP_F_HELD))
            need_posted(w, node, number);
        return;
    }
    if (e->cancelled && e->cancel != CUTS_NONE)
        need(w, node, e->cancel);
    else if (m == CUTS_NONE && is(e, ISP_F_PARTITIONED) && e->call.color)
        need_whole(w, node, e);
    else
        need_node(w, node, m == CUTS_NONE ? CUTS_NEVER : w->run->matches[m].node);
}

static int32_t member(const struct rules *w, const struct cuts_collection *c, int32_t place)
{
    return w->run->lists[c->first + place];
}

static void need_call(struct rules *w, int32_t node, int32_t number)
{
    if (number == CUTS_NONE)
        need_node(w, node, CUTS_NEVER);
    else
        need(w, node, number);
}

static void need_all(struct rules *w, int32_t node, struct cuts_collection *c)
{
    if (c->all == CUTS_NONE) {
        c->all = cuts_node_add(w->run);
        for (int32_t place = 0; place < c->n; place++)
            need_call(w, c->all, member(w, c, place));
    }
    need_node(w, node, c->all);
}

static int32_t member_of_rank(const struct rules *w, const struct cuts_collection *c, int32_t rank)
{
    for (int32_t place = 0; place < c->n; place++)
        if (member(w, c, place) != CUTS_NONE && event(w, member(w, c, place))->call.rank == rank)
            return member(w, c, place);
    return CUTS_NONE;
}

/* All members before it: a chain, so that there are no more points than members. */
static void need_before(struct rules *w, int32_t node, struct cuts_collection *c, int32_t number)
{
    int32_t place = 0;
    while (place < c->n && member(w, c, place) != number)
        place++;
    if (c->n_before > place) /* asked for in another order of the members */
        c->before = CUTS_NONE, c->n_before = 0;
    while (c->n_before < place) {
        int32_t longer = cuts_node_add(w->run);
        if (c->before != CUTS_NONE)
            need_node(w, longer, c->before);
        need_call(w, longer, member(w, c, c->n_before++));
        c->before = longer;
    }
    if (place > 0)
        need_node(w, node, c->before);
}

static void need_sources(struct rules *w, int32_t node, const struct cuts_event *e,
                         const struct cuts_collection *c)
{
    for (uint32_t i = 0; i < e->call.n_sources; i++) {
        uint32_t entry = (uint32_t)w->run->lists[e->first_source + (int32_t)i];
        if (!(entry & ISP_SOURCE_EMPTY))
            need_call(w, node, c ? member_of_rank(w, c, (int32_t)isp_source_rank(entry)) : CUTS_NONE);
    }
}

static void need_collective(struct rules *w, int32_t node, int32_t number)
{
    const struct cuts_event *e = event(w, number);
    const struct cuts_call *c = &e->call;
    struct cuts_collection *all = e->collection == CUTS_NONE ? NULL : &w->run->collections[e->collection];
    bool flows = w->run->buffered && is(e, ISP_F_SLOT) && !c->unkept;
    int flow = flows ? c->flow : ISP_FLOW_ALL;
    if (flows && is(e, ISP_F_TAKES_NOTHING))
        return;
    bool root = c->root == c->rank, none = c->root == ISP_NO_RANK;
    if (flow == ISP_FLOW_LIST || flow == ISP_FLOW_SOURCES)
        need_sources(w, node, e, all);
    else if ((flow == ISP_FLOW_FROM_ROOT && (root || none)) || (flow == ISP_FLOW_TO_ROOT && !root))
        ;
    else if (!all)
        need_node(w, node, CUTS_NEVER);
    else if (flow == ISP_FLOW_FROM_ROOT)
        need_call(w, node, member_of_rank(w, all, c->root));
    else if (flow == ISP_FLOW_PREFIX)
        need_before(w, node, all, number);
    else
        need_all(w, node, all);
}

static int32_t named(const struct rules *w, const struct cuts_event *e, uint32_t i)
{
    return w->run->lists[e->first_named + (int32_t)i];
}

static void need_complete(struct rules *w, int32_t node, int32_t number)
{
    if (number == CUTS_NONE)
        return;
    const struct cuts_event *e = event(w, number);
    switch (e->call.op) {
    case ISP_OP_SEND:
    case ISP_OP_RECV: need_message(w, node, number); break;
    case ISP_OP_COLLECTIVE: need_collective(w, node, number); break;
    case ISP_OP_JOIN:
        for (uint32_t i = 0; i < e->call.n_named; i++)
            if (named(w, e, i) != CUTS_NONE)
                need_message(w, node, named(w, e, i));
        break;
    default: break;
    }
}

/* ---- what a fence needs ---- */

/* It is told that the call returned, or its rank has gone on. */
static bool returned(const struct rules *w, int32_t number)
{
    return event(w, number)->n_done >= 0 || next_of_rank(w, number) != CUTS_NONE;
}

static void add_completion(struct rules *w, int32_t number)
{
    const struct cuts_event *e = event(w, number);
    int32_t node = node_of(w, number);
    bool waits = !is(e, ISP_F_POLL), all = e->call.mode == ISP_COMPLETE_ALL || e->call.n_named == 1;
    if (e->n_done >= 0 && !(waits && all))
        for (int32_t i = 0; i < e->n_done; i++)
            need_complete(w, node, w->run->lists[e->first_done + i]);
    else if (waits && all)
        for (uint32_t i = 0; i < e->call.n_named; i++)
            need_complete(w, node, named(w, e, i));
    else if ((waits && e->call.n_named) || !returned(w, number))
        need_node(w, node, CUTS_NEVER);
}

static void add_probe(struct rules *w, int32_t number)
{
    const struct cuts_event *e = event(w, number);
    if (e->match != CUTS_NONE)
        need_node(w, node_of(w, number), w->run->matches[e->match].node);
    else if (!is(e, ISP_F_POLL) || !returned(w, number))
        need_node(w, node_of(w, number), CUTS_NEVER);
}

/* Of a receive MPI_Cancel returns at once, and so it does of a send that is complete, or whose message is
 * taken; else when it is cancelled. */
static void add_cancel(struct rules *w, int32_t number)
{
    const struct cuts_event *e = event(w, number);
    int32_t operation = e->call.n_named ? named(w, e, 0) : CUTS_NONE;
    const struct cuts_event *send = operation == CUTS_NONE ? NULL : event(w, operation);
    if (send && send->call.op == ISP_OP_SEND && !send->cancelled && !to_nobody(send) && !is_buffered(w, send))
        need_gone(w, node_of(w, number), operation);
}

/* From the rank's detach before it on: that one has waited for those before, or had them kept elsewhere. */
static void add_detach(struct rules *w, int32_t number)
{
    const struct cuts_event *e = event(w, number);
    if (w->run->buffered && !e->call.unkept)
        return;
    for (int32_t i = e->index - 1; i >= 0; i--) {
        int32_t s = cuts_event(w->run, e->call.rank, i);
        const struct cuts_event *send = event(w, s);
        if (send->call.op == ISP_OP_DETACH)
            break;
        if (send->call.op != ISP_OP_SEND || send->call.mode != ISP_SEND_BUFFERED || to_nobody(send))
            continue;
        int32_t m = match_of_send(w, send, false);
        if (send->cancelled)
            need(w, node_of(w, number), send->cancel);
        else
            need_node(w, node_of(w, number), m == CUTS_NONE ? CUTS_NEVER : w->run->matches[m].node);
    }
}

static void add_fence(struct rules *w, int32_t number, int32_t finalized)
{
    switch (event(w, number)->call.op) {
    case ISP_OP_COMPLETE: add_completion(w, number); break;
    case ISP_OP_PROBE: add_probe(w, number); break;
    case ISP_OP_CANCEL: add_cancel(w, number); break;
    case ISP_OP_DETACH: add_detach(w, number); break;
    case ISP_OP_FINALIZE: need_node(w, node_of(w, number), finalized); break;
    case ISP_OP_LOCK:
        if (!returned(w, number))
            need_node(w, node_of(w, number), CUTS_NEVER);
        break;
    default: need_complete(w, node_of(w, number), number);
    }
}

/* ---- all of it ---- */

static int32_t finalized(struct rules *w)
{
    int32_t node = cuts_node_add(w->run), n = 0;
    for (int32_t i = 0; i < w->run->n_events; i++)
        if (event(w, i)->call.op == ISP_OP_FINALIZE) {
            need(w, node, i);
            n++;
        }
    if (n < w->run->n_ranks)
        need_node(w, node, CUTS_NEVER);
    return node;
}

static void add_matches(struct rules *w)
{
    struct cuts_run *run = w->run;
    for (int32_t m = 0; m < run->n_matches; m++) {
        run->matches[m].node = cuts_node_add(run);
        if (!is_mrecv(event(w, run->matches[m].receive)))
            need_posted(w, run->matches[m].node, run->matches[m].send);
        need_posted(w, run->matches[m].node, run->matches[m].receive);
    }
    for (int32_t i = 0; i < run->n_events; i++)
        if (event(w, i)->cancelled) {
            w->gone[i] = cuts_node_add(run);
            if (event(w, i)->cancel != CUTS_NONE)
                need(w, w->gone[i], event(w, i)->cancel);
            else
                need_whole(w, w->gone[i], event(w, i));
        }
}

void cuts_needs(struct cuts_run *run)
{
    struct rules w = {.run = run, .gone = cuts_new((size_t)run->n_events, sizeof(int32_t))};
    run->n_nodes = CUTS_NEVER + 1;
    add_matches(&w);
    int32_t end = finalized(&w);
    for (int rank = 0; rank < run->n_ranks; rank++)
        for (int32_t i = 0; i < run->ranks[rank].n; i++) {
            int32_t number = run->ranks[rank].events[i];
            const struct cuts_event *e = event(&w, number);
            if (e->call.op == ISP_OP_RECV || is_probe(e))
                add_receive(&w, number);
            if (e->call.op == ISP_OP_SEND)
                add_send(&w, number);
            if (is(e, ISP_F_FENCE))
                add_fence(&w, number, end);
        }
    for (int32_t i = 0; i < run->n_after; i++)
        need_done(&w, node_of(&w, run->after[i].node), run->after[i].point);
    cuts_table_finish(&w.receives);
    cuts_table_finish(&w.sends);
    cuts_table_finish(&w.channels);
    free(w.all);
    free(w.gone);
}
