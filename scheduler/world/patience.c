/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that spin until another one has got somewhere never let their rank be quiet for certain
 * (profiler/threads/quiet.h). What fires by such a guess may be decided too early, which is no harm: what
 * comes later is an alternative all the same (poe/race.h). But that nothing moves is no deadlock then: the
 * thread may still call something.
 */
#include "patience.h"

#include <math.h>

#include "keeper.h"
#include "link/link.h"
#include "base/now.h"
#include "base/process.h"
#include "base/reserve.h"

static const double LIVELOCK_S = 1; /* polling without progress counts as livelock only after this */
static const double NAP_S = 0.99;   /* less than SLEPT_S, which would be forgiven */
static const double PROBE_S = 0.1;  /* between two looks at the memory that can be had */
static const double SLEPT_S = 1;    /* isp looks each TICK_MS (world.c) */
static const double SILENT_S = 0.3; /* so long a death without a word may turn out to be that of all */
static const double STRAYS_S = 0.5; /* so long a deadlock waits for threads that must not call MPI to do so */
/* after this part of the time-out ranks that call nothing are not waited for ... */
static const double IDLE_PART = 0.25, UNHURRIED_PART = 0.9;
static const double IDLE_S = 15, UNHURRIED_S = 54; /* ... or after this, if there is none */
static const double SETTLED_S = 2; /* so long a thread that seems to wait may be wrong about it */
static const double START_S = 5; /* all ranks may take so long to come out of MPI_Init, whatever the limits */
static const double LEAST_S = 1; /* a run goes on for so long after that, whatever --max-time says */
static const double ACCESS_TIMEOUTS = 3; /* more time for ranks that access windows, in time-outs */

bool sched_patience_is_guess(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        if (w->in->ranks[i].quiet && w->in->ranks[i].guessed)
            return true;
    return false;
}

bool sched_patience_any_idle(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        if (w->in->ranks[i].idle)
            return true;
    return false;
}

bool sched_patience_is_early(const struct sched_world *w)
{
    return sched_patience_is_guess(w) || sched_patience_any_idle(w);
}

bool sched_patience_is_settled(const struct sched_world *w)
{
    return !sched_patience_is_guess(w) || sched_now_s() - w->in->news_s >= SETTLED_S;
}

bool sched_patience_is_strayed(const struct sched_world *w)
{
    for (int i = 0; i < w->n && sched_now_s() - w->in->news_s < STRAYS_S; i++)
        if (w->in->ranks[i].strays)
            return true;
    return false;
}

bool sched_patience_is_livelock(const struct sched_world *w)
{
    double passed_s = sched_now_s() - w->in->progress_s;
    bool guess = sched_patience_is_guess(w); /* check_polls calls it a hang */
    if (passed_s >= LIVELOCK_S && !guess)
        return true;
    double nap_s = guess ? NAP_S / 2 : fmin(LIVELOCK_S - passed_s, NAP_S);
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * nap_s)}, NULL);
    return false;
}

bool sched_patience_left_alone(const struct sched_world *w)
{
    return w->in->keeper->forked(w) && !w->in->launch->gone && !w->in->launch->ended &&
           sched_now_s() - w->in->news_s >= SILENT_S;
}

bool sched_patience_is_long(const struct sched_world *w)
{
    return sched_now_s() - w->in->news_s >= SETTLED_S;
}

/* ---- ranks that call nothing ---- */

void sched_patience_heard(struct sched_world *w, int rank)
{
    if (w->in->ranks[rank].idle)
        poe_runs(w->run->poe, rank);
    w->in->ranks[rank].idle = false;
}

static bool is_waiting(const struct sched_rank *r) { return r->quiet || r->gone || sched_rank_rests(r); }

/* Whether a rank that runs has called nothing for so long. Somebody may have stopped it: that time does not
 * count. */
static bool is_silent(struct sched_world *w, int rank, double now, double limit_s)
{
    struct sched_rank *r = &w->in->ranks[rank];
    if (!r->fn || now - r->heard_s < limit_s / 2)
        return false;
    if (r->peer && sched_process_is_here(r->peer->host) &&
        sched_process_is_stopped(w->in->keeper->process(w, rank)))
        r->stood_s = now;
    return now - r->heard_s >= limit_s && now - r->stood_s >= limit_s;
}

static double idle_s(const struct sched_options *o)
{
    return o->idle_s > 0 ? o->idle_s : o->timeout_s > 0 ? o->timeout_s * IDLE_PART : IDLE_S;
}

double sched_patience_unhurried_s(const struct sched_options *o)
{
    return o->timeout_s > 0 ? o->timeout_s * UNHURRIED_PART : UNHURRIED_S;
}

/* One that computes is worth waiting for; but if it waits for a file, or for something in memory, then what
 * comes may depend on what is still to be decided. So when all that call nothing have done so for long
 * enough, the others go on without them. If one then calls
 * something after all, that is an alternative like any other (poe/race.h). */
static void take_idle(struct sched_world *w, double now)
{
    double limit_s = idle_s(w->run->options);
    bool any = false, all = true;
    for (int i = 0; i < w->n; i++) {
        bool waits = is_waiting(&w->in->ranks[i]);
        all &= waits || is_silent(w, i, now, limit_s); /* each is looked at, lest one was stopped meanwhile */
        any |= !waits;
    }
    for (int i = 0; i < w->n && any && all && now - w->in->news_s >= limit_s; i++)
        w->in->ranks[i].idle |= !is_waiting(&w->in->ranks[i]);
}

