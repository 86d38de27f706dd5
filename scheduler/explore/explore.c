/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Depth-first search over the choice points: poe_search is the stack, explore() is the loop. Each turn takes a world
 * at the present prefix, runs it to its end, counts it, and moves to the next prefix. It explores one job, a subtree; where jobs come from, and
 * where their results go, is the pool's business (pool.h). One process is enough for all of them; -j has several (parallel/workers.c).
 *
 * Buffering `auto` explores without buffering first; if some run showed that buffering could change
 * what matches, or a send without buffer held a rank in a deadlock, all is explored again with buffered sends.
 *
 * Law 5: whatever keeps the exploration from being complete is said in result->incomplete_because.
 */
#include "explore.h"

#include <event2/event.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "bounds.h"
#include "check/barriers.h"
#include "check/threads.h"
#include "check/untried.h"
#include "confirm.h"
#include "base/interrupt.h"
#include "judge.h"
#include "locate.h"
#include "mixed.h"
#include "base/now.h"
#include "printed.h"
#include "save.h"
#include "parallel/slurm.h"
#include "trace/trace.h"
#include "unsafe.h"
#include "parallel/workers.h"
#include "base/say.h"
#include "world/files.h"

enum { MAX_HANGS = 3 }; /* each costs the time-out */

/* ---- the end of a run ---- */

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

/* Adds the finding of a run that is stuck; returns whether it counts as a deadlock already now. */
static bool judge_stuck(struct sched_explore *x, struct sched_run_state *s)
{
    bool livelock = s->world->ending == SCHED_END_LIVELOCK;
    bool suspect = sched_unsafe_suspect(s);
    if (suspect && !s->run.buffered)
        x->engine.result->buffering_matters = true;
    if (suspect && !s->run.buffered && x->engine.options->buffering == ISP_BUFFERING_AUTO) {
        sched_unsafe_judge(&x->engine, s);
        return false;
    }
    enum isp_rule rule = s->run.mixed && suspect ? ISP_RULE_UNSAFE_BUFFERING : livelock ? ISP_RULE_LIVELOCK : ISP_RULE_DEADLOCK;
    sched_check_deadlock(&s->run, livelock, rule);
    return true;
}

/* Such a run is no interleaving, and there is no use in another. */
static bool is_cut_short(enum sched_ending ending)
{
    return ending == SCHED_END_INTERRUPTED || ending == SCHED_END_UNSUPPORTED || ending == SCHED_END_DIVERGED ||
           ending == SCHED_END_KILLED;
}

/* Not the second exploration, with buffered sends. */
static bool is_main(const struct sched_explore *x, bool buffered)
{
    return !buffered || x->engine.options->buffering == ISP_BUFFERING_INFINITE;
}

