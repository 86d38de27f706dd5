/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One turn of the loop: take whole frames out of the connections, feed their records to poe, let poe fire
 * what is ready, and send each rank what concerns it. All deciding is here, none of it in callbacks.
 *
 * Delivery. A rank that waits in a fence gets its actions at the end of the turn in which they fired, with
 * its release if that fired too. A rank that runs gets them when it waits again.
 *
 * Why this cannot deadlock (law 1). Both ends of a pair are queued in the same turn. What a rank is sent at
 * once, a batch, holds the pairs of an interval of turns, issues all that does not block, and then
 * completes all; its release, if any, comes last and belongs to the last of these turns. So a rank
 * that is stuck in a batch waits for a pair of some turn t, whose other end lies in a later batch of its
 * partner: the partner is stuck in a batch of turns before t, or (the release of a collective of
 * turn t) in the actions of a batch that ends in turn t. Along a chain of such waits (turn, actions before
 * release) only decreases: no cycle, and the last of the chain is a rank that runs. With several threads a rank
 * does the same things one after the other, in one order (profiler/threads/thread.h); the releases of one turn are among
 * themselves in the order in which they fired, and are compared by it.
 */
#include "world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "alloc.h"
#include "checkpoint/checkpoints.h"
#include "files.h"
#include "isp/file.h"
#include "isp/functions.h"
#include "now.h"
#include "patience.h"
#include "records.h"
#include "told.h"
#include "trace/trace.h"

enum { TICK_MS = 100 };

static const double LAST_OUTPUT_S = 0.5;

/* ---- connections ---- */

static void welcome(struct sched_world *w, struct sched_peer *p)
{
    bool before_init = p->size < 0; /* it has something to tell before MPI_Init */
    if ((!before_init && p->size != w->n) || p->rank >= w->n || w->ranks[p->rank].peer) {
        if (w->ending == SCHED_END_NONE && !before_init && p->size != w->n)
            w->error = sched_format("the launcher started a program of %d ranks instead of %d%s", p->size, w->n,
                                    p->size == 1 ? ": does it belong to the MPI that the program was built with?" : "");
        sched_peer_refuse(p);
        if (w->error)
            sched_world_end(w, SCHED_END_FAILED);
        return;
    }
    struct sched_rank *r = &w->ranks[p->rank];
    r->peer = p;
    w->n_connected++;
    w->connected_s = sched_now_s();
    w->frame.size = 0;
    size_t at = isp_frame_begin(&w->frame, ISP_MSG_WELCOME);
    isp_put_settings(&w->frame, &w->settings);
    isp_frame_end(&w->frame, at);
    sched_peer_welcome(p, &w->frame);
}

static void broken(struct sched_world *w, int rank)
{
    if (w->ending == SCHED_END_NONE)
        w->error = sched_format("rank %d sent what libisp.so cannot have sent", rank);
    w->tool_failed = true;
    sched_world_end(w, SCHED_END_FAILED);
}

static void take_file_access(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct isp_file_access access;
    if (!isp_get_file_access(in, &access, w->file_runs) || access.fn >= ISP_FN_COUNT) {
        in->ok = false;
        return;
    }
    access.site = sched_told_site(&w->ranks[rank], access.site);
    sched_file_order_access(w->file_order, rank, &access);
    sched_checkpoints_take_file_access(w, rank, &access);
}

static void take_frame(struct sched_world *w, struct sched_peer *p, uint8_t type, struct isp_reader *in)
{
    if (type == ISP_MSG_HELLO) {
        welcome(w, p);
        return;
    }
    int rank = p->rank;
    struct sched_rank *r = &w->ranks[rank];
    double now = sched_now_s();
    sched_patience_heard(w, rank);
    bool endless = type == ISP_MSG_POLLS || type == ISP_MSG_ACCESS || type == ISP_MSG_FILE_ACCESS;
    if (!endless) {
        r->heard_s = w->news_s = now;
        w->doomed_s = now + SCHED_DYING_S;
    }
    switch (type) {
    case ISP_MSG_CALLS: sched_records_take_calls(w, rank, in); break;
    case ISP_MSG_QUIET: sched_records_take_quiet(w, rank, in); break;
    case ISP_MSG_POLLS: sched_records_take_polls(r, in); break;
    case ISP_MSG_FINALIZED:
        r->finalized = true;
        sched_checkpoints_acted(w, rank);
        break;
    case ISP_MSG_SEGMENT:
    case ISP_MSG_ACTED:
    case ISP_MSG_BACK:
    case ISP_MSG_SPOILT:
    case ISP_MSG_NO_FORK: sched_checkpoints_take(w, rank, type, in); break;
    case ISP_MSG_FILE_ACCESS: take_file_access(w, rank, in); break;
    case ISP_MSG_FILE: sched_checkpoints_take_file(w, rank, in); break;
    default: sched_told_take(w, rank, type, in);
    }
    if (!in->ok)
        broken(w, rank);
}

