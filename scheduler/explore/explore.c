/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Depth-first search over the choice points of one job, a subtree: poe_search is the stack,
 * sched_explore_job() is the loop. Each turn takes a world at the present prefix, runs it to its end, settles
 * it (settle.h), and moves to the next prefix. Where jobs come from, and where their results go, is the
 * pool's business (pool.h).
 *
 * Buffering `auto` explores without buffering first; if some run showed that buffering could change
 * what matches, or a send without buffer held a rank in a deadlock, all is explored again with buffered
 * sends.
 */
#include "explore.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/now.h"
#include "bounds.h"
#include "checkpoint/checkpoints.h"
#include "confirm.h"
#include "locate.h"
#include "launch/input.h"
#include "predicted.h"
#include "run/merges.h"
#include "settle.h"
#include "unsafe.h"
#include "trace/trace.h"
#include "verify.h"
#include "world/files.h"
#include "world/forced.h"

/* ---- one run ---- */

static enum sched_output output_for(const struct sched_explore *x)
{
    const char *which = x->engine.options->output;
    if (strcmp(which, "none") == 0)
        return SCHED_OUTPUT_HIDE;
    bool shows =
        x->engine.options->replay || strcmp(which, "all") == 0 || (x->shows && x->engine.n_runs == 0);
    return shows ? SCHED_OUTPUT_SHOW : SCHED_OUTPUT_HIDE;
}

/* Ranks may be left that wait. */
static bool can_be_stuck(enum sched_ending ending)
{
    return ending == SCHED_END_DEADLOCK || ending == SCHED_END_LIVELOCK || ending == SCHED_END_MISMATCH ||
           ending == SCHED_END_DIED || ending == SCHED_END_HANG;
}

static void keep_choices(struct sched_explore *x, const struct sched_run_state *s)
{
    x->choices = sched_grow(x->choices, s->made, sizeof *x->choices);
    x->made = s->made;
    if (s->made)
        memcpy(x->choices, s->choices, s->made * sizeof *x->choices);
}

/* Where ranks go ahead, nothing is believed that a difference between two runs has come into.
 *
 * An error that what went on from a checkpoint shows is made sure of by a launch of the same choices. If that
 * does not show it, checkpoints change this program: x->untrue says so, and nothing counts that was explored
 * so far, which may also have missed something. */
static void confirm(struct sched_explore *x, struct sched_run_state *s)
{
    if (sched_checkpoints_are_wanted(s->world) && !x->untrue)
        x->untrue = sched_confirm_run(x->confirm, &x->engine, s);
    if (s->world->untrue && !x->untrue)
        x->untrue = sched_strdup(s->world->untrue);
    if (x->engine.untrue && !x->untrue)
        x->untrue = sched_strdup("hang");
    if (x->engine.unsure && !x->untrue)
        x->untrue = sched_strdup("a rank does something else than before with the same matches");
    if (x->untrue)
        x->stop = x->undone = true;
}

static void end_findings(struct sched_explore *x, const struct sched_run_state *s)
{
    enum sched_ending ending = s->world->ending;
    bool counts = !x->undone && ending != SCHED_END_REDUNDANT;
    struct sched_run_end end = {.name = s->run.interleaving,
                                .buffered = s->run.buffered,
                                .counts = counts,
                                .finished = counts && ending == SCHED_END_FINISHED,
                                .walk = x->engine.options->sample,
                                .path = s->run.path};
    bool deadlocked = x->engine.result->deadlocked_interleavings > x->before.deadlocked_interleavings;
    if (x->merge)
        sched_merge_end(x->merge, s, x->search, x->undone, deadlocked, &end);
    sched_findings_end_run(s->run.findings, &end);
}

static void tell_shown(const struct sched_finding *finding, void *trace)
{
    sched_trace_shows(trace, sched_findings_key(finding));
}

static bool tell_lost(const struct sched_finding *finding, const char *const *keys, size_t n_keys,
                      void *trace)
{
    (void)finding;
    (void)n_keys;
    sched_trace_shows(trace, keys[0]);
    return true;
}

/* To the trace; of a deadlock that only lacks buffers for what nobody receives, what is told in its place. */
static void tell_findings(const struct sched_explore *x, const struct sched_run_state *s)
{
    const struct sched_unsafe_verdict *judged = x->engine.result->judged;
    if (!x->trace)
        return;
    sched_findings_each_shown(s->run.findings, tell_shown, x->trace);
    if (judged && judged->kind == SCHED_UNSAFE_LOST)
        sched_findings_each(judged->lost, false, tell_lost, x->trace);
}

/* One that is merged while isp is told to stop counts for nothing, and is made again by --resume. */
static void tell_end(const struct sched_explore *x, const struct sched_run_state *s)
{
    enum sched_ending ending = s->world->ending;
    if (ending == SCHED_END_KNOWN && x->engine.interrupted)
        ending = SCHED_END_INTERRUPTED;
    if (ending == SCHED_END_KNOWN)
        sched_merge_tell_trace(x->merge, x->trace);
    sched_tell_end(&s->run, sched_ending_name(ending), can_be_stuck(ending));
}