static void count(struct sched_explore *x, struct sched_run_state *s)
{
    struct sched_result *r = x->engine.result;
    enum sched_ending ending = s->world->ending;
    bool main = is_main(x, s->run.buffered);
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

static bool is_in_time(const struct sched_explore *x)
{
    return sched_bounds_in_time(x->engine.options, x->started_s);
}

static void settle(struct sched_explore *x, struct sched_run_state *s)
{
    struct sched_world *w = s->world;
    if (w->ending == SCHED_END_FAILED) {
        fail(x, w);
        return;
    }
    struct sched_result *r = x->engine.result;
    count(x, s);
    if (s->run.record && !x->engine.options->replay && w->ending != SCHED_END_REDUNDANT && sched_ending_is_own(w->ending))
        sched_mixed_look(&x->engine, s);
    if (w->ending != SCHED_END_REDUNDANT)
        sched_barriers_take(&r->barriers, &s->run, w->ending == SCHED_END_FINISHED);
    r->buffering_matters = r->buffering_matters || (!s->run.buffered && poe_buffering_matters(s->run.poe));
    r->threads = r->threads || poe_has_threads(s->run.poe);
    r->blind = r->blind || poe_is_blind(s->run.poe);
    r->given_up = r->given_up || w->given_up;
    r->looks = r->looks || poe_looks_waited(s->run.poe);
    incomplete(x, sched_judge_incomplete(w), &s->run);
    if (w->ending != SCHED_END_REDUNDANT)
        incomplete(x, sched_untried(&s->run), &s->run);
    incomplete(x, sched_threads_unordered(&s->run), &s->run);
    incomplete(x, sched_threads_chosen(&s->run, &w->chosen), &s->run);
    incomplete(x, sched_rma_unexplored(w->rma, &s->run), &s->run);
    incomplete(x, sched_file_order_unexplored(w->file_order, &s->run), &s->run);
    if (w->ending == SCHED_END_UNSUPPORTED)
        r->unsupported = true;
    if (w->ending == SCHED_END_HANG && ++r->hangs + x->other_hangs >= MAX_HANGS)
        x->stop = true;
    if (is_cut_short(w->ending) || x->engine.interrupted)
        x->stop = true;
    if (w->n_connected == 0) /* the next one would not either */
        x->stop = true;
    if (w->late && !x->engine.options->replay)
        x->bound = SCHED_STOP_TIME;
    if (x->engine.interrupted)
        incomplete(x, sched_interrupt_words(), &s->run);
    else if (is_in_time(x) && !is_cut_short(w->ending))
        sched_locate(&x->engine, s);
}

/* ---- the loop ---- */

static enum sched_output output_for(const struct sched_explore *x)
{
    const char *which = x->engine.options->output;
    if (strcmp(which, "none") == 0)
        return SCHED_OUTPUT_HIDE;
    if (x->engine.options->replay)
        return SCHED_OUTPUT_DIRECT;
    return strcmp(which, "all") == 0 || (x->shows && x->engine.n_runs == 0) ? SCHED_OUTPUT_SHOW : SCHED_OUTPUT_HIDE;
}

/* As docs/trace.md has it. */
static const char *ending_name(enum sched_ending ending)
{
    static const char *const names[] = {
        [SCHED_END_NONE] = "none", [SCHED_END_FINISHED] = "finished", [SCHED_END_DEADLOCK] = "deadlock", [SCHED_END_LIVELOCK] = "livelock",
        [SCHED_END_REDUNDANT] = "redundant", [SCHED_END_MISMATCH] = "mismatch", [SCHED_END_DIED] = "died", [SCHED_END_KILLED] = "killed",
        [SCHED_END_HANG] = "hang", [SCHED_END_UNSUPPORTED] = "unsupported", [SCHED_END_DIVERGED] = "diverged", [SCHED_END_FAILED] = "failed",
        [SCHED_END_INTERRUPTED] = "interrupted", [SCHED_END_NOT_FORKED] = "not forked"};
    return names[ending];
}

/* Ranks may be left that wait. */
static bool can_be_stuck(enum sched_ending ending)
{
    return ending == SCHED_END_DEADLOCK || ending == SCHED_END_LIVELOCK || ending == SCHED_END_MISMATCH || ending == SCHED_END_DIED ||
           ending == SCHED_END_HANG;
}

static void keep_choices(struct sched_explore *x, const struct sched_run_state *s)
{
    x->choices = sched_grow(x->choices, s->made, sizeof *x->choices);
    x->made = s->made;
    if (s->made)
        memcpy(x->choices, s->choices, s->made * sizeof *x->choices);
}

/* Whether the run shows that checkpoints change this program. Then nothing counts that was explored so far:
 * it may also have missed something. */
static bool is_untrue(struct sched_explore *x, struct sched_run_state *s)
{
    if (s->world->checkpoints && !x->untrue)
        x->untrue = sched_confirm_run(x->confirm, &x->engine, s);
    if (x->engine.untrue && !x->untrue)
        x->untrue = sched_strdup("hang");
    if (x->untrue)
        x->stop = x->undone = true;
    return x->untrue;
}

static void end_findings(const struct sched_explore *x, const struct sched_run_state *s)
{
    enum sched_ending ending = s->world->ending;
    bool counts = !x->undone && ending != SCHED_END_REDUNDANT;
    sched_findings_end_run(s->run.findings, &(struct sched_run_end){.name = s->run.interleaving, .buffered = s->run.buffered, .counts = counts,
                                                                    .finished = counts && ending == SCHED_END_FINISHED,
                                                                    .walk = x->engine.options->sample, .path = s->run.path});
}

static void run(struct sched_explore *x, const struct sched_decider *decider, struct sched_replay_check *check, char *name, bool buffered)
{
    struct sched_result *r = x->engine.result;
    struct sched_run_state s = {.run = {.options = x->engine.options, .sites = r->sites, .findings = r->findings,
                                        .signatures = x->engine.signatures, .trace = x->trace, .path = x->path,
                                        .interleaving = name, .buffered = buffered}};
    const struct sched_options *o = x->engine.options;
    if (o->mixed) {
        s.run.mixed = true;
        s.run.kept = o->kept;
        s.run.n_kept = o->n_kept;
    }
    s.run.record = buffered && (o->mixed || o->buffering == ISP_BUFFERING_AUTO);
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
    if (!is_untrue(x, &s))
        settle(x, &s);
    sched_trace_end(s.run.trace, &s.run, ending_name(s.world->ending), can_be_stuck(s.world->ending));
    x->undone = x->untrue || is_cut_short(s.world->ending) || s.world->ending == SCHED_END_FAILED || x->engine.interrupted;
    end_findings(x, &s);
    free(full);
    keep_choices(x, &s);
    sched_run_finish(&x->engine, &s);
    free(name);
}

/* ---- what checkpoints hide ---- */

enum { CHEAP = 5 }; /* the program takes at most this part of the time so far; launching it does not count */
static const double CHEAP_S = 0.5;

/* The launch differs because of a file that those before it have left: that is the program's doing, and no
 * launch would undo it. */
static bool is_of_leftovers(struct sched_explore *x, const struct sched_findings *found, const struct sched_run *run)
{
    struct sched_finding *const *all;
    size_t n = sched_findings_all(found, &all);
    char *file = sched_leftovers_words(x->engine.result->leftovers);
    bool is = false;
    for (size_t i = 0; file && i < n; i++)
        if (all[i]->rule == ISP_RULE_NONDETERMINISM) {
            sched_findings_add(run->findings, NULL, all[i]);
            incomplete(x, sched_strdup("the program is nondeterministic outside MPI"), run);
            is = true;
        }
    free(file);
    return is;
}

/* With checkpoints what is before a choice point runs once. A program that does something else each time (law 4) shows only if a run is made
 * again from its beginning: the last one, if that is cheap. Nor does an error that a launch shows, and what went on from a checkpoint did not. */
static void verify(struct sched_explore *x, struct sched_replay_check *check, bool buffered)
{
    struct sched_result *r = x->engine.result;
    double limit_s = (sched_now_s() - x->started_s) / CHEAP;
    if (x->program_s > (limit_s > CHEAP_S ? limit_s : CHEAP_S) || !x->made)
        return;
    char *name = poe_choices_name(x->choices, x->made);
    struct sched_findings *found = sched_findings_create();
    struct sched_run_state s = {.run = {.options = x->engine.options, .sites = r->sites, .findings = found,
                                        .signatures = x->engine.signatures, .interleaving = name, .buffered = buffered}};
    struct sched_decider decider = {.forced = x->choices, .n_forced = x->made};
    uint64_t calls = r->calls;
    sched_run_start(&x->engine, &s, &decider, check, buffered, SCHED_OUTPUT_HIDE, false);
    r->calls = calls;
    /* As in confirm.c: what does not even get to MPI shows nothing of what the program does there. */
    bool over = s.world->n_connected && (sched_ending_is_own(s.world->ending) || s.world->ending == SCHED_END_DIVERGED);
    sched_files_leave(s.world->files, &r->leftovers);
    s.run.findings = r->findings;
    if (over && !x->engine.interrupted && !is_of_leftovers(x, found, &s.run))
        x->untrue = sched_confirm_missed(r->findings, found);
    x->stop |= x->untrue != NULL;
    sched_run_finish(&x->engine, &s);
    sched_findings_destroy(found);
    free(name);
}

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
    *(is_main(x, x->buffered) ? &r->leaves : &r->buffered_leaves) = leaves;
    r->loops_met = sched_loops_met(x->loops);
}