void sched_world_gone(struct sched_world *w, int rank)
{
    struct sched_rank *r = &w->ranks[rank];
    r->gone = true;
    r->ran = !r->quiet;
    r->quiet = r->polls = r->idle = r->accesses = r->able = false;
    r->waiting = 0;
    if (r->peer->broken)
        broken(w, rank);
    if (r->exited || r->finalized || w->ending != SCHED_END_NONE)
        return;
    /* The launcher kills the others at once, and those mostly wait. */
    if (w->silent < 0 || (r->ran && !w->ranks[w->silent].ran))
        w->silent = rank;
    w->news_s = sched_now_s();
    sched_told_stop(w, rank);
}

static void take_eof(struct sched_world *w, struct sched_peer *p)
{
    struct sched_rank *r = p->rank >= 0 && p->rank < w->n ? &w->ranks[p->rank] : NULL;
    if (r && r->peer == p && !r->gone)
        sched_world_gone(w, p->rank);
}

static void collect(struct sched_world *w)
{
    struct sched_peer *p;
    while ((p = sched_link_ready(w->link))) {
        uint8_t type;
        struct isp_reader payload;
        while (sched_peer_frame(p, &type, &payload))
            take_frame(w, p, type, &payload);
        if (p->eof)
            take_eof(w, p);
    }
    if (w->link->other_version && w->ending == SCHED_END_NONE) {
        w->error = sched_format("the ranks load a libisp.so with protocol version %u, isp has %u: install isp again",
                                w->link->other_version, ISP_WIRE_VERSION);
        sched_world_end(w, SCHED_END_FAILED);
    }
    if (w->link->accept_error && w->ending == SCHED_END_NONE) {
        w->error = sched_format("cannot take the connection of a rank: %s", strerror(w->link->accept_error));
        w->tool_failed = true;
        sched_world_end(w, SCHED_END_FAILED);
    }
}

/* ---- poe ---- */

static bool is_progress(const struct poe_fired *f)
{
    return !f->vain && (f->n_members != 1 || !(f->members[0]->call.flags & ISP_F_POLL) || f->n_effects != 1 ||
                        f->effects[0].result.flag);
}

static void queue_effects(struct sched_world *w, const struct poe_fired *f)
{
    for (unsigned i = 0; i < f->n_effects; i++) {
        const struct poe_effect *e = &f->effects[i];
        struct sched_rank *r = &w->ranks[e->rank];
        if (!e->release) {
            isp_put_action(&r->actions, &e->action);
            r->n_actions++;
            continue;
        }
        r->quiet = r->quiet_told = false;
        r->n_new_releases++;
        isp_put_u16(&r->releases, e->thread);
        isp_put_result(&r->releases, &e->result);
    }
}

static void take_fired(struct sched_world *w)
{
    const struct poe_fired *f = poe_fired(w->run->poe);
    w->news_s = sched_now_s();
    if (!f->n_members) { /* a thread goes on, whose call has taken its place */
        queue_effects(w, f);
        return;
    }
    if (is_progress(f))
        w->progress_s = w->news_s;
    if (f->n_members == 2 && f->members[1]->call.op == ISP_OP_RECV) {
        bool truncated = f->members[0]->call.bytes > f->members[1]->call.bytes;
        for (int i = 0; i < 2; i++) {
            struct sched_rank *r = &w->ranks[f->members[i]->rank];
            r->truncated |= truncated;
            r->misfit |= !sched_check_fits(w->run, f);
        }
    }
    sched_rma_fired(w->rma, w->run->poe, f);
    sched_file_order_fired(w->file_order, w->run->poe, f);
    sched_trace_fired(w->run->trace, w->run, f);
    if (f->members[0]->call.op == ISP_OP_FINALIZE)
        sched_checkpoints_finalize(w);
    queue_effects(w, f);
    if (!sched_check_match(w->run, f))
        sched_world_end(w, SCHED_END_MISMATCH);
}

/* Ranks that poll a window, or call nothing, count as waiting, as long as that lets something happen. True:
 * there are some. */
