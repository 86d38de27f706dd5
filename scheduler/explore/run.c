/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "check/threads.h"
#include "checkpoint/checkpoints.h"
#include "judge.h"
#include "base/now.h"
#include "trace/trace.h"
#include "base/say.h"

static const double LEAST_S = 1;

/* The alternative to take, or -1 if there is none: the run has diverged, or the choices do not fit. */
static int decide(const struct sched_decider *d, const struct poe *poe, const struct poe_choice *c)
{
    if (d->search)
        return poe_search_next(d->search, c->number, c->n, c->signature, sched_loops_have(d->loops, c));
    if (d->guide)
        return (int)sched_decisions_find(d->guide, poe, c, d->patient);
    unsigned k = c->number < d->n_forced ? d->forced[c->number] : 0;
    return k <= c->n ? (int)k : -1;
}

static unsigned prefix_of(const struct sched_decider *d)
{
    return d->search ? poe_search_prefix(d->search) : d->guide ? 0 : d->n_forced;
}

/* Decisions of this run that are no news. */
static unsigned known_of(const struct sched_decider *d)
{
    return d->search ? poe_search_known(d->search) : prefix_of(d);
}

static void report_races(const struct sched_decider *d, struct poe *poe)
{
    unsigned number;
    while (poe_next_race(poe, &number))
        if (d->search)
            poe_search_race(d->search, number);
}

static void diverge(struct sched_world *w, int rank, const struct isp_call *at, const char *what)
{
    sched_judge_difference(w, rank, at, what);
    if (w->ending == SCHED_END_NONE)
        w->ending = SCHED_END_DIVERGED;
}

/* Compares what the ranks did up to this choice point with the run before. */
static void compare(struct sched_world *w, unsigned number)
{
    int other = w->replay_check ? sched_replay_check_choice(w->replay_check, number) : -1;
    if (other < 0 || w->differs >= 0)
        return;
    w->differs = other;
    sched_judge_difference(w, other, NULL, "it waits in");
}

/* Keeps the world as it is here, if a later run will begin here. */
static void mind_checkpoint(struct sched_run_state *s, const struct sched_decider *d, unsigned number)
{
    if (d->search && poe_search_is_open(d->search, number))
        sched_checkpoints_make(s, number);
    else
        sched_checkpoints_close(s->world, number);
}

static bool step(struct sched_run_state *s, const struct sched_decider *d)
{
    struct sched_world *w = s->world;
    if (!sched_world_advance(w))
        return false;
    const struct poe_choice *c = poe_choice(s->run.poe);
    compare(w, c->number);
    int k = decide(d, s->run.poe, c);
    if (k < 0 && !d->search && !w->replay_check) {
        w->error = sched_format("choice point %u has %u alternatives, and %u is asked for: this is not an interleaving "
                                "of the program", c->number, c->n, d->forced[c->number]);
        w->ending = SCHED_END_FAILED;
        return false;
    }
    if (k < 0) {
        diverge(w, c->transition->rank, &c->transition->call, "it has other matches to choose from in");
        return false;
    }
    mind_checkpoint(s, d, c->number);
    if (w->ending != SCHED_END_NONE)
        return false;
    c = poe_choice(s->run.poe);
    if ((!d->search || c->number >= known_of(d)) && c->number >= s->run.counted)
        sched_check_choice(&s->run, c);
    if (c->alternatives[0].kind == POE_ADMIT)
        sched_check_threads(&s->run, c);
    if (s->decisions)
        sched_decisions_note(s->decisions, c, (unsigned)k);
    s->new_choice_points += c->number >= known_of(d) && c->n > 1;
    report_races(d, s->run.poe);
    sched_trace_decide(s->run.trace, c, (unsigned)k);
    sched_path_add(s->run.path, s->run.poe, c);
    poe_decide(s->run.poe, (unsigned)k);
    SCHED_GROW(s->choices, s->made);
    s->choices[s->made++] = (unsigned)k;
    return true;
}

