/* SPDX-License-Identifier: BSD-3-Clause */
/* See frames.h. */
#include "frames.h"

#include <stdlib.h>
#include <string.h>

#include "ahead.h"
#include "base/alloc.h"
#include "base/now.h"
#include "forced.h"
#include "hold.h"
#include "ignored.h"
#include "isp/file.h"
#include "isp/functions.h"
#include "patience.h"
#include "records.h"
#include "rma/file_order.h"
#include "steps.h"
#include "told.h"

static void let_go_on(struct sched_world *w, int rank)
{
    struct sched_rank *r = &w->in->ranks[rank];
    r->greets = false;
    r->heard_s = sched_now_s();
    w->in->frame.size = 0;
    size_t at = isp_frame_begin(&w->in->frame, ISP_MSG_WELCOME);
    w->in->settings.hold = r->limit;
    isp_put_settings(&w->in->frame, &w->in->settings);
    if (w->in->settings.ahead)
        sched_forced_put(w->run->forced, rank, &w->in->frame);
    isp_frame_end(&w->in->frame, at);
    sched_peer_welcome(r->peer, &w->in->frame);
}

/* Ranks leave MPI_Init together. If one went on and died while MPI still begins in the others, these would
 * fail there, and it would seem that MPI does not work. */
static void welcome(struct sched_world *w, struct sched_peer *p)
{
    bool before_init = p->size < 0; /* it has something to tell before MPI_Init */
    if ((!before_init && p->size != w->n) || p->rank >= w->n || w->in->ranks[p->rank].peer) {
        if (w->ending == SCHED_END_NONE && !before_init && p->size != w->n)
            w->error = sched_format(
                "the launcher started a program of %d ranks instead of %d%s", p->size, w->n,
                p->size == 1 ? ": does it belong to the MPI that the program was built with?" : "");
        sched_peer_refuse(p);
        if (w->error)
            sched_world_end(w, SCHED_END_FAILED);
        return;
    }
    struct sched_rank *r = &w->in->ranks[p->rank];
    r->peer = p;
    w->n_connected++;
    w->connected_s = sched_now_s();
    if (w->n_connected == 1)
        sched_launch_hush(w->in->launch); /* it has worked: what comes now is about ranks */
    r->heard_s = w->connected_s; /* one that does not come hangs, and not those that wait for it here */
    r->greets = true;
    if (before_init)
        let_go_on(w, p->rank);
    if (w->n_connected < w->n)
        return;
    w->in->begun_s = w->connected_s;
    for (int i = 0; i < w->n; i++)
        if (w->in->ranks[i].greets)
            let_go_on(w, i);
}

static void broken(struct sched_world *w, int rank)
{
    if (w->ending == SCHED_END_NONE)
        w->error = sched_format("rank %d sent what libisp.so cannot have sent", rank);
    w->tool_failed = true;
    sched_world_end(w, SCHED_END_FAILED);
}

static void take_file(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct isp_file file;
    if (!isp_get_file(in, &file))
        return;
    sched_file_order_take(w->file_order, rank, &file);
    w->in->keeper->take_file(w, rank, &file);
}

static void take_file_access(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct isp_file_access access;
    if (!isp_get_file_access(in, &access, w->in->file_runs) || access.fn >= ISP_FN_COUNT) {
        in->ok = false;
        return;
    }
    access.site = sched_told_site(&w->in->ranks[rank], access.site);
    access.number = sched_ahead_comm(w, rank, access.number);
    sched_file_order_access(w->file_order, rank, &access);
    w->in->keeper->take_file_access(w, rank, &access);
}

/* What it has said before is over. */
static void take_state(struct sched_rank *r, struct isp_reader *in)
{
    uint32_t n;
    struct sched_rank_state state = {.told = true, .known = isp_get_u8(in) != 0};
    state.low = isp_get_u64(in);
    state.high = isp_get_u64(in);
    const char *why = isp_get_str(in, &n);
    if (!r->state.asked || !in->ok) {
        in->ok = false;
        return;
    }
    free(r->state.why);
    state.why = state.known ? NULL : sched_must(strndup(why, n));
    r->state = state;
}

static void take_differs(struct sched_rank *r, struct isp_reader *in)
{
    in->ok = in->ok && r->comparing;
    r->comparing = false;
    r->differs.size = 0;
    isp_put_bytes(&r->differs, in->at, (size_t)(in->end - in->at));
    in->at = in->end;
}