json_t *sched_explore_write_part(struct sched_explore *x)
{
    const struct sched_result *r = x->engine.result;
    take_search(x, false);
    if (!x->undone)
        return sched_part_write(r, false);
    struct sched_result before = x->before; /* its pointers are those of the present one, or NULL */
    before.verdicts = r->verdicts;
    before.judged = r->judged;
    before.barriers = r->barriers;
    before.leftovers = r->leftovers;
    before.barriers.unclear = x->before.barriers.unclear;
    before.left_out = r->left_out;
    before.leaves = r->leaves;
    before.buffered_leaves = r->buffered_leaves;
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
    uint64_t walks = is_main(x, buffered) ? r->interleavings : r->buffered_interleavings; /* random ones are one job */
    return sched_bounds_reached(r, x->other_runs, x->started_s, walks);
}

struct sched_job *sched_explore_job(struct sched_explore *x, const struct sched_job *job, json_t **part)
{
    struct poe_search_bounds bounds = sched_bounds_of_search(x->engine.options);
    x->search = poe_search_create(&bounds);
    x->buffered = job->buffered;
    poe_search_begin(x->search, job->steps, job->n, job->root);
    if (sched_job_is_new(job))
        ++*(is_main(x, job->buffered) ? &x->engine.result->jobs : &x->engine.result->buffered_jobs);
    struct sched_replay_check *check = sched_replay_check_create(x->engine.options->ranks);
    struct sched_decider decider = {.search = x->search, .loops = x->loops};
    bool more;
    uint64_t resumed = sched_source_resumed(x->engine.source);
    do {
        run(x, &decider, check, poe_search_name(x->search), job->buffered);
        tell_races(x, job->buffered);
        more = x->undone || poe_search_backtrack(x->search); /* a run that was cut short is to be made again */
    } while (!x->stop && more && !(x->bound = bound(x, job->buffered)) && x->host->between(x->host));
    bool whole = job->root == 0 && (job->n == 0 || !job->steps[0].first); /* of the parts of a search one is enough */
    if (whole && !x->stop && !x->undone && sched_source_resumed(x->engine.source) > resumed)
        verify(x, check, job->buffered);
    struct sched_job *left = more ? sched_job_of_search(x->search, job->buffered) : NULL;
    if (part)
        *part = sched_explore_write_part(x);
    x->stop |= x->bound != SCHED_STOP_NONE;
    bool last = x->stop || !more; /* what is left of others comes with the next part */
    take_search(x, last);
    x->engine.result->left_out.open = last && more ? poe_search_frontier(x->search) : 0;
    sched_source_forget(x->engine.source);
    sched_replay_check_destroy(check);
    poe_search_destroy(x->search);
    x->search = NULL;
    sched_locate_finish(&x->engine); /* each job finds out for itself what depends on the order of runs (part.h) */
    return left;
}