static void run(struct sched_explore *x, const struct sched_decider *decider,
                struct sched_replay_check *check, char *name, bool buffered)
{
    struct sched_result *r = x->engine.result;
    struct sched_run_state s = {.run = {.options = x->engine.options,
                                        .sites = r->sites,
                                        .findings = r->findings,
                                        .signatures = x->engine.signatures,
                                        .trace = x->trace,
                                        .path = x->path,
                                        .interleaving = name,
                                        .buffered = buffered}};
    const struct sched_options *o = x->engine.options;
    if (o->mixed) {
        s.run.mixed = true;
        s.run.kept = o->kept;
        s.run.n_kept = o->n_kept;
    }
    s.run.merge = x->merge != NULL;
    s.run.record = x->records || (buffered && (o->mixed || o->buffering == ISP_BUFFERING_AUTO));
    bool take_notes = !buffered && x->engine.options->buffering == ISP_BUFFERING_AUTO;
    x->before = *r;
    r->judged = NULL;
    sched_findings_begin_run(r->findings);
    double begun_s = sched_now_s();
    uint64_t launched = sched_source_launched(x->engine.source);
    sched_run_start(&x->engine, &s, decider, check, buffered, output_for(x), take_notes);
    if (sched_source_launched(x->engine.source) > launched) {
        x->launched_s = sched_now_s() - begun_s;
        x->program_s = s.world->n_connected ? sched_now_s() - s.world->connected_s : 0;
    }
    char *full = decider->search ? poe_search_name(decider->search) : NULL;
    if (full && strcmp(full, name) != 0) { /* of a random walk the name is known only when it is over */
        sched_findings_rename(r->findings, name, full, buffered);
        s.run.interleaving = full;
    }
    sched_files_leave(s.world->files, &r->leftovers);
    confirm(x, &s);
    if (!x->untrue)
        sched_settle_run(x, &s);
    if (check && sched_explore_is_main(x, buffered))
        sched_predicted_note_run(r, s.world->ending, check);
    if (x->records && sched_ending_is_own(s.world->ending))
        sched_predicted_take_calls(x->calls, o, &s, !x->untrue);
    tell_end(x, &s);
    x->undone = x->untrue || sched_ending_cuts_short(s.world->ending) ||
                s.world->ending == SCHED_END_FAILED || x->engine.interrupted;
    end_findings(x, &s);
    tell_findings(x, &s);
    free(full);
    keep_choices(x, &s);
    sched_run_finish(&x->engine, &s);
    free(name);
}

/* ---- one subtree ---- */

/* What the search itself has come to. `all`: with its present prefix, which else is still to come. */
static void take_search(struct sched_explore *x, bool all)
{
    struct sched_result *r = x->engine.result;
    double leaves;
    struct poe_left_out left = poe_search_passed(x->search, &leaves);
    if (all) {
        left = poe_search_left_out(x->search);
        leaves = poe_search_estimate(x->search);
    }
    r->left_out.mixing = left.mixing;
    r->left_out.loops = left.loops;
    bool main = sched_explore_is_main(x, x->buffered);
    *(main ? &r->leaves : &r->buffered_leaves) = leaves;
    sched_orders_take(main ? &r->orders : &r->buffered_orders, x->search, x->classes, all);
    r->loops_met = sched_loops_met(x->loops);
}

json_t *sched_explore_write_part(struct sched_explore *x)
{
    take_search(x, false);
    struct sched_result now = *x->engine.result;
    now.states += sched_merge_states(x->merge);
    if (!x->undone)
        return sched_part_write(&now, false);
    const struct sched_result *r = &now;
    struct sched_result before = x->before; /* its pointers are those of the present one, or NULL */
    before.states = now.states;
    before.verdicts = r->verdicts;
    before.judged = r->judged;
    before.barriers = r->barriers;
    before.leftovers = r->leftovers;
    before.predicted = r->predicted;
    before.unshown_death = r->unshown_death;
    before.prediction.none = r->prediction.none;
    before.barriers.unclear = x->before.barriers.unclear;
    before.left_out = r->left_out;
    before.leaves = r->leaves;
    before.buffered_leaves = r->buffered_leaves;
    before.orders = r->orders;
    before.buffered_orders = r->buffered_orders;
    return sched_part_write(&before, true);
}

static void tell_races(struct sched_explore *x, bool buffered)
{
    unsigned number;
    while (poe_search_next_race(x->search, &number)) {
        struct poe_step step = poe_search_step(x->search, number);
        x->host->later(x->host, sched_job_of_alternative(x->search, buffered, number, step.n));
    }
}

