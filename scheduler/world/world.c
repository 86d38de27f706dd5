/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One turn of the loop: take whole frames out of the connections, feed their records to poe, let poe fire
 * what is ready, and send each rank what concerns it. All deciding is here, none of it in callbacks.
 */
#include "world.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "ahead.h"
#include "base/alloc.h"
#include "check/check.h"
#include "delivery.h"
#include "files.h"
#include "frames.h"
#include "hold.h"
#include "inside.h"
#include "isp/file.h"
#include "base/now.h"
#include "patience.h"
#include "records.h"
#include "run/merges.h"
#include "steps.h"
#include "told.h"

enum { TICK_MS = 100, TICK_AHEAD_MS = 5 };
enum { LEAST_ROUNDS = 20 }; /* the ranks look for what else may end their polls before (polled.c: LONG) */

static const double LAST_OUTPUT_S = 0.5;

/* ---- poe ---- */

static bool is_progress(const struct poe_fired *f)
{
    return !f->vain && (f->n_members != 1 || !(f->members[0]->call.flags & ISP_F_POLL) || f->n_effects != 1 ||
                        f->effects[0].result.flag);
}

static void take_fired(struct sched_world *w)
{
    const struct poe_fired *f = poe_fired(w->run->poe);
    w->in->news_s = sched_now_s();
    if (!f->n_members) { /* a thread goes on, whose call has taken its place */
        sched_delivery_queue(w, f);
        return;
    }
    if (is_progress(f))
        w->in->progress_s = w->in->news_s;
    if (f->n_members == 2 && f->members[1]->call.op == ISP_OP_RECV) {
        bool truncated = f->members[0]->call.bytes > f->members[1]->call.bytes;
        for (int i = 0; i < 2; i++) {
            struct sched_rank *r = &w->in->ranks[f->members[i]->rank];
            r->truncated |= truncated;
            r->misfit |= !sched_check_fits(w->run, f);
        }
    }
    bool sound = sched_tell_fired(w->run, f);
    sched_ahead_fired(w, f);
    if (f->members[0]->call.op == ISP_OP_FINALIZE)
        w->in->keeper->finalize(w);
    sched_delivery_queue(w, f);
    if (!sound)
        sched_world_end(w, SCHED_END_MISMATCH);
}

/* Ranks that poll a window, hold, or call nothing, count as waiting, as long as that lets something happen.
 * True: there are some. */
static bool count_polls(struct sched_world *w, void (*count)(struct poe *, int))
{
    bool any = false;
    for (int i = 0; i < w->n; i++)
        if (sched_rank_rests(&w->in->ranks[i]) && !w->in->ranks[i].stopped) {
            count(w->run->poe, i);
            any = true;
        }
    return any;
}

/* Nothing can move; but what is polled for may come all the same. */
static bool is_over(struct sched_world *w) { return !count_polls(w, poe_runs); }

/* Whether what goes on by itself in a branch that waits for the rank that was put off has had its time. What
 * is polled for depends on that rank, perhaps, and never comes. */
static bool is_given_up(struct sched_world *w)
{
    if (!sched_patience_is_settled(w))
        return false;
    bool over = is_over(w);
    if (!over && !sched_patience_is_long(w))
        return false;
    w->given_up = !over || sched_patience_is_early(w);
    return true;
}