/* ---- one process ---- */

struct alone {
    struct sched_host host;
    struct sched_explore *x;
    struct sched_pool *pool;
    struct sched_save *save;
    struct sched_progress *progress;
    bool over;
};

static void add_later(struct sched_host *host, struct sched_job *job) { sched_pool_add(((struct alone *)host)->pool, job); }

/* part: taken over. */
static void save_now(const struct sched_pool *pool, struct sched_save *save, const struct sched_job *left, json_t *part)
{
    struct sched_work work = {left, part};
    sched_save_write(save, sched_pool_write(pool, &work, 1));
    json_decref(part);
}

static bool between(struct sched_host *host)
{
    struct alone *a = (struct alone *)host;
    const struct sched_explore *x = a->x;
    const struct sched_result *done = a->pool->result, *now = x->engine.result;
    sched_progress_show(a->progress, done->interleavings + done->buffered_interleavings + now->interleavings + now->buffered_interleavings,
                        poe_search_frontier(x->search), done->leaves + done->buffered_leaves + poe_search_estimate(x->search));
    if (sched_save_is_due(a->save)) {
        struct sched_job *left = sched_job_of_search(x->search, x->buffered);
        save_now(a->pool, a->save, left, sched_explore_write_part(a->x));
        sched_job_destroy(left);
    }
    return true;
}

/* The next job; NULL: there is none, or a bound forbids it. The first is always allowed. */
static struct sched_job *next_job(struct alone *a)
{
    struct sched_explore *x = a->x;
    if (x->stop || a->over || (!a->pool->jobs && !sched_result_goes_on(a->pool->result)))
        return NULL;
    x->bound = x->engine.n_runs ? sched_bounds_reached(a->pool->result, 0, x->started_s, 0) : SCHED_STOP_NONE;
    x->stop = x->bound != SCHED_STOP_NONE;
    return x->stop ? NULL : sched_pool_take(a->pool);
}