static bool count_polls(struct sched_world *w, void (*count)(struct poe *, int))
{
    bool any = false;
    for (int i = 0; i < w->n; i++)
        if ((w->ranks[i].polls || w->ranks[i].idle) && !w->ranks[i].stopped) {
            count(w->run->poe, i);
            any = true;
        }
    return any;
}

/* Nothing can move; but what is polled for may come all the same. */
static bool is_over(struct sched_world *w)
{
    return !count_polls(w, poe_runs);
}

/* Whether what goes on by itself in a branch that waits for the rank that was put off has had its time. What is
 * polled for depends on that rank, perhaps, and never comes. */
static bool is_given_up(struct sched_world *w)
{
    if (!sched_patience_is_settled(w))
        return false;
    bool over = is_over(w);
    if (!over && !sched_patience_is_long(w))
        return false;
    w->given_up = !over || sched_patience_is_guess(w);
    for (int i = 0; i < w->n; i++)
        w->given_up |= w->ranks[i].idle;
    return true;
}

/* Lets poe move until it needs something. True: a choice point. */
static bool move(struct sched_world *w)
{
    count_polls(w, poe_quiet);
    for (;;) {
        switch (poe_step(w->run->poe)) {
        case POE_FIRED:
            take_fired(w);
            if (w->ending != SCHED_END_NONE)
                return false;
            break;
        case POE_RUNNING:
        case POE_FINISHED:
            return false;
        case POE_CHOICE:
            return true;
        case POE_DEADLOCK:
            if (!is_over(w) || (!w->stopped && sched_patience_is_guess(w)))
                return false; /* sched_patience_check calls it a hang */
            if (!w->stopped && sched_patience_is_strayed(w))
                return false;
            if (!w->stopped)
                sched_world_end(w, SCHED_END_DEADLOCK);
            else if (!sched_patience_is_settled(w))
                return false;
            else if (w->silent < 0 || sched_patience_left_alone(w)) { /* else the launcher will tell */
                w->explored = w->silent < 0;
                sched_world_end(w, SCHED_END_DIED);
            }
            return false;
        case POE_LIVELOCK:
            if (sched_now_s() - w->progress_s >= sched_patience_livelock_s(w) && is_over(w)) {
                w->explored = w->stopped && w->silent < 0;
                sched_world_end(w, w->stopped ? SCHED_END_DIED : SCHED_END_LIVELOCK);
                return false;
            }
            break; /* it answers another `not yet` */
        case POE_REDUNDANT:
            if (poe_is_redundant(w->run->poe) || is_given_up(w))
                sched_world_end(w, SCHED_END_REDUNDANT);
            return false;
        case POE_MISMATCH:
            sched_check_mismatch(w->run, poe_fired(w->run->poe));
            sched_world_end(w, SCHED_END_MISMATCH);
            return false;
        }
    }
}

/* A GO frame with these marks, and what has gathered for the rank. */
static void send_go(struct sched_world *w, struct sched_rank *r, uint8_t marks, uint32_t drop)
{
    w->frame.size = 0;
    size_t at = isp_frame_begin(&w->frame, ISP_MSG_GO);
    isp_put_u8(&w->frame, marks);
    isp_put_u32(&w->frame, drop);
    isp_put_u32(&w->frame, r->n_actions);
    isp_put_bytes(&w->frame, r->actions.data, r->actions.size);
    isp_put_u16(&w->frame, r->n_new_releases);
    isp_put_bytes(&w->frame, r->releases.data, r->releases.size);
    isp_frame_end(&w->frame, at);
    sched_peer_send(r->peer, &w->frame);
}

static void clear_go(struct sched_rank *r)
{
    r->waiting -= r->n_new_releases;
    r->n_releases += r->n_new_releases;
    r->n_new_releases = 0;
    r->releases.size = 0;
    r->n_actions = 0;
    r->actions.size = 0;
}

void sched_world_deliver(struct sched_world *w)
{
    for (int i = 0; i < w->n; i++) {
        struct sched_rank *r = &w->ranks[i];
        if ((!r->waiting && !r->polls && !r->able) || (!r->n_actions && !r->n_new_releases))
            continue;
        if (!sched_checkpoints_plays(w, i)) {
            uint32_t drop;
            uint8_t marks = sched_checkpoints_go(w, i, &drop);
            send_go(w, r, marks, drop);
            if (r->n_new_releases)
                r->heard_s = sched_now_s();
        }
        clear_go(r);
    }
}

void sched_world_ask(struct sched_world *w, int rank, uint8_t marks)
{
    struct sched_rank nothing = {.peer = w->ranks[rank].peer};
    send_go(w, &nothing, marks, 0);
}

