/* SPDX-License-Identifier: BSD-3-Clause */
/* See settle.h. */
#include "settle.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "bounds.h"
#include "check/barriers.h"
#include "check/threads.h"
#include "check/untried.h"
#include "judge/judge.h"
#include "locate.h"
#include "mixed.h"
#include "part.h"
#include "unsafe.h"

enum { MAX_HANGS = 3 }; /* each costs the time-out */

static void incomplete(struct sched_explore *x, char *why, const struct sched_run *in)
{
    sched_part_incomplete(x->engine.result, why, in);
}

/* The run could not be made. */
static void fail(struct sched_explore *x, struct sched_world *w)
{
    x->stop = true;
    x->failed = w->tool_failed ? ISP_EXIT_TOOL : ISP_EXIT_USAGE;
    free(x->error);
    x->error = sched_strdup(w->error ? w->error : "the ranks could not be started");
}

bool sched_ending_cuts_short(enum sched_ending ending)
{
    return ending == SCHED_END_INTERRUPTED || ending == SCHED_END_UNSUPPORTED ||
           ending == SCHED_END_DIVERGED || ending == SCHED_END_KILLED;
}

static bool is_stuck(enum sched_ending ending)
{
    return ending == SCHED_END_DEADLOCK || ending == SCHED_END_LIVELOCK;
}

/* ---- the judgement ---- */

/* Adds the finding of a run that is stuck. Where buffers could have helped, the program is run a second time
 * with them, to find out: then it is counted as a deadlock when all parts are there (sched_unsafe_settle).
 * Returns whether it counts as one already now. */
static bool judge_stuck(struct sched_explore *x, struct sched_run_state *s)
{
    bool livelock = s->world->ending == SCHED_END_LIVELOCK;
    bool suspect = sched_unsafe_suspect(s);
    if (suspect && !s->run.buffered) {
        x->engine.result->buffering_matters = true;
        if (x->engine.options->buffering == ISP_BUFFERING_AUTO) {
            sched_unsafe_run_buffered(&x->engine, s);
            return false;
        }
    }
    bool unsafe = s->run.mixed && suspect;
    enum isp_rule stuck = livelock ? ISP_RULE_LIVELOCK : ISP_RULE_DEADLOCK;
    sched_check_deadlock(&s->run, livelock, unsafe ? ISP_RULE_UNSAFE_BUFFERING : stuck);
    return true;
}

/* Deadlocks that only some buffering would show: sought in what was recorded, confirmed by runs. Where all is
 * known that comes after a run, those of all that comes after are too. */
static void seek_mixed(struct sched_explore *x, struct sched_run_state *s)
{
    enum sched_ending ending = s->world->ending;
    const struct sched_options *o = x->engine.options;
    bool wanted = s->run.record && s->run.buffered && o->buffering == ISP_BUFFERING_AUTO && !o->replay;
    bool whole = ending != SCHED_END_REDUNDANT && ending != SCHED_END_KNOWN;
    if (wanted && whole && sched_ending_is_own(ending))
        sched_mixed_look(&x->engine, s);
}

/* ---- what is counted and noted ---- */

static void count(struct sched_explore *x, const struct sched_run_state *s, bool deadlocked)
{
    struct sched_result *r = x->engine.result;
    enum sched_ending ending = s->world->ending;
    bool main = sched_explore_is_main(x, s->run.buffered);
    r->choice_points += main ? s->new_choice_points : 0;
    if (ending == SCHED_END_REDUNDANT) {
        r->redundant_runs++;
        return;
    }
    if (ending == SCHED_END_KNOWN) /* sched_merge_end */
        return;
    if (sched_ending_cuts_short(ending))
        return;
    r->runs++;
    if (main)
        r->interleavings++;
    else
        r->buffered_interleavings++;
    r->deadlocked_interleavings += deadlocked && main;
}

static void note_facts(struct sched_result *r, struct sched_run_state *s)
{
    const struct sched_world *w = s->world;
    if (w->ending != SCHED_END_REDUNDANT)
        sched_barriers_take(&r->barriers, &s->run,
                            w->ending == SCHED_END_FINISHED || w->ending == SCHED_END_KNOWN);
    r->buffering_matters = r->buffering_matters || (!s->run.buffered && poe_buffering_matters(s->run.poe));
    struct sched_assumptions *assumes = &r->assumes;
    assumes->threads |= poe_has_threads(s->run.poe);
    assumes->blind |= poe_is_blind(s->run.poe);
    assumes->given_up |= w->given_up;
    assumes->looks |= poe_looks_waited(s->run.poe);
    assumes->shares |= sched_rma_shares(w->rma) || sched_file_order_shares(w->file_order);
    assumes->waited |= sched_file_order_waited(w->file_order);
    r->unsupported |= w->ending == SCHED_END_UNSUPPORTED;
    r->early |= w->early;
    r->differs |= w->differs >= 0 || w->ending == SCHED_END_DIVERGED;
}

static void note_incomplete(struct sched_explore *x, struct sched_run_state *s)
{
    struct sched_world *w = s->world;
    incomplete(x, sched_judge_incomplete(w), &s->run);
    if (w->ending != SCHED_END_REDUNDANT)
        incomplete(x, sched_untried(&s->run), &s->run);
    incomplete(x, sched_threads_unordered(&s->run), &s->run);
    incomplete(x, sched_threads_chosen(&s->run, &w->chosen), &s->run);
    incomplete(x, sched_rma_unexplored(w->rma, &s->run), &s->run);
    incomplete(x, sched_file_order_unexplored(w->file_order, &s->run), &s->run);
}

/* What ends the exploration. */
static void note_stop(struct sched_explore *x, const struct sched_world *w)
{
    if (w->ending == SCHED_END_HANG && ++x->engine.result->hangs + x->other_hangs >= MAX_HANGS)
        x->stop = true;
    if (sched_ending_cuts_short(w->ending) || x->engine.interrupted)
        x->stop = true;
    if (w->n_connected == 0) /* the next one would not either */
        x->stop = true;
    if (w->late && !x->engine.options->replay)
        x->bound = SCHED_STOP_TIME;
}

void sched_settle_run(struct sched_explore *x, struct sched_run_state *s)
{
    struct sched_world *w = s->world;
    if (w->ending == SCHED_END_FAILED) {
        fail(x, w);
        return;
    }
    bool deadlocked = false;
    if (is_stuck(w->ending))
        deadlocked = judge_stuck(x, s);
    count(x, s, deadlocked);
    seek_mixed(x, s);
    note_facts(x->engine.result, s);
    note_incomplete(x, s);
    note_stop(x, w);
    if (x->engine.interrupted)
        incomplete(x, sched_interrupt_words(), &s->run);
    else if (sched_bounds_in_time(x->engine.options, x->started_s) && !sched_ending_cuts_short(w->ending))
        sched_locate(&x->engine, s);
}