/* A run that was to repeat more decisions than it came to. */
static void check_length(struct sched_run_state *s, const struct sched_decider *d)
{
    struct sched_world *w = s->world;
    if (!sched_ending_is_own(w->ending) || s->made >= known_of(d))
        return;
    if (w->ending == SCHED_END_DIED) { /* that is what is to be told; it need not be the program's doing */
        w->fell_short = true;
        return;
    }
    if (d->search) {
        w->differs = w->differs < 0 ? 0 : w->differs;
        sched_judge_difference(w, w->differs, NULL, "the run ends before its choice points are reached, in");
        w->ending = SCHED_END_DIVERGED;
    } else if (!d->quiet) {
        sched_say("note: the run ended after %u of the %u choices", s->made, d->n_forced);
    }
}

/* What hangs in a process that was forked off, or that went back to where it had been, may hang because of that. To make sure costs the time-out,
 * once. */
static bool is_doubtful(const struct sched_engine *engine, const struct sched_world *w)
{
    return w->ending == SCHED_END_HANG && !engine->hangs && w->checkpoints && sched_checkpoints_forked(w);
}

/* When --max-time ends a run; 0: never. A run that was begun in time has some time in any case. */
static double end_s(const struct sched_engine *engine)
{
    double end = engine->started_s + engine->options->max_time_s, least = sched_now_s() + LEAST_S;
    if (engine->options->max_time_s == 0)
        return 0;
    return end > least ? end : least;
}

/* Goes to the end of a run; again, if the world could not keep what it had to, or if its end is not to be believed before it was seen without
 * checkpoints. */
static void make_run(struct sched_engine *engine, struct sched_run_state *state, const struct sched_decider *decider,
                     struct sched_world_request *request)
{
    for (;;) {
        if (request->check)
            sched_replay_check_begin(request->check, request->prefix);
        state->world = sched_source_open(engine->source, request);
        state->world->until_s = end_s(engine);
        sched_trace_begin(state->run.trace, &state->run, state->made);
        sched_path_cut(state->run.path, state->made);
        while (step(state, decider))
            ;
        if (is_doubtful(engine, state->world))
            request->plain = true;
        else if (state->world->ending != SCHED_END_NOT_FORKED)
            break;
        sched_source_again(engine->source, state);
    }
    engine->hangs |= state->world->ending == SCHED_END_HANG;
    if (request->plain && state->world->ending != SCHED_END_HANG)
        engine->untrue = true;
}

void sched_run_start(struct sched_engine *engine, struct sched_run_state *state, const struct sched_decider *decider,
                     struct sched_replay_check *check, bool buffered, enum sched_output output, bool take_notes)
{
    struct sched_world_request request = {state, decider->search, check, buffered, output, prefix_of(decider), &engine->interrupted, false};
    engine->n_runs++;
    state->run.taken = NULL; /* the caller's run may be a copy of another one */
    state->decisions = take_notes ? sched_decisions_create() : NULL;
    make_run(engine, state, decider, &request);
    struct sched_world *w = state->world;
    state->continued = w->checkpoints && sched_checkpoints_forked(w);
    report_races(decider, state->run.poe);
    if (decider->search && w->ending == SCHED_END_REDUNDANT)
        poe_search_redundant(decider->search);
    struct sched_autopsy *autopsy = sched_autopsy_create(w);
    sched_source_rest(engine->source, w);
    sched_world_find_victim(w);
    sched_judge_own_abort(w);
    if (w->differs >= 0 && w->differs_at.op)
        sched_judge_difference(w, w->differs, &w->differs_at, "its call differs:");
    check_length(state, decider);
    sched_judge(w, autopsy);
    sched_autopsy_destroy(autopsy);
    engine->result->calls += w->calls;
}

void sched_run_finish(struct sched_engine *engine, struct sched_run_state *state)
{
    sched_source_close(engine->source, state);
}