/* ---- time, and the end ---- */

static void on_tick(int fd, short what, void *context) {}

/* Nothing of the program is left. */
static void take_gone(struct sched_world *w)
{
    sched_link_drain(w->link);
    collect(w);
    bool killed = w->launch->lost || (w->launch->ended && WIFSIGNALED(w->launch->status));
    bool finished = w->run->poe && poe_step(w->run->poe) == POE_FINISHED && !(killed && w->silent >= 0);
    if (w->launch->failed) {
        if (w->ending == SCHED_END_NONE)
            w->error = sched_strdup(w->launch->error);
        sched_world_end(w, SCHED_END_FAILED);
    }
    sched_world_end(w, finished ? SCHED_END_FINISHED : killed ? SCHED_END_KILLED : SCHED_END_DIED);
}

/* Lets ranks that are about to report do so first: what they bring makes larger batches, and a rank
 * that is told all it must do at once is woken once. True: something came. */
static bool gather(struct sched_world *w)
{
    int running = 0, waiting = 0;
    for (int i = 0; i < w->n; i++) {
        running += !w->ranks[i].quiet && !w->ranks[i].gone;
        waiting += w->ranks[i].waiting && (w->ranks[i].n_actions || w->ranks[i].n_new_releases);
    }
    if (!running || !waiting)
        return false;
    sched_link_yield(w->link);
    return sched_link_look(w->link);
}

/* Nothing of the ranks is left but processes to which the run can go back: the launcher does not see an end. */
static bool is_ended(const struct sched_world *w)
{
    if (!sched_checkpoints_forked(w) || (w->silent >= 0 && !sched_patience_left_alone(w)))
        return false;
    for (int i = 0; i < w->n; i++) /* what is told last after this, in a first run, only destructors of libraries could tell */
        if (!w->ranks[i].gone && !(w->hush && w->ranks[i].exited && w->ranks[i].finalized))
            return false;
    return true;
}

static void end_forked(struct sched_world *w)
{
    sched_world_end(w, poe_step(w->run->poe) == POE_FINISHED ? SCHED_END_FINISHED : SCHED_END_DIED);
}

void sched_world_listen(struct sched_world *w)
{
    sched_link_wait(w->link);
    collect(w);
    if (*w->interrupted)
        sched_world_end(w, SCHED_END_INTERRUPTED);
}

bool sched_world_advance(struct sched_world *w)
{
    while (w->ending == SCHED_END_NONE) {
        collect(w);
        if (w->ending != SCHED_END_NONE)
            break;
        do
            if (move(w))
                return true;
        while (w->ending == SCHED_END_NONE && sched_records_feed_all(w));
        if (w->ending != SCHED_END_NONE)
            break;
        if (gather(w))
            continue;
        sched_world_deliver(w);
        if (w->launch->gone) {
            take_gone(w);
            break;
        }
        if (is_ended(w)) {
            end_forked(w);
            break;
        }
        sched_checkpoints_ahead(w);
        sched_link_wait(w->link);
        if (*w->interrupted)
            sched_world_end(w, SCHED_END_INTERRUPTED);
        sched_patience_check(w);
    }
    return false;
}

static void send_die(struct sched_world *w, int rank, bool all)
{
    w->frame.size = 0;
    size_t at = isp_frame_begin(&w->frame, ISP_MSG_DIE);
    isp_put_u8(&w->frame, all);
    isp_frame_end(&w->frame, at);
    if (w->ranks[rank].peer)
        sched_peer_send(w->ranks[rank].peer, &w->frame);
}

void sched_world_end_process(struct sched_world *w, int rank)
{
    send_die(w, rank, false);
}

static void dismiss(struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        send_die(w, i, true);
}

void sched_world_stop(struct sched_world *w)
{
    if (!w->launch)
        return;
    if (w->n_connected)
        sched_launch_hush(w->launch); /* that ranks are ended which nobody needs, Hydra says with many words */
    dismiss(w);
    /* What the ranks wrote is on its way through the launcher: let it come. */
    double patience_s = sched_now_s() + (w->shown && w->n_connected ? LAST_OUTPUT_S : 0);
    while (!w->launch->gone && !w->launch->ended && sched_now_s() < patience_s)
        event_base_loop(w->base, EVLOOP_ONCE);
    sched_launch_kill(w->launch);
    while (!w->launch->gone && event_base_loop(w->base, EVLOOP_ONCE) == 0) /* once each TICK_MS at least */
        sched_launch_urge(w->launch);
}

