/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Depth-first search over the choice points: poe_search is the stack, explore() is the loop. Each turn takes a world
 * at the present prefix, runs it to its end, counts it, and moves to the next prefix.
 *
 * Buffering `auto` explores without buffering first; if some run showed that buffering could change
 * what matches, or a send without buffer held a rank in a deadlock, all is explored again with buffered sends.
 *
 * Law 5: whatever keeps the exploration from being complete is said in result->incomplete_because.
 */
#include "explore.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "bounds.h"
#include "check/barriers.h"
#include "judge.h"
#include "locate.h"
#include "now.h"
#include "progress.h"
#include "run.h"
#include "unsafe.h"

enum { MAX_HANGS = 3 }; /* each costs the time-out */

struct explore {
    struct sched_engine engine;
    struct sched_world_source source;
    struct event_base *base;
    struct sched_progress progress;
    struct event *signals[3];
    double started_s;
    bool buffering_matters;
    struct sched_barriers barriers;
    struct sched_loops *loops;
    unsigned hangs;
    bool stop;
    int failure; /* exit code: there is nothing to report */
};

/* ---- the end of a run ---- */

static void incomplete(struct explore *x, char *why)
{
    if (why && !x->engine.result->incomplete_because)
        x->engine.result->incomplete_because = why;
    else
        free(why);
}

/* The run could not be made. If others could, their result stands. */
static void fail(struct explore *x, struct sched_world *w)
{
    x->stop = true;
    if (x->engine.result->interleavings == 0) {
        sched_progress_clear(&x->progress);
        fprintf(stderr, "isp: %s\n", w->error ? w->error : "the ranks could not be started");
        x->failure = w->tool_failed ? ISP_EXIT_TOOL : ISP_EXIT_USAGE;
    } else {
        incomplete(x, sched_strdup(w->error ? w->error : "the ranks could not be started"));
    }
}

/* Adds the finding of a run that is stuck; returns whether it counts as a deadlock. */
static bool judge_stuck(struct explore *x, struct sched_run_state *s)
{
    bool livelock = s->world->ending == SCHED_END_LIVELOCK;
    bool suspect = sched_unsafe_suspect(s);
    if (suspect && !s->run.buffered)
        x->buffering_matters = true;
    if (suspect && !s->run.buffered && x->engine.options->buffering == ISP_BUFFERING_AUTO)
        return sched_unsafe_judge(&x->engine, s);
    sched_check_deadlock(&s->run, livelock, livelock ? ISP_RULE_LIVELOCK : ISP_RULE_DEADLOCK);
    return true;
}

/* Such a run is no interleaving, and there is no use in another. */
static bool is_cut_short(enum sched_ending ending)
{
    return ending == SCHED_END_INTERRUPTED || ending == SCHED_END_UNSUPPORTED || ending == SCHED_END_DIVERGED ||
           ending == SCHED_END_KILLED;
}

static void count(struct explore *x, struct sched_run_state *s, bool main)
{
    struct sched_result *r = x->engine.result;
    enum sched_ending ending = s->world->ending;
    r->choice_points += main ? s->new_choice_points : 0;
    if (ending == SCHED_END_REDUNDANT) {
        r->redundant_runs++;
        return;
    }
    bool stuck = (ending == SCHED_END_DEADLOCK || ending == SCHED_END_LIVELOCK) && judge_stuck(x, s);
    if (is_cut_short(ending))
        return;
    if (main)
        r->interleavings++;
    else
        r->buffered_interleavings++;
    r->deadlocked_interleavings += stuck && main;
}

static bool is_in_time(const struct explore *x)
{
    return sched_bounds_in_time(x->engine.options, x->started_s);
}

static void settle(struct explore *x, struct sched_run_state *s, bool main)
{
    struct sched_world *w = s->world;
    if (w->ending == SCHED_END_FAILED) {
        fail(x, w);
        return;
    }
    count(x, s, main);
    if (w->ending != SCHED_END_REDUNDANT)
        sched_barriers_take(&x->barriers, &s->run, w->ending == SCHED_END_FINISHED);
    x->buffering_matters = x->buffering_matters || (!s->run.buffered && poe_buffering_matters(s->run.poe));
    incomplete(x, sched_judge_incomplete(w));
    if (s->bounded)
        incomplete(x, sched_strdup("of an MPI_Waitsome or MPI_Testsome with more than 4 complete requests not every subset "
                                   "was tried"));
    if (w->ending == SCHED_END_UNSUPPORTED)
        x->engine.result->unsupported = true;
    if (w->ending == SCHED_END_HANG && ++x->hangs == MAX_HANGS)
        x->stop = true;
    if (is_cut_short(w->ending) || x->engine.interrupted)
        x->stop = true;
    if (w->n_connected == 0) /* the next one would not either */
        x->stop = true;
    if (x->engine.interrupted)
        incomplete(x, sched_strdup("interrupted"));
    else if (is_in_time(x) && !is_cut_short(w->ending))
        sched_locate(&x->engine, s);
}

/* ---- the loop ---- */

static enum sched_output output_for(const struct explore *x)
{
    const char *which = x->engine.options->output;
    if (strcmp(which, "none") == 0)
        return SCHED_OUTPUT_HIDE;
    if (x->engine.options->replay)
        return SCHED_OUTPUT_DIRECT;
    return strcmp(which, "all") == 0 || x->engine.n_runs == 0 ? SCHED_OUTPUT_SHOW : SCHED_OUTPUT_HIDE;
}