/* ---- hangs ---- */

/* A rank that seems to be quiet waits for the others: it hangs when they do not get on either. Accesses to
 * windows are not told, and two ranks may get on by these alone, as may one with several threads: such a
 * rank has more time. */
static double silent_since(const struct sched_world *w, const struct sched_rank *r)
{
    double since = r->quiet && w->in->news_s > r->heard_s ? w->in->news_s : r->heard_s;
    if (r->idle && w->in->progress_s > since)
        since = w->in->progress_s;
    bool alone = !r->accesses;
    for (const struct sched_rank *other = w->in->ranks; other < w->in->ranks + w->n; other++)
        if (other != r && !other->quiet && !other->gone && !other->stopped)
            alone = false;
    if (r->polls || r->accesses)
        return since + (alone ? 0 : ACCESS_TIMEOUTS * w->run->options->timeout_s);
    return since;
}

static void move_on(double *time_s, double by_s, double most_s)
{
    *time_s = *time_s + by_s < most_s ? *time_s + by_s : most_s;
}

/* What isp has slept, since somebody had stopped it or others had the processors, is no time in which ranks
 * could have been heard. */
static void forgive_sleep(struct sched_world *w, double now)
{
    double slept = now - w->in->looked_s;
    w->in->looked_s = now;
    if (slept < SLEPT_S)
        return;
    move_on(&w->in->begun_s, slept, now);
    move_on(&w->in->news_s, slept, now);
    move_on(&w->in->progress_s, slept, now);
    move_on(&w->in->all_gone_s, slept, now);
    move_on(&w->in->doomed_s, slept, now + SCHED_DYING_S);
    for (int i = 0; i < w->n; i++)
        move_on(&w->in->ranks[i].heard_s, slept, now);
}

/* A rank that has polled in vain for the time-out, and does something else each time, as far as isp can tell:
 * no livelock, but no progress. It is no hang if the run waits with what others could do. */
static void check_polls(struct sched_world *w)
{
    int rank = w->run->poe ? poe_polls_in_vain(w->run->poe, w->run->options->livelock_rounds) : -1;
    if (rank < 0)
        return;
    w->hanging = rank;
    w->in_vain = true;
    sched_world_end(w, poe_is_withheld(w->run->poe) ? SCHED_END_REDUNDANT : SCHED_END_HANG);
}

/* Of the ranks that run, the one that has for longest, since others may wait for it inside MPI; or -1. */
static int longest_running(const struct sched_world *w)
{
    int oldest = -1;
    for (int i = 0; i < w->n; i++) {
        const struct sched_rank *r = &w->in->ranks[i];
        if (!r->stopped && !r->holds && !r->parked && !r->gone && !sched_rank_is_still(r) &&
            (oldest < 0 || silent_since(w, r) < silent_since(w, &w->in->ranks[oldest])))
            oldest = i;
    }
    return oldest;
}

static bool have_begun(const struct sched_world *w) { return w->n_connected == w->n; }

/* A run that was begun in time has some time in any case. */
static double end_s(const struct sched_world *w)
{
    return fmax(w->until_s, w->in->begun_s + (have_begun(w) ? LEAST_S : START_S));
}

/* How long a rank may be silent; 0: for ever. */
static double limit_s(const struct sched_world *w)
{
    double given_s = w->run->options->timeout_s;
    return have_begun(w) || given_s == 0 ? given_s : fmax(given_s, START_S);
}

void sched_patience_check(struct sched_world *w)
{
    double now = sched_now_s(), limit = w->patient ? 0 : limit_s(w);
    forgive_sleep(w, now);
    if (now - w->in->probed_s >= PROBE_S) {
        w->in->probed_s = now;
        if (sched_reserve_is_needed())
            sched_world_end(w, SCHED_END_INTERRUPTED);
    }
    take_idle(w, now);
    int oldest = longest_running(w), gone = 0;
    /* who has not come to MPI_Init may still do so */
    if (w->in->stopped && now >= w->in->doomed_s && (have_begun(w) || now >= w->in->begun_s + START_S)) {
        w->hanging = oldest;
        sched_world_end(w, SCHED_END_DIED);
    }
    if (w->until_s > 0 && now >= end_s(w) && w->ending == SCHED_END_NONE) {
        w->late = true;
        sched_world_end(w, SCHED_END_INTERRUPTED);
    }
    for (int i = 0; i < w->n; i++)
        gone += w->in->ranks[i].gone;
    if (limit > 0 && oldest >= 0 && !w->in->stopped /* they may wait for the dead */ &&
        now - silent_since(w, &w->in->ranks[oldest]) >= limit && w->ending == SCHED_END_NONE) {
        w->hanging = oldest;
        w->hung_s = limit;
        sched_world_end(w, SCHED_END_HANG);
    }
    if (limit > 0 && !w->in->stopped && w->ending == SCHED_END_NONE && now - w->in->progress_s >= limit)
        check_polls(w);
    if (gone < w->n)
        w->in->all_gone_s = now;
    else if (now - w->in->all_gone_s >= SCHED_DYING_S) /* a launcher that does not notice */
        sched_launch_kill(w->in->launch);
}