struct sched_job *sched_explore_into(struct sched_explore *x, struct sched_pool *pool, struct sched_save *save, const struct sched_job *job)
{
    struct sched_result *whole = pool->result, part;
    json_t *kept = NULL;
    sched_part_init(&part, x->engine.options, whole->sites);
    x->engine.result = &part;
    x->other_hangs = whole->hangs;
    x->other_runs = whole->interleavings + whole->buffered_interleavings;
    struct sched_job *left = sched_explore_job(x, job, save ? &kept : NULL);
    if (left && save)
        save_now(pool, save, left, kept);
    else
        json_decref(kept);
    sched_part_merge(whole, &part);
    sched_part_finish(&part);
    x->engine.result = whole;
    return left;
}

/* Explores jobs until none is left or something ends it. */
static void explore_alone(struct alone *a)
{
    bool saved = false;
    for (struct sched_job *job; !saved && (job = next_job(a)); sched_job_destroy(job)) {
        struct sched_job *left = sched_explore_into(a->x, a->pool, a->save, job);
        saved = left;
        sched_job_destroy(left);
        a->over = a->x->engine.options->slurm_task; /* the others are not this task's */
    }
    if (a->save && !saved)
        sched_save_write(a->save, sched_pool_write(a->pool, NULL, 0));
}

static void replay(struct sched_explore *x)
{
    const struct sched_options *o = x->engine.options;
    struct sched_decider decider = {.forced = o->choices, .n_forced = (unsigned)o->n_choices};
    run(x, &decider, NULL, poe_choices_name(o->choices, (unsigned)o->n_choices), o->mixed || o->buffering == ISP_BUFFERING_INFINITE);
    incomplete(x, sched_strdup(SCHED_REPLAY_IS_ONE), NULL);
}

/* What the bounds have left out, also in words. */
static void tell_bounds(struct sched_explore *x, struct sched_result *r, const struct sched_pool *pool)
{
    uint64_t waiting[2] = {0};
    for (const struct sched_job *job = pool->jobs; job; job = job->next)
        waiting[!is_main(x, job->buffered)]++;
    sched_bounds_tell(r, x->bound, waiting[0], waiting[1]);
    char *why = sched_bounds_words(r), *other = r->incomplete_because;
    if (why && other) {
        r->incomplete_because = sched_format("%s; %s", other, why);
        free(other);
        free(why);
    } else {
        sched_part_incomplete(r, why, NULL);
    }
    sched_loops_add_met(x->loops, r->loops_met);
    r->unmet_loop = sched_loops_unmet(x->loops);
}

/* Without the search through all interleavings, or with one kind of buffering only, nothing is known. A redundant run is one of
 * which the clocks knew less than is true (poe/clock.h): then some barrier may matter more than they say. */
static void tell_barriers(struct sched_result *r, bool stopped)
{
    const struct sched_options *o = r->options;
    struct sched_run run = {.options = o, .sites = r->sites, .findings = r->findings};
    if (!r->incomplete_because && !stopped && !r->unsupported && !r->redundant_runs && o->buffering == ISP_BUFFERING_AUTO)
        sched_barriers_report(&r->barriers, &run);
}

/* ---- start and end ---- */

static void tell_source(const struct sched_explore *x)
{
    const struct sched_world_source *source = x->engine.source;
    uint64_t launched = sched_source_launched(source);
    if (!x->engine.options->verbose || x->engine.options->workers > 1)
        return;
    sched_say("%" PRIu64 " run%s launched, %" PRIu64 " continued from a checkpoint", launched, launched == 1 ? "" : "s",
            sched_source_resumed(source));
    if (sched_source_why(source))
        sched_say("no checkpoints: %s", sched_source_why(source));
}

