/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of a rank with several threads come in an order that depends on time, but queues and handles are
 * the rank's, so that order may matter. So they are held back until all ranks are quiet, and poe is given
 * them by rank, thread and program order. Up to then no thread gets further than what was decided before let
 * it; so what is held back then is the same in every run. In which order the calls take their places is poe's
 * to decide (poe/admission.h). Where a thread goes on with what another one has made (a request, say), the
 * other's records come first.
 */
#include "records.h"

#include <string.h>

#include "ahead.h"
#include "base/alloc.h"
#include "keeper.h"
#include "isp/functions.h"
#include "isp/possible.h"
#include "steps.h"
#include "told.h"

/* The shares stand in w->in->list, behind the list. */
static void rename_shares(struct sched_world *w, const struct sched_rank *r, const struct isp_call *call)
{
    for (uint32_t i = 0; i < call->n_given + call->n_taken; i++) {
        struct isp_share share = isp_call_share(call, i);
        share.type = sched_told_type(r, share.type);
        isp_share_write(w->in->list + call->n + (size_t)ISP_SHARE_WORDS * i, &share);
    }
}

/* False, and in->ok is false: the next one is none that libisp.so can have made. Whatever else looks at
 * records counts on this. */
static bool read_record(struct sched_world *w, struct isp_reader *in, struct isp_call *call)
{
    size_t left = (size_t)(in->end - in->at) / 4; /* its list cannot be longer */
    if (left > w->in->list_room) {
        w->in->list_room = left;
        w->in->list = sched_grow(w->in->list, left, sizeof *w->in->list);
    }
    in->ok = isp_get_call(in, call, w->in->list, (uint32_t)w->in->list_room) && isp_call_is_possible(call) &&
             call->fn < ISP_FN_COUNT;
    return in->ok;
}

/* Numbers of the rank's own become those that all share. */
static void rename_all(struct sched_world *w, const struct sched_rank *r, struct isp_call *call)
{
    call->site = sched_told_site(r, call->site);
    call->type = sched_told_type(r, call->type);
    call->taken_type = sched_told_type(r, call->taken_type);
    rename_shares(w, r, call);
    sched_ahead_rename(w, (int)(r - w->in->ranks), call);
}

static bool add_record(struct sched_world *w, int rank, struct isp_call *call)
{
    struct sched_rank *r = &w->in->ranks[rank];
    struct poe *poe = w->run->poe;
    /* it may name ranks, communicators and operations that are not there: nobody else looks at it */
    if (!poe_check(poe, rank, call))
        return false;
    call->place = sched_sites_place(w->run->sites, call->site);
    if (call->op == ISP_OP_ADMIT) { /* no call of the program */
        r->fn = call->fn;
        r->site = call->site;
        poe_put(poe, rank, call);
        return true;
    }
    w->calls += !(call->flags & ISP_F_INTERNAL);
    r->fn = call->fn;
    r->site = call->site;
    sched_tell_call(w->run, rank, call);
    poe_put(poe, rank, call);
    return true;
}

/* The same; what poe cannot take ends the run. */
static void add(struct sched_world *w, int rank, struct isp_call *call)
{
    if (add_record(w, rank, call))
        return;
    struct sched_told *t = sched_told_add(w, rank, ISP_MSG_FINDING);
    t->rule = ISP_RULE_UNSUPPORTED;
    t->fn = call->fn;
    t->site = call->site;
    t->text = sched_format("isp cannot model this use of %s", isp_fn_name(call->fn));
    t->count = 1;
    sched_world_end(w, SCHED_END_UNSUPPORTED);
}

/* True: the last one is a fence. */
static bool add_records(struct sched_world *w, int rank, uint16_t thread, bool others, struct isp_reader *in)
{
    struct isp_call call = {0};
    while (in->at < in->end && w->ending == SCHED_END_NONE) {
        if (!read_record(w, in, &call))
            return false;
        rename_all(w, &w->in->ranks[rank], &call);
        sched_steps_hear_call(w, rank, &call);
        call.thread = thread;
        call.others = others;
        add(w, rank, &call);
    }
    return call.flags & ISP_F_FENCE;
}

void sched_records_tell_again(struct sched_world *w, int rank, const struct isp_buf *records)
{
    struct sched_rank *r = &w->in->ranks[rank];
    struct isp_reader in = isp_reader_of_buf(records, 0);
    struct isp_call call;
    while (in.at < in.end && w->ending == SCHED_END_NONE && read_record(w, &in, &call))
        add(w, rank, &call);
    r->waiting++;
    r->quiet = r->quiet_told = true;
}

/* A process that was behind makes steps that were told before. */
static void hear_again(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct isp_call call = {0};
    while (in->at < in->end && read_record(w, in, &call)) {
        rename_all(w, &w->in->ranks[rank], &call);
        sched_steps_hear_again(w, rank, &call);
    }
    if (call.flags & ISP_F_FENCE && sched_steps_made_again(w, rank))
        w->in->keeper->acted(w, rank);
}

static void hold(struct sched_rank *r, uint16_t thread, const struct isp_reader *in)
{
    unsigned i = 0;
    while (i < r->n_held && r->held[i].thread < thread)
        i++;
    if (i == r->n_held || r->held[i].thread != thread) {
        r->held = sched_grow(r->held, r->n_held + 1u, sizeof *r->held);
        memmove(&r->held[i + 1], &r->held[i], (r->n_held - i) * sizeof *r->held);
        r->held[i] = (struct sched_held){.thread = thread};
        r->n_held++;
    }
    isp_put_bytes(&r->held[i].records, in->at, (size_t)(in->end - in->at));
}