/* The bound that forbids another run. */
static enum sched_stop bound(const struct sched_explore *x, bool buffered)
{
    const struct sched_result *r = x->engine.result;
    /* random ones are one job */
    uint64_t walks = sched_explore_is_main(x, buffered) ? r->interleavings : r->buffered_interleavings;
    return sched_bounds_reached(r, x->other_runs, x->started_s, walks);
}

struct sched_job *sched_explore_job(struct sched_explore *x, const struct sched_job *job, json_t **part)
{
    struct poe_search_bounds bounds = sched_bounds_of_search(x->engine.options);
    x->search = poe_search_create(&bounds);
    x->buffered = job->buffered;
    poe_search_begin(x->search, job->steps, job->n, job->root);
    sched_orders_read_done(x->search, job->done);
    if (sched_job_is_new(job))
        ++*(sched_explore_is_main(x, job->buffered) ? &x->engine.result->jobs
                                                    : &x->engine.result->buffered_jobs);
    struct sched_replay_check *check = sched_replay_check_create(x->engine.options->ranks);
    if (sched_run_merges(x->engine.options))
        x->merge = sched_merge_create(x->engine.options, x->engine.result);
    struct sched_decider decider = {
        .search = x->search, .loops = x->loops, .classes = x->classes, .merge = x->merge};
    bool more;
    uint64_t resumed = sched_source_resumed(x->engine.source);
    /* of the parts of a search one is enough */
    bool whole = job->root == 0 && (job->n == 0 || !job->steps[0].first);
    bool first = job->root == 0 && job->n == 0 && sched_explore_is_main(x, job->buffered);
    do {
        x->records = first && sched_predicted_is_wanted(x->engine.options);
        run(x, &decider, check, poe_search_name(x->search), job->buffered);
        tell_races(x, job->buffered);
        if (first && !x->stop && !x->undone)
            sched_predicted_look(x);
        first = false;
        /* a run that was cut short is to be made again */
        more = x->undone || poe_search_backtrack(x->search);
        if (x->merge)
            sched_merge_next(x->merge, x->search, more);
    } while (!x->stop && more && !(x->bound = bound(x, job->buffered)) && x->host->between(x->host));
    if (whole && !x->stop && !x->undone && sched_source_resumed(x->engine.source) > resumed)
        sched_verify(x, check, job->buffered);
    struct sched_job *left = more ? sched_job_of_search(x->search, job->buffered) : NULL;
    if (part)
        *part = sched_explore_write_part(x);
    x->engine.result->states += sched_merge_states(x->merge);
    sched_merge_destroy(x->merge);
    x->merge = NULL;
    x->stop |= x->bound != SCHED_STOP_NONE;
    bool last = x->stop || !more; /* what is left of others comes with the next part */
    take_search(x, last);
    x->engine.result->left_out.open = last && more ? poe_search_frontier(x->search) : 0;
    sched_source_forget(x->engine.source);
    sched_replay_check_destroy(check);
    poe_search_destroy(x->search);
    x->search = NULL;
    /* each job finds out for itself what depends on the order of runs (part.h) */
    sched_locate_finish(&x->engine);
    return left;
}

void sched_explore_replay(struct sched_explore *x)
{
    const struct sched_options *o = x->engine.options;
    sched_input_take_terminal();
    struct sched_decider decider = {.forced = o->choices, .n_forced = (unsigned)o->n_choices};
    run(x, &decider, NULL, poe_choices_name(o->choices, (unsigned)o->n_choices),
        o->mixed || o->buffering == ISP_BUFFERING_INFINITE);
    sched_part_incomplete(x->engine.result, sched_strdup(SCHED_REPLAY_IS_ONE), NULL);
}

/* ---- start and end ---- */

void sched_explore_init(struct sched_explore *x, const struct sched_options *options,
                        struct sched_result *result, struct sched_sites *sites, double started_s)
{
    *x = (struct sched_explore){.base = sched_must(event_base_new()),
                                .started_s = started_s,
                                .loops = sched_loops_create(options, sites),
                                .classes = sched_classes_create(sites),
                                .path = sched_path_create(),
                                .confirm = sched_confirm_create()};
    x->engine = (struct sched_engine){.options = options,
                                      .result = result,
                                      .source = sched_source_create(x->base, options->checkpoints),
                                      .signatures = sched_signatures_create(),
                                      .forced = options->decentralized ? sched_forced_create() : NULL,
                                      .started_s = started_s};
}

void sched_explore_finish(struct sched_explore *x)
{
    sched_loops_destroy(x->loops);
    sched_classes_destroy(x->classes);
    sched_locate_finish(&x->engine);
    sched_findings_destroy(x->engine.doubted);
    sched_forced_destroy(x->engine.forced);
    free(x->engine.not_ahead);
    sched_source_destroy(x->engine.source);
    free(x->choices);
    sched_path_destroy(x->path);
    sched_confirm_destroy(x->confirm);
    free(x->untrue);
    sched_signatures_destroy(x->engine.signatures);
    event_base_free(x->base);
}