void sched_explore_init(struct sched_explore *x, const struct sched_options *options, struct sched_result *result,
                        struct sched_sites *sites, double started_s)
{
    *x = (struct sched_explore){.base = sched_must(event_base_new()), .started_s = started_s,
                                .loops = sched_loops_create(options, sites), .path = sched_path_create(),
                                .confirm = sched_confirm_create()};
    x->engine = (struct sched_engine){.options = options, .result = result,
                                      .source = sched_source_create(x->base, options->checkpoints), .signatures = sched_signatures_create(),
                                      .started_s = started_s};
}

void sched_explore_finish(struct sched_explore *x)
{
    sched_loops_destroy(x->loops);
    sched_locate_finish(&x->engine);
    sched_findings_destroy(x->engine.doubted);
    sched_source_destroy(x->engine.source);
    free(x->choices);
    sched_path_destroy(x->path);
    sched_confirm_destroy(x->confirm);
    free(x->untrue);
    sched_signatures_destroy(x->engine.signatures);
    event_base_free(x->base);
}

/* The jobs, in this process. */
static void all_alone(struct sched_explore *x, struct sched_pool *pool, struct sched_save *save, struct sched_progress *progress)
{
    struct alone alone = {.host = {add_later, between}, .x = x, .pool = pool, .save = save, .progress = progress};
    x->host = &alone.host;
    explore_alone(&alone);
    x->host = NULL;
}

/* Everything that MPI allows. */
static void explore(struct sched_explore *x, struct sched_result *result, struct sched_progress *progress)
{
    const struct sched_options *options = result->options;
    struct sched_pool pool;
    sched_pool_init(&pool, result);
    x->shows = !options->saved && !options->again;
    struct sched_save *save = options->save ? sched_save_create(options) : NULL;
    if (options->saved && !sched_pool_read(&pool, sched_saved_state(options->saved))) {
        x->failed = ISP_EXIT_USAGE;
        x->error = sched_format("--resume %s: the file is damaged", options->resume);
    } else {
        if (save)
            sched_save_write(save, sched_pool_write(&pool, NULL, 0));
        if (options->slurm)
            sched_slurm_explore(x, &pool, save);
        else if (options->workers > 1)
            sched_workers_explore(x, &pool, save, progress);
        else
            all_alone(x, &pool, save, progress);
    }
    if (x->trace && options->resume)
        sched_trace_go_on(x->trace, options);
    if (result->interleavings + result->buffered_interleavings + result->redundant_runs > 1)
        sched_part_incomplete(result, sched_leftovers_words(result->leftovers), NULL);
    if (!x->error)
        tell_bounds(x, result, &pool);
    result->unsaved = sched_save_has_failed(save);
    sched_save_destroy(save);
    sched_pool_finish(&pool);
}

/* Why there is no result, or why it is not all. */
static int tell_error(struct sched_explore *x, struct sched_result *result)
{
    if (!x->error)
        return 0;
    if (result->interleavings) {
        sched_part_incomplete(result, x->error, NULL);
        return 0;
    }
    sched_say("%s", x->error);
    free(x->error);
    return x->failed;
}

/* The same is begun anew. */
static int end_untrue(struct sched_explore *x)
{
    sched_say("note: what goes on from a checkpoint differs from what is launched, in this program: %s; so all "
              "is explored again, each interleaving launched (--no-checkpoints)", x->untrue);
    sched_interrupt_leave_loop();
    sched_explore_finish(x);
    return SCHED_EXPLORE_AGAIN;
}

int sched_explore(const struct sched_options *options, struct sched_result *result)
{
    struct sched_explore x;
    struct sched_progress progress;
    sched_explore_init(&x, options, result, result->sites, options->begun_s > 0 ? options->begun_s : sched_now_s());
    bool all_output = strcmp(options->output, "all") == 0;
    sched_progress_init(&progress, options->quiet || all_output || options->replay);
    sched_interrupt_begin(x.base, &x.engine.interrupted);
    x.trace = result->trace;
    if (options->replay)
        replay(&x);
    else
        explore(&x, result, &progress);
    sched_progress_clear(&progress);
    tell_source(&x);
    if (x.untrue)
        return end_untrue(&x);
    sched_part_settle(result);
    sched_printed(&x);
    tell_barriers(result, x.stop);
    sched_interrupt_leave_loop();
    sched_explore_finish(&x);
    result->seconds = sched_now_s() - x.started_s;
    return tell_error(&x, result);
}
