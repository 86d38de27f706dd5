/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "callers.h"
#include "check/threads.h"
#include "checkpoint/checkpoints.h"
#include "findings/findings.h"
#include "findings/rule.h"
#include "judge/judge.h"
#include "base/now.h"
#include "part.h"
#include "trace/trace.h"
#include "base/say.h"
#include "world/ahead.h"
#include "world/forced.h"

/* The alternative to take, or -1 if there is none: the run has diverged, or the choices do not fit. shown:
 * the one that ranks have taken which go ahead, or negative. */
static int decide(const struct sched_decider *d, struct poe *poe, const struct poe_choice *c, int shown)
{
    if (d->search) {
        bool in_loop = sched_loops_have(d->loops, c);
        int k = shown < 0
                    ? poe_search_next(d->search, c->number, c->n, c->signature, in_loop)
                    : poe_search_follow(d->search, c->number, c->n, c->signature, in_loop, (unsigned)shown);
        sched_classes_tell(d->classes, d->search, c);
        return k;
    }
    if (d->guide)
        return (int)sched_decisions_find(d->guide, poe, c, d->patient);
    if (d->calls)
        return (int)sched_recorded_calls_follow(d->calls, poe, c);
    unsigned k = c->number < d->n_forced ? d->forced[c->number] : 0;
    return k <= c->n ? (int)k : -1;
}

static unsigned prefix_of(const struct sched_decider *d)
{
    return d->search ? poe_search_prefix(d->search) : d->guide || d->calls ? 0 : d->n_forced;
}

/* Decisions of this run that are no news. */
static unsigned known_of(const struct sched_decider *d)
{
    return d->search ? poe_search_known(d->search) : prefix_of(d);
}

static void report_races(const struct sched_decider *d, struct poe *poe, struct sched_forced *forced)
{
    struct poe_race race;
    while (poe_next_race_of(poe, &race)) {
        if (d->search)
            poe_search_race(d->search, race.number);
        if (d->search && forced)
            sched_forced_note_race(forced, d->search, &race);
    }
}

static void diverge(struct sched_world *w, int rank, const struct isp_call *at, const char *what)
{
    sched_judge_difference(w, rank, at, what);
    if (w->ending == SCHED_END_NONE)
        w->ending = SCHED_END_DIVERGED;
}

/* A rank that has done something else than in the run before; -1: none. */
static int who_differs(const struct sched_run_state *s, const struct isp_call **at)
{
    *at = NULL;
    return s->check ? sched_replay_check_differs(s->check, at) : -1;
}

static void reach(struct sched_run_state *s, const struct poe_choice *c)
{
    const struct isp_call *at;
    int before = who_differs(s, &at);
    sched_tell_choice(&s->run, c);
    int now = who_differs(s, &at);
    if (before < 0 && now >= 0)
        sched_judge_difference(s->world, now, NULL, "it waits in");
}

/* Once the run is over. */
static void judge_differs(struct sched_run_state *s)
{
    const struct isp_call *at;
    int rank = who_differs(s, &at);
    if (rank < 0)
        return;
    s->world->differs = rank;
    if (at)
        sched_judge_difference(s->world, rank, at, "its call differs:");
}

/* Keeps the world as it is here, if a later run will begin here. */
static void mind_checkpoint(struct sched_run_state *s, const struct sched_decider *d, unsigned number)
{
    if (d->search && poe_search_is_open(d->search, number))
        sched_checkpoints_make(s, number);
    else
        sched_checkpoints_close(s->world, number);
}