static void run(struct explore *x, const struct sched_decider *decider, struct sched_replay_check *check, char *name,
                bool buffered, bool main)
{
    struct sched_result *r = x->engine.result;
    struct sched_run_state s = {.run = {.options = x->engine.options, .sites = r->sites, .findings = r->findings,
                                        .signatures = x->engine.signatures,
                                        .interleaving = name, .buffered = buffered}};
    bool take_notes = !buffered && x->engine.options->buffering == ISP_BUFFERING_AUTO;
    sched_run_start(&x->engine, &s, decider, check, buffered, output_for(x), take_notes);
    char *full = decider->search ? poe_search_name(decider->search) : NULL;
    if (full && strcmp(full, name) != 0) { /* of a random walk the name is known only when it is over */
        sched_findings_rename(r->findings, name, full, buffered);
        s.run.interleaving = full;
    }
    settle(x, &s, main);
    free(full);
    sched_run_finish(&x->engine, &s);
    free(name);
}

static void explore(struct explore *x, bool buffered, bool main)
{
    struct poe_search_bounds bounds = sched_bounds_of_search(x->engine.options);
    struct poe_search *search = poe_search_create(&bounds);
    struct sched_replay_check *check = sched_replay_check_create(x->engine.options->ranks);
    struct sched_decider decider = {.search = search, .loops = x->loops};
    struct sched_result *r = x->engine.result;
    const uint64_t *explored = main ? &r->interleavings : &r->buffered_interleavings;
    enum sched_stop stop = SCHED_STOP_NONE;
    do {
        sched_progress_show(&x->progress, r->interleavings + r->buffered_interleavings, poe_search_frontier(search),
                            (main ? 0 : (double)r->interleavings) + poe_search_estimate(search));
        run(x, &decider, check, poe_search_name(search), buffered, main);
    } while (!x->stop && poe_search_backtrack(search) && !(stop = sched_bounds_reached(r, x->started_s, *explored)));
    sched_bounds_take(r, search, stop, !main);
    sched_replay_check_destroy(check);
    poe_search_destroy(search);
}

static void explore_all(struct explore *x)
{
    enum isp_buffering buffering = x->engine.options->buffering;
    explore(x, buffering == ISP_BUFFERING_INFINITE, true);
    if (buffering != ISP_BUFFERING_AUTO || !x->buffering_matters || x->stop)
        return;
    struct sched_result *r = x->engine.result;
    enum sched_stop stop = sched_bounds_reached(r, x->started_s, 0);
    r->buffered_too = !stop;
    if (r->buffered_too) {
        explore(x, true, false);
    } else {
        r->left_out.stop = stop;
        r->left_out.buffered = true;
    }
}

static void replay(struct explore *x)
{
    const struct sched_options *o = x->engine.options;
    struct sched_decider decider = {.forced = o->choices, .n_forced = (unsigned)o->n_choices};
    run(x, &decider, NULL, poe_choices_name(o->choices, (unsigned)o->n_choices),
        o->buffering == ISP_BUFFERING_INFINITE, true);
    incomplete(x, sched_strdup("a replay runs one interleaving"));
}

static void tell_bounds(struct explore *x)
{
    struct sched_result *r = x->engine.result;
    char *why = sched_bounds_words(r), *other = r->incomplete_because;
    if (why && other) {
        r->incomplete_because = sched_format("%s; %s", other, why);
        free(other);
        free(why);
    } else {
        incomplete(x, why);
    }
    r->unmet_loop = sched_loops_unmet(x->loops);
    sched_loops_destroy(x->loops);
}

/* Without the search through all interleavings, or with one kind of buffering only, nothing is known. A redundant run is one of
 * which the clocks knew less than is true (poe/clock.h): then some barrier may matter more than they say. */
static void tell_barriers(struct explore *x)
{
    const struct sched_options *o = x->engine.options;
    struct sched_result *r = x->engine.result;
    struct sched_run run = {.options = o, .sites = r->sites, .findings = r->findings};
    if (!r->incomplete_because && !x->stop && !r->unsupported && !r->redundant_runs && o->buffering == ISP_BUFFERING_AUTO)
        sched_barriers_report(&x->barriers, &run);
    sched_barriers_finish(&x->barriers);
}

/* ---- start and end ---- */

/* The second signal ends isp at once; its guard cleans up. */
static void on_signal(int fd, short what, void *context)
{
    struct explore *x = context;
    x->engine.interrupted = true;
    for (int i = 0; i < 3; i++)
        if (x->signals[i])
            event_del(x->signals[i]);
}

static void catch_signals(struct explore *x)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue; /* nohup */
        x->signals[i] = sched_must(evsignal_new(x->base, signals[i], on_signal, x));
        event_add(x->signals[i], NULL);
    }
}

int sched_explore(const struct sched_options *options, struct sched_result *result)
{
    *result = (struct sched_result){.options = options, .sites = sched_sites_create(),
                                    .findings = sched_findings_create()};
    struct explore x = {.base = sched_must(event_base_new()), .started_s = sched_now_s()};
    x.loops = sched_loops_create(options, result->sites);
    x.source = sched_source_replay(x.base);
    x.engine = (struct sched_engine){.options = options, .result = result, .source = &x.source,
                                     .signatures = sched_signatures_create()};
    bool all_output = strcmp(options->output, "all") == 0;
    sched_progress_init(&x.progress, options->quiet || all_output || options->replay);
    catch_signals(&x);
    if (options->replay)
        replay(&x);
    else
        explore_all(&x);
    sched_progress_clear(&x.progress);
    tell_bounds(&x);
    tell_barriers(&x);
    sched_unsafe_finish(&x.engine);
    sched_locate_finish(&x.engine);
    sched_signatures_destroy(x.engine.signatures);
    for (int i = 0; i < 3; i++)
        if (x.signals[i])
            event_free(x.signals[i]);
    event_base_free(x.base);
    result->seconds = sched_now_s() - x.started_s;
    return x.failure;
}