void sched_frames_take_one(struct sched_world *w, int rank, uint8_t type, struct isp_reader *in)
{
    struct sched_rank *r = &w->in->ranks[rank];
    double now = sched_now_s();
    sched_patience_heard(w, rank);
    bool endless = type == ISP_MSG_POLLS || type == ISP_MSG_ACCESS || type == ISP_MSG_FILE_ACCESS;
    if (!endless) {
        r->heard_s = w->in->news_s = now;
        w->in->doomed_s = now + SCHED_DYING_S;
    }
    if (sched_steps_hears(w, rank, type, in))
        return;
    switch (type) {
    case ISP_MSG_CALLS: sched_records_take_calls(w, rank, in); break;
    case ISP_MSG_QUIET: sched_records_take_quiet(w, rank, in); break;
    case ISP_MSG_POLLS: sched_records_take_polls(r, in); break;
    case ISP_MSG_HELD: sched_hold_take(w, rank, in); break;
    case ISP_MSG_VISITED: sched_hold_take_visited(w, rank, in); break;
    case ISP_MSG_FINALIZED:
        r->finalized = true;
        w->in->keeper->acted(w, rank);
        break;
    case ISP_MSG_ACTED: r->acting = false; /* fall through */
    case ISP_MSG_SEGMENT:
    case ISP_MSG_BACK:
    case ISP_MSG_SPOILT:
    case ISP_MSG_NO_FORK: w->in->keeper->take(w, rank, type, in); break;
    case ISP_MSG_MODULES: sched_ignored_take_modules(w, rank, in); break;
    case ISP_MSG_IGNORED: sched_ignored_take_mark(w, rank, in); break;
    case ISP_MSG_DIFFERS: take_differs(r, in); break;
    case ISP_MSG_STATE: take_state(r, in); break;
    case ISP_MSG_FILE_ACCESS: take_file_access(w, rank, in); break;
    case ISP_MSG_FILE: take_file(w, rank, in); break;
    default: sched_told_take(w, rank, type, in);
    }
    if (!in->ok)
        broken(w, rank);
}

static void take_frame(struct sched_world *w, struct sched_peer *p, uint8_t type, struct isp_reader *in)
{
    if (type == ISP_MSG_HELLO) {
        welcome(w, p);
        return;
    }
    if (!sched_ahead_keeps(w, p->rank, type, in))
        sched_frames_take_one(w, p->rank, type, in);
    else if (!in->ok)
        broken(w, p->rank);
}

void sched_world_gone(struct sched_world *w, int rank)
{
    struct sched_rank *r = &w->in->ranks[rank];
    if (w->in->returning)
        return;
    r->gone = true;
    r->ran = !r->quiet;
    r->quiet = r->polls = r->idle = r->accesses = r->able = r->holds = r->parked = r->acting = false;
    r->waiting = 0;
    if (r->peer->broken)
        broken(w, rank);
    if (r->exited || r->finalized || w->ending != SCHED_END_NONE)
        return;
    /* The launcher kills the others at once, and those mostly wait. */
    if (w->silent < 0 || (r->ran && !w->in->ranks[w->silent].ran))
        w->silent = rank;
    w->in->news_s = sched_now_s();
    sched_told_stop(w, rank);
}

static void take_eof(struct sched_world *w, struct sched_peer *p)
{
    struct sched_rank *r = p->rank >= 0 && p->rank < w->n ? &w->in->ranks[p->rank] : NULL;
    if (!r || r->peer != p || r->gone)
        return;
    if (w->first_end < 0 && !w->in->returning && !r->exited && !r->finalized && !r->ahead.dies)
        w->first_end = p->rank;
    if (!sched_ahead_keeps_end(w, p->rank))
        sched_world_gone(w, p->rank);
}

void sched_frames_take(struct sched_world *w)
{
    struct sched_peer *p;
    while ((p = sched_link_ready(w->in->link))) {
        uint8_t type;
        struct isp_reader payload;
        while (sched_peer_frame(p, &type, &payload))
            take_frame(w, p, type, &payload);
        if (p->eof)
            take_eof(w, p);
    }
    if (w->in->link->other_version && w->ending == SCHED_END_NONE) {
        w->error =
            sched_format("the ranks load a libisp.so with protocol version %u, isp has %u: install isp again",
                         w->in->link->other_version, ISP_WIRE_VERSION);
        sched_world_end(w, SCHED_END_FAILED);
    }
    if (w->in->link->accept_error && w->ending == SCHED_END_NONE) {
        w->error =
            sched_format("cannot take the connection of a rank: %s", strerror(w->in->link->accept_error));
        w->tool_failed = true;
        sched_world_end(w, SCHED_END_FAILED);
    }
}