static bool step(struct sched_run_state *s, const struct sched_decider *d, struct sched_forced *forced)
{
    struct sched_world *w = s->world;
    if (!sched_world_advance(w))
        return false;
    if (d->merge && sched_merge_reach(d->merge, s, d->search))
        sched_world_end(w, SCHED_END_KNOWN);
    if (w->ending != SCHED_END_NONE)
        return false;
    const struct poe_choice *c = poe_choice(s->run.poe);
    reach(s, c);
    int shown = sched_ahead_shown(w, c), k = decide(d, s->run.poe, c, shown);
    if (forced && d->search)
        sched_forced_note(forced, c);
    if (shown >= 0 && k >= 0 && k != shown) { /* ranks have not begun as they were to */
        sched_world_end(w, SCHED_END_NOT_FORKED);
        return false;
    }
    if (k < 0 && !d->search && !s->check) {
        w->error = sched_format(
            "choice point %u has %u alternative%s, and %u is asked for: this is not an interleaving "
            "of the program",
            c->number, c->n, c->n == 1 ? "" : "s", d->forced[c->number]);
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
    s->new_choice_points += c->number >= known_of(d) && c->n > 1;
    report_races(d, s->run.poe, forced);
    sched_tell_decide(&s->run, c, (unsigned)k);
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
        if (!w->n_connected && !w->victim) { /* nor is it then, if MPI itself did not begin this time */
            w->victim = sched_strdup("no rank reached MPI_Init, though they did in runs before");
            w->ending = SCHED_END_KILLED;
        }
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

/* What hangs in a process that was forked off, or that went back to where it had been, may hang because of
 * that. To make sure costs the time-out, once. */
static bool is_doubtful(const struct sched_engine *engine, const struct sched_world *w)
{
    return w->ending == SCHED_END_HANG && !engine->hangs && sched_checkpoints_forked(w);
}

/* Before there is a world, which adds its own. */
static void listen_first(struct sched_run_state *s)
{
    s->run.listeners.n = 0;
    if (s->check)
        sched_listeners_add(&s->run.listeners, &sched_replay_check_listener, s->check);
}

static void listen_all(struct sched_run_state *s)
{
    struct sched_listeners *l = &s->run.listeners;
    if (s->run.trace)
        sched_listeners_add(l, &sched_trace_listener, s->run.trace);
    sched_listeners_add(l, &sched_check_listener, NULL);
    if (s->decisions)
        sched_listeners_add(l, &sched_decisions_listener, s->decisions);
    if (s->run.stacks || s->run.options->stacks)
        sched_listeners_add(l, &sched_callers_listener, s->run.sites);
    if (s->run.path)
        sched_listeners_add(l, &sched_path_listener, s->run.path);
}

/* What a run that is made again has told cannot be taken back. */
static bool note_error(const struct sched_finding *finding, const char *const *keys, size_t n_keys, void *any)
{
    *(bool *)any |= sched_rule_severity(finding->rule) != ISP_SEVERITY_NOTE;
    return true;
}

static bool has_died_silently(const struct sched_world *w)
{
    return w->ending == SCHED_END_DIED && w->silent >= 0;
}

/* A rank has come further than it would have without MPI's buffers: what it did there is not to be told. Of
 * one that has died without a word it is not known where that was. */
static bool needs_buffers(const struct sched_run_state *s)
{
    const struct sched_world *w = s->world;
    bool died = w->ending == SCHED_END_DIED,
         stuck = w->ending == SCHED_END_DEADLOCK || w->ending == SCHED_END_LIVELOCK;
    return s->run.eager && (died || stuck) && (has_died_silently(w) || sched_ahead_is_behind(w, died));
}

/* True: the run of ranks that go ahead is to be made again: without MPI's buffers, or with ranks that wait
 * for isp. A hang may be one of ranks that go ahead, if they have begun; and of one that has died without a
 * word neither its last calls are known, nor for certain which one it was. */
static bool believe_less(struct sched_engine *engine, struct sched_run_state *s,
                         const struct sched_decider *decider)
{
    struct sched_world *w = s->world;
    const struct isp_call *at;
    bool buffers = needs_buffers(s), hangs = w->ending == SCHED_END_HANG && w->n_connected == w->n;
    if (!buffers && !hangs && !has_died_silently(w) && w->ending != SCHED_END_NOT_FORKED)
        return false;
    if (decider->search) {
        sched_findings_each_new(s->run.findings, note_error, &engine->unsure);
        engine->unsure |= who_differs(s, &at) >= 0;
        if (engine->unsure)
            return false;
    }
    if (w->not_ahead && !engine->not_ahead) {
        engine->not_ahead = sched_strdup(w->not_ahead);
        if (!engine->options->quiet)
            sched_say("note: --decentralized: %s: from here on ranks wait for isp", w->not_ahead);
    }
    if (decider->search)
        poe_search_restart(decider->search);
    engine->careful |= buffers;
    s->run.eager = false;
    s->run.ahead = buffers;
    engine->n_waited += !buffers;
    return true;
}

/* Whether the ranks go ahead in this run. */
static bool goes_ahead(struct sched_engine *engine, const struct sched_decider *d)
{
    if (!engine->forced || engine->not_ahead)
        return false;
    if (!d->search)
        return d->ahead && sched_forced_is_unknown(engine->forced);
    bool goes = sched_forced_find(engine->forced, d->search);
    engine->n_waited += !goes;
    return goes;
}

/* A rank died without a word in a run that was made again, and nobody dies in this one: so it was killed by
 * somebody, or by what it does only with MPI's buffers; or this run took other messages. Those of the first
 * one come in a later run, and in the end it is told if none has shown the death. Takes
 * `who`. */
static void tell_killed(struct sched_engine *engine, const struct sched_run_state *state,
                        const struct sched_decider *decider, char *who)
{
    struct sched_world *w = state->world;
    bool ended = who && w->ending == SCHED_END_FINISHED;
    if (ended && decider->search && state->made > prefix_of(decider)) {
        sched_part_unshown_death(engine->result, who);
    } else if (ended) {
        w->victim = who;
        w->ending = SCHED_END_KILLED;
    } else {
        free(who);
    }
}

/* Goes to the end of a run; again, if the world could not keep what it had to, or if its end is not to be
 * believed before it was seen without checkpoints. */
static void make_run(struct sched_engine *engine, struct sched_run_state *state,
                     const struct sched_decider *decider, struct sched_world_request *request)
{
    char *killed = NULL;
    for (;;) {
        request->plain |= state->run.ahead;
        if (request->check)
            sched_replay_check_begin(request->check, request->prefix);
        listen_first(state);
        state->world = sched_source_open(engine->source, request);
        state->world->until_s =
            engine->options->max_time_s > 0 ? engine->started_s + engine->options->max_time_s : 0;
        engine->world = state->world;
        listen_all(state);
        if (decider->search && state->run.counted < known_of(decider))
            state->run.counted = known_of(decider);
        sched_tell_begin(&state->run, state->made);
        while (step(state, decider, engine->forced))
            ;
        engine->world = NULL;
        const struct sched_world *w = state->world;
        if (state->run.ahead && believe_less(engine, state, decider)) {
            request->plain = state->run.ahead;
            int who = w->first_end >= 0 ? w->first_end : w->silent;
            if (has_died_silently(w) && !killed)
                killed = sched_format("rank %d was killed, or left by _exit, and not once more", who);
        } else if (is_doubtful(engine, state->world))
            request->plain = true;
        else if (state->world->ending != SCHED_END_NOT_FORKED || state->world->untrue || engine->unsure)
            break;
        sched_source_again(engine->source, state);
    }
    tell_killed(engine, state, decider, killed);
    bool in_vain = state->world->ending == SCHED_END_REDUNDANT && sched_ahead_is_behind(state->world, false);
    engine->careful |= in_vain && state->run.eager; /* the next ones could be, too */
    engine->hangs |= state->world->ending == SCHED_END_HANG;
    if (request->plain && !state->run.ahead && state->world->ending != SCHED_END_HANG)
        engine->untrue = true;
}

void sched_run_start(struct sched_engine *engine, struct sched_run_state *state,
                     const struct sched_decider *decider, struct sched_replay_check *check, bool buffered,
                     enum sched_output output, bool take_notes)
{
    struct sched_world_request request = {.state = state,
                                          .search = decider->search,
                                          .check = check,
                                          .buffered = buffered,
                                          .output = output,
                                          .prefix = prefix_of(decider),
                                          .interrupted = &engine->interrupted};
    engine->n_runs++;
    state->check = check;
    state->run.ahead = goes_ahead(engine, decider);
    state->run.eager = state->run.ahead && !buffered && !engine->careful;
    state->run.forced = engine->forced;
    state->run.deeds = NULL; /* the caller's run may be a copy of another one */
    state->decisions = take_notes ? sched_decisions_create() : NULL;
    make_run(engine, state, decider, &request);
    struct sched_world *w = state->world;
    state->continued = sched_checkpoints_forked(w);
    if (w->ending != SCHED_END_REDUNDANT)
        poe_visits_over(state->run.poe);
    report_races(decider, state->run.poe, engine->forced);
    if (decider->search && w->ending == SCHED_END_REDUNDANT)
        poe_search_redundant(decider->search);
    struct sched_autopsy *autopsy = sched_autopsy_create(w);
    sched_source_rest(engine->source, w);
    sched_world_find_victim(w);
    sched_judge_own_abort(w);
    judge_differs(state);
    check_length(state, decider);
    engine->unsure |= engine->forced && (w->differs >= 0 || w->ending == SCHED_END_DIVERGED);
    sched_judge(w, autopsy);
    sched_autopsy_destroy(autopsy);
    engine->result->calls += w->calls;
    engine->n_calls += w->calls;
    engine->record_bytes += w->record_bytes;
}

void sched_run_finish(struct sched_engine *engine, struct sched_run_state *state)
{
    sched_source_close(engine->source, state);
}