/* Lets poe move until it needs something. True: a choice point. */
static bool move(struct sched_world *w)
{
    count_polls(w, poe_quiet);
    w->in->stuck = w->in->untold = false;
    for (;;) {
        enum poe_state state = poe_step(w->run->poe);
        bool moves = state == POE_FIRED || state == POE_RUNNING || state == POE_CHOICE;
        if (!moves && sched_ahead_is_disproved(w))
            return false;
        if (!moves && state != POE_MISMATCH && sched_hold_any(w)) {
            w->in->stuck = true;
            return false;
        }
        switch (state) {
        case POE_FIRED:
            take_fired(w);
            if (w->ending != SCHED_END_NONE)
                return false;
            break;
        case POE_RUNNING:
        case POE_FINISHED: return false;
        case POE_CHOICE:
            w->in->untold = !sched_ahead_has_shown(w);
            w->early |= sched_patience_is_early(w);
            return !w->in->untold;
        case POE_DEADLOCK:
            if (!is_over(w) || (!w->in->stopped && sched_patience_is_guess(w)))
                return false; /* sched_patience_check calls it a hang */
            if (!w->in->stopped && sched_patience_is_strayed(w))
                return false;
            if (!w->in->stopped)
                sched_world_end(w, SCHED_END_DEADLOCK);
            else if (!sched_patience_is_settled(w))
                return false;
            else if (w->silent < 0 || sched_patience_left_alone(w)) { /* else the launcher will tell */
                w->explored = w->silent < 0;
                sched_world_end(w, SCHED_END_DIED);
            }
            return false;
        case POE_LIVELOCK:
            if (sched_patience_is_livelock(w) && is_over(w)) {
                w->explored = w->in->stopped && w->silent < 0;
                sched_world_end(w, w->in->stopped ? SCHED_END_DIED : SCHED_END_LIVELOCK);
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

/* ---- time, and the end ---- */

static void on_tick(int fd, short what, void *context) {}

/* Nothing of the program is left. */
static void take_gone(struct sched_world *w)
{
    sched_link_drain(w->in->link);
    sched_frames_take(w);
    while (w->ending == SCHED_END_NONE && sched_ahead_feed(w))
        move(w);
    bool killed = w->in->launch->lost || (w->in->launch->ended && WIFSIGNALED(w->in->launch->status));
    bool finished = w->run->poe && poe_step(w->run->poe) == POE_FINISHED && !(killed && w->silent >= 0);
    if (w->in->launch->failed) {
        if (w->ending == SCHED_END_NONE)
            w->error = sched_strdup(w->in->launch->error);
        sched_world_end(w, SCHED_END_FAILED);
    }
    sched_world_end(w, finished ? SCHED_END_FINISHED : killed ? SCHED_END_KILLED : SCHED_END_DIED);
}

/* Lets ranks that are about to report do so first: what they bring makes larger batches, and a rank
 * that is told all it must do at once is woken once. True: something came. */
static bool gather(struct sched_world *w)
{
    int running = 0, waiting = 0;
    if (w->in->settings.ahead) /* who waits is alone with that */
        return false;
    for (int i = 0; i < w->n; i++) {
        running += !w->in->ranks[i].quiet && !w->in->ranks[i].gone;
        waiting += w->in->ranks[i].waiting && (w->in->ranks[i].n_actions || w->in->ranks[i].n_new_releases);
    }
    if (!running || !waiting)
        return false;
    sched_link_yield(w->in->link);
    return sched_link_look(w->in->link);
}

/* Nothing of the ranks is left but processes to which the run can go back: the launcher does not see an
 * end. */
static bool is_ended(const struct sched_world *w)
{
    if (!w->in->keeper->forked(w) || (w->silent >= 0 && !sched_patience_left_alone(w)))
        return false;
    /* what is told last after this, in a first run, only destructors of libraries could tell */
    for (int i = 0; i < w->n; i++)
        if (!w->in->ranks[i].gone && !(w->in->hush && w->in->ranks[i].exited && w->in->ranks[i].finalized))
            return false;
    return true;
}

static void end_forked(struct sched_world *w)
{
    sched_world_end(w, poe_step(w->run->poe) == POE_FINISHED ? SCHED_END_FINISHED : SCHED_END_DIED);
}

void sched_world_listen(struct sched_world *w)
{
    sched_link_wait(w->in->link);
    sched_frames_take(w);
    if (*w->in->interrupted)
        sched_world_end(w, SCHED_END_INTERRUPTED);
}

bool sched_world_advance(struct sched_world *w)
{
    while (w->ending == SCHED_END_NONE) {
        sched_frames_take(w);
        sched_steps_answer(w);
        if (w->ending != SCHED_END_NONE)
            break;
        do
            if (move(w))
                return true;
        while (w->ending == SCHED_END_NONE && (sched_ahead_feed(w) || sched_records_feed_all(w)));
        if (w->ending != SCHED_END_NONE)
            break;
        if (gather(w))
            continue;
        sched_world_deliver(w);
        if (sched_steps_waits(w))
            continue;
        w->settled = w->in->stuck && sched_hold_is_settled(w);
        if (w->settled || (w->in->wanted && *w->in->wanted))
            return false;
        if (w->in->launch->gone) {
            take_gone(w);
            break;
        }
        if (is_ended(w)) {
            end_forked(w);
            break;
        }
        w->in->keeper->ahead(w);
        sched_ahead_check(w);
        sched_link_wait(w->in->link);
        if (*w->in->interrupted)
            sched_world_end(w, SCHED_END_INTERRUPTED);
        sched_patience_check(w);
    }
    return false;
}

void sched_world_stop(struct sched_world *w)
{
    if (!w->in->launch)
        return;
    sched_delivery_dismiss(w);
    /* What the ranks wrote is on its way through the launcher: let it come. */
    double patience_s = sched_now_s() + (w->in->shown && w->n_connected ? LAST_OUTPUT_S : 0);
    while (!w->in->launch->gone && !w->in->launch->ended && sched_now_s() < patience_s)
        event_base_loop(w->in->base, EVLOOP_ONCE);
    sched_launch_kill(w->in->launch);
    /* once each TICK_MS at least */
    while (!w->in->launch->gone && event_base_loop(w->in->base, EVLOOP_ONCE) == 0)
        sched_launch_urge(w->in->launch);
}

static bool are_all_there(const struct sched_world *w)
{
    int i = 0;
    while (i < w->n && w->in->ranks[i].peer && w->in->ranks[i].peer->size >= 0)
        i++;
    return i == w->n;
}

void sched_world_find_victim(struct sched_world *w)
{
    bool died = w->ending == SCHED_END_DIED,
         silent = w->silent >= 0 && (died || w->ending == SCHED_END_FINISHED);
    bool early = died && !are_all_there(w);
    if (!w->in->launch || w->n_told || (!early && !silent))
        return;
    w->victim = sched_launch_victim(w->in->launch, early);
    if (w->victim)
        w->ending = SCHED_END_KILLED;
}

/* ---- creation ---- */

static bool start(struct sched_world *w, enum sched_output output)
{
    const struct sched_options *o = w->run->options;
    w->in->launch = sched_launch_create(w->in->base, o, output, w->run->printed, w->run->apart, &w->error);
    /* it is no option that is wrong, but the machine has no more */
    w->tool_failed = !w->in->launch && strncmp(w->error, "--", 2) != 0;
    if (!w->in->launch)
        return false;
    if (w->in->launch->gone) { /* somebody has killed the guard */
        sched_world_end(w, SCHED_END_KILLED);
        return true;
    }
    w->in->link = sched_link_create(w->in->base, w->in->launch->dir, o->tcp, &w->error);
    if (!w->in->link)
        return false;
    w->in->link->patient = w->run->ahead;
    sched_link_share(w->in->link, w->n);
    sched_launch_go(w->in->launch, w->in->link->address, w->in->link->token);
    return true;
}

void sched_world_use(struct sched_world *w, struct sched_run *run)
{
    w->run = run;
    sched_listeners_add(&run->listeners, &sched_rma_listener, w->rma);
    sched_listeners_add(&run->listeners, &sched_file_order_listener, w->file_order);
}

static unsigned most(unsigned a, unsigned b) { return a > b ? a : b; }

struct sched_world *sched_world_create(struct event_base *base, const struct sched_keeper *keeper,
                                       struct sched_run *run, bool buffered, enum sched_output output,
                                       const bool *interrupted)
{
    struct sched_world *w = sched_alloc(1, sizeof *w);
    const struct sched_options *o = run->options;
    *w = (struct sched_world){
        .n = o->ranks, .hanging = -1, .hung_s = o->timeout_s, .differs = -1, .silent = -1, .first_end = -1};
    w->in = sched_alloc(1, sizeof *w->in);
    *w->in = (struct sched_world_inside){
        .keeper = keeper,
        .base = base,
        .interrupted = interrupted,
        .shown = output != SCHED_OUTPUT_HIDE && output != SCHED_OUTPUT_APART,
        .settings = {buffered, run->mixed, o->on_error, o->memory, o->stacks || run->stacks, o->unchecked,
                     sched_run_keeps_apart(o), sched_run_explains(o), o->ignored != NULL, run->watch,
                     ISP_HOLD_NEVER, run->ahead, run->eager},
        .progress_s = sched_now_s(),
        .begun_s = sched_now_s(),
        .looked_s = sched_now_s()};
    w->in->ranks = sched_alloc((size_t)w->n, sizeof *w->in->ranks);
    w->in->runs = sched_alloc(ISP_ACCESS_RUNS_MAX, sizeof *w->in->runs);
    w->in->file_runs = sched_alloc(ISP_FILE_RUNS_MAX, sizeof *w->in->file_runs);
    w->rma = sched_rma_create(w->n, buffered);
    w->file_order = sched_file_order_create(w->n, buffered);
    sched_world_use(w, run);
    for (int i = 0; i < w->n; i++) {
        w->in->ranks[i].heard_s = sched_now_s();
        w->in->ranks[i].limit = ISP_HOLD_NEVER;
    }
    struct poe_config config = {.ranks = w->n,
                                .buffered = buffered,
                                .polls = o->polls,
                                .livelock_rounds = most(o->livelock_rounds, LEAST_ROUNDS),
                                .threads = o->threads,
                                .mixed = run->mixed,
                                .kept = run->kept,
                                .n_kept = run->n_kept,
                                .merge = run->merge,
                                .record = run->record};
    run->poe = poe_create(&config);
    w->in->tick = sched_must(event_new(base, -1, EV_PERSIST, on_tick, NULL));
    int tick_ms = run->ahead ? TICK_AHEAD_MS : TICK_MS;
    event_add(w->in->tick, &(struct timeval){.tv_usec = tick_ms * 1000});
    if (!start(w, output))
        sched_world_end(w, SCHED_END_FAILED);
    return w;
}

void sched_world_destroy(struct sched_world *world)
{
    if (!world)
        return;
    sched_launch_destroy(world->in->launch);
    sched_link_destroy(world->in->link);
    event_free(world->in->tick);
    for (int i = 0; i < world->n; i++) {
        free(world->in->ranks[i].sites);
        free(world->in->ranks[i].types);
        free(world->in->ranks[i].unlike);
        free(world->in->ranks[i].state.why);
        isp_buf_finish(&world->in->ranks[i].differs);
        isp_buf_finish(&world->in->ranks[i].actions);
        isp_buf_finish(&world->in->ranks[i].releases);
        sched_ahead_finish(&world->in->ranks[i].ahead);
        for (unsigned k = 0; k < world->in->ranks[i].n_held; k++)
            isp_buf_finish(&world->in->ranks[i].held[k].records);
        free(world->in->ranks[i].held);
    }
    sched_told_finish(world);
    free(world->in->ranks);
    free(world->in->list);
    free(world->in->runs);
    free(world->in->file_runs);
    sched_rma_destroy(world->rma);
    sched_file_order_destroy(world->file_order);
    world->in->keeper->destroy(world->in->checkpoints);
    sched_files_destroy(world->files);
    isp_buf_finish(&world->in->frame);
    isp_buf_finish(&world->in->body);
    sched_steps_destroy(world->in->steps);
    poe_destroy(world->run->poe);
    world->run->poe = NULL;
    free(world->run->overwritten);
    world->run->overwritten = NULL;
    world->run->n_overwritten = 0;
    free(world->not_ahead);
    free(world->untrue);
    free(world->error);
    free(world->victim);
    free(world->starts);
    free(world->in);
    free(world);
}

/* ---- what others see ---- */

struct sched_rank_view sched_world_rank(const struct sched_world *w, int rank)
{
    const struct sched_rank *r = &w->in->ranks[rank];
    return (struct sched_rank_view){.fn = r->fn,
                                    .site = r->site,
                                    .host = r->peer ? r->peer->host : NULL,
                                    .initialized = r->fn || (r->peer && r->peer->size >= 0),
                                    .greets = r->greets,
                                    .still = sched_rank_is_still(r),
                                    .polls = r->polls,
                                    .accesses = r->accesses,
                                    .finalized = r->finalized,
                                    .exited = r->exited,
                                    .gone = r->gone,
                                    .truncated = r->truncated,
                                    .misfit = r->misfit};
}

struct sched_launch *sched_world_launch(const struct sched_world *w) { return w->in->launch; }