static bool are_all_there(const struct sched_world *w)
{
    int i = 0;
    while (i < w->n && w->ranks[i].peer && w->ranks[i].peer->size >= 0)
        i++;
    return i == w->n;
}

void sched_world_find_victim(struct sched_world *w)
{
    bool died = w->ending == SCHED_END_DIED, silent = w->silent >= 0 && (died || w->ending == SCHED_END_FINISHED);
    bool early = died && !are_all_there(w);
    if (!w->launch || w->n_told || (!early && !silent))
        return;
    w->victim = sched_launch_victim(w->launch, early);
    if (w->victim)
        w->ending = SCHED_END_KILLED;
}

/* ---- creation ---- */

static bool start(struct sched_world *w, enum sched_output output)
{
    const struct sched_options *o = w->run->options;
    w->launch = sched_launch_create(w->base, o, output, w->run->printed, &w->error);
    w->tool_failed = !w->launch && strncmp(w->error, "--", 2) != 0; /* it is no option that is wrong, but the machine has no more */
    if (!w->launch)
        return false;
    if (w->launch->gone) { /* somebody has killed the guard */
        sched_world_end(w, SCHED_END_KILLED);
        return true;
    }
    w->link = sched_link_create(w->base, w->launch->dir, o->tcp, &w->error);
    if (!w->link)
        return false;
    sched_link_share(w->link, w->n);
    sched_launch_go(w->launch, w->link->address, w->link->token);
    return true;
}

struct sched_world *sched_world_create(struct event_base *base, struct sched_run *run, bool buffered,
                                       enum sched_output output, const bool *interrupted)
{
    struct sched_world *w = sched_alloc(1, sizeof *w);
    const struct sched_options *o = run->options;
    *w = (struct sched_world){.run = run, .n = o->ranks, .base = base, .interrupted = interrupted,
                              .settings = {buffered, run->mixed, o->on_error, o->memory, o->stacks, o->unchecked, run->watch}, .shown = output != SCHED_OUTPUT_HIDE,
                              .progress_s = sched_now_s(), .looked_s = sched_now_s(), .hanging = -1, .differs = -1, .silent = -1};
    w->ranks = sched_alloc((size_t)w->n, sizeof *w->ranks);
    w->runs = sched_alloc(ISP_ACCESS_RUNS_MAX, sizeof *w->runs);
    w->file_runs = sched_alloc(ISP_FILE_RUNS_MAX, sizeof *w->file_runs);
    w->rma = sched_rma_create(w->n, buffered);
    w->file_order = sched_file_order_create(w->n, buffered);
    for (int i = 0; i < w->n; i++)
        w->ranks[i].heard_s = sched_now_s();
    struct poe_config config = {.ranks = w->n, .buffered = buffered, .polls = o->polls,
                                .livelock_rounds = o->livelock_rounds, .threads = o->threads, .mixed = run->mixed, .kept = run->kept,
                                .n_kept = run->n_kept, .record = run->record};
    run->poe = poe_create(&config);
    w->tick = sched_must(event_new(base, -1, EV_PERSIST, on_tick, NULL));
    event_add(w->tick, &(struct timeval){.tv_usec = TICK_MS * 1000});
    if (!start(w, output))
        sched_world_end(w, SCHED_END_FAILED);
    return w;
}

void sched_world_destroy(struct sched_world *world)
{
    if (!world)
        return;
    sched_launch_destroy(world->launch);
    sched_link_destroy(world->link);
    event_free(world->tick);
    for (int i = 0; i < world->n; i++) {
        free(world->ranks[i].sites);
        free(world->ranks[i].types);
        isp_buf_finish(&world->ranks[i].actions);
        isp_buf_finish(&world->ranks[i].releases);
        for (unsigned k = 0; k < world->ranks[i].n_held; k++)
            isp_buf_finish(&world->ranks[i].held[k].records);
        free(world->ranks[i].held);
    }
    sched_told_finish(world);
    free(world->ranks);
    free(world->list);
    free(world->runs);
    free(world->file_runs);
    sched_rma_destroy(world->rma);
    sched_file_order_destroy(world->file_order);
    sched_checkpoints_destroy(world->checkpoints);
    sched_files_destroy(world->files);
    isp_buf_finish(&world->frame);
    poe_destroy(world->run->poe);
    world->run->poe = NULL;
    free(world->run->overwritten);
    world->run->overwritten = NULL;
    world->run->n_overwritten = 0;
    free(world->error);
    free(world->victim);
    free(world);
}