/* The next record of a thread, if poe can take it before those of the other threads. */
static bool feed_one(struct sched_world *w, int rank, struct sched_held *h)
{
    struct isp_call call;
    struct isp_reader in = isp_reader_of_buf(&h->records, h->fed);
    if (in.at == in.end || w->ending != SCHED_END_NONE || !read_record(w, &in, &call))
        return false;
    rename_all(w, &w->in->ranks[rank], &call);
    call.thread = h->thread;
    call.others = true;
    if (!poe_can_add(w->run->poe, rank, &call))
        return false;
    add(w, rank, &call);
    h->fed = (size_t)(in.at - h->records.data);
    return true;
}

void sched_world_feed(struct sched_world *w, int rank)
{
    struct sched_rank *r = &w->in->ranks[rank];
    bool any = r->n_held > 0;
    while (any) {
        any = false;
        for (unsigned i = 0; i < r->n_held; i++)
            while (feed_one(w, rank, &r->held[i]))
                any = true;
    }
    for (unsigned i = 0; i < r->n_held; i++) { /* what is left, nothing makes possible */
        struct isp_reader in = isp_reader_of_buf(&r->held[i].records, r->held[i].fed);
        add_records(w, rank, r->held[i].thread, true, &in);
        isp_buf_finish(&r->held[i].records);
    }
    r->n_held = 0;
    if (r->quiet)
        poe_quiet(w->run->poe, rank);
    poe_guessed(w->run->poe, rank, r->guessed || !r->quiet);
    r->quiet_told = r->quiet;
}

bool sched_records_feed_all(struct sched_world *w)
{
    bool any = false;
    for (int i = 0; i < w->n; i++)
        if (!w->in->ranks[i].quiet && !sched_rank_rests(&w->in->ranks[i]))
            return false;
    for (int i = 0; i < w->n; i++) {
        any = any || w->in->ranks[i].n_held || w->in->ranks[i].quiet != w->in->ranks[i].quiet_told;
        sched_world_feed(w, i);
    }
    return any;
}

/* Looks at the records, for what is told when the rank dies or hangs. True: the last one is a fence. */
static bool look_ahead(struct sched_world *w, struct sched_rank *r, struct isp_reader *in)
{
    struct isp_call call = {0};
    struct isp_reader look = *in;
    while (look.at < look.end && read_record(w, &look, &call))
        ;
    in->ok = look.ok;
    r->fn = call.fn;
    r->site = sched_told_site(r, call.site);
    return call.flags & ISP_F_FENCE;
}

/* It counted as waiting, by what it polls or by a guess, and did not: nothing is decided by that any more,
 * before what it has called is known. */
static void take_waiting_back(struct sched_world *w, int rank)
{
    struct sched_rank *r = &w->in->ranks[rank];
    if (r->polls || r->guessed)
        poe_runs(w->run->poe, rank);
    r->polls = r->accesses = r->guessed = false;
}

void sched_records_take_calls(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_rank *r = &w->in->ranks[rank];
    w->record_bytes += (uint64_t)(in->end - in->at);
    uint32_t marked = isp_get_u32(in);
    bool others = marked & ISP_THREAD_OTHERS;
    uint16_t thread = (uint16_t)marked;
    r->strays = marked & ISP_THREAD_STRAYS;
    if (sched_steps_are_owed(w, rank)) {
        hear_again(w, rank, in);
        return;
    }
    if (r->stopped) { /* another thread of it is dying */
        in->at = in->end;
        return;
    }
    take_waiting_back(w, rank);
    r->acting = false;
    bool held = thread || others || r->n_held,
         fence = held ? look_ahead(w, r, in) : add_records(w, rank, 0, false, in);
    r->waiting += fence;
    if (fence) {
        w->in->keeper->acted(w, rank);
        sched_steps_made(w, rank, !held && !others);
    }
    r->quiet = fence && !others;
    r->quiet_told = r->quiet && !held;
    if (held && in->ok) {
        hold(r, thread, in);
        in->at = in->end;
    }
}

void sched_records_take_quiet(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_rank *r = &w->in->ranks[rank];
    /* A release that has fired and is not sent yet makes it stale as well. */
    bool current = isp_get_u64(in) == r->n_releases + r->n_new_releases, certain = isp_get_u8(in);
    uint16_t fn = isp_get_u16(in);
    uint32_t site = sched_told_site(r, isp_get_u32(in));
    in->ok = in->ok && fn < ISP_FN_COUNT;
    if (!current || !in->ok)
        return;
    /* a guess is worth less than it costs where one has gone wrong: then only time makes it (patience.c) */
    r->quiet = r->waiting > 0 && (certain || w->run->options->idle_s == 0);
    r->guessed = r->quiet && !certain;
    if (fn && !w->chosen.fn)
        w->chosen = (struct sched_site_ref){rank, fn, site};
}

void sched_records_take_polls(struct sched_rank *r, struct isp_reader *in)
{
    uint16_t fn = isp_get_u16(in);
    uint32_t site = sched_told_site(r, isp_get_u32(in));
    bool waits = isp_get_u8(in);
    in->ok = in->ok && !(waits && r->waiting);
    if (!in->ok || r->stopped)
        return;
    r->fn = fn;
    r->site = site;
    r->polls = waits;
    r->accesses = !waits;
}
