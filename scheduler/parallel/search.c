/* SPDX-License-Identifier: BSD-3-Clause */
/* See search.h. */
#include "search.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/now.h"
#include "base/say.h"
#include "check/barriers.h"
#include "explore/alone.h"
#include "explore/bounds.h"
#include "explore/callers.h"
#include "explore/explore.h"
#include "explore/pool.h"
#include "explore/printed.h"
#include "explore/progress.h"
#include "explore/save.h"
#include "slurm.h"
#include "trace/trace.h"
#include "workers.h"

/* What the bounds have left out, also in words. */
static void tell_bounds(struct sched_explore *x, struct sched_result *r, const struct sched_pool *pool)
{
    uint64_t waiting[2] = {0};
    for (const struct sched_job *job = pool->jobs; job; job = job->next)
        waiting[!sched_explore_is_main(x, job->buffered)]++;
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

/* Without the search through all interleavings, or with one kind of buffering only, nothing is known. A
 * redundant run is one of which the clocks knew less than is true (poe/clock.h): then some barrier may matter
 * more than they say. */
static void tell_barriers(struct sched_result *r, bool stopped)
{
    const struct sched_options *o = r->options;
    struct sched_run run = {.options = o, .sites = r->sites, .findings = r->findings};
    if (!r->incomplete_because && !stopped && !r->unsupported && !r->redundant_runs &&
        o->buffering == ISP_BUFFERING_AUTO)
        sched_barriers_report(&r->barriers, &run);
}

/* What it costs to follow ranks that go ahead. */
static void tell_ahead(const struct sched_engine *engine)
{
    struct rusage used;
    if (!engine->options->decentralized || !engine->n_calls)
        return;
    getrusage(RUSAGE_SELF, &used);
    double kb = (double)used.ru_maxrss * 1.024;
    sched_say("--decentralized: ranks sent %.0f bytes for each call; isp had at most %.0f kB of memory, %.0f "
              "for each rank",
              (double)engine->record_bytes / (double)engine->n_calls, kb, kb / engine->options->ranks);
    if (engine->n_waited)
        sched_say("--decentralized: in %" PRIu64 " runs ranks had to wait for isp all the same",
                  engine->n_waited);
}

static void tell_source(const struct sched_explore *x)
{
    const struct sched_world_source *source = x->engine.source;
    uint64_t launched = sched_source_launched(source);
    if (!x->engine.options->verbose || x->engine.options->workers > 1)
        return;
    sched_say("%" PRIu64 " run%s launched, %" PRIu64 " continued from a checkpoint", launched,
              launched == 1 ? "" : "s", sched_source_resumed(source));
    struct sched_steps_count steps = sched_source_steps(source);
    if (steps.again)
        sched_say("steps of ranks, from one call to the next: %" PRIu64 " made, %" PRIu64
                  " known from before, of which processes that were behind made %" PRIu64 " again",
                  steps.made, steps.again, steps.behind);
    tell_ahead(&x->engine);
    if (sched_source_why(source))
        sched_say("no checkpoints: %s", sched_source_why(source));
}

/* A rank died without a word in a run that counts for nothing, and in none that counts: whoever is told to
 * leave with a word (exit-code, abort) is another death. */
static void tell_unshown_death(struct sched_result *result)
{
    struct sched_finding *const *all;
    size_t n = result->unshown_death ? sched_findings_all(result->findings, &all) : 0;
    for (size_t i = 0; i < n; i++)
        if (all[i]->rule == ISP_RULE_CRASH)
            return;
    if (result->unshown_death)
        sched_part_incomplete(result, sched_strdup(result->unshown_death), NULL);
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
        free(result->unshown_death); /* that was told then, and may have been an accident */
        result->unshown_death = NULL;
        if (save)
            sched_save_write(save, sched_pool_write(&pool, NULL, 0));
        if (options->slurm)
            sched_slurm_explore(x, &pool, save);
        else if (options->workers > 1)
            sched_workers_explore(x, &pool, save, progress);
        else
            sched_alone_explore(x, &pool, save, progress);
    }
    if (x->trace && options->resume)
        sched_trace_go_on(x->trace, options);
    if (result->interleavings + result->buffered_interleavings + result->redundant_runs > 1)
        sched_part_incomplete(result, sched_leftovers_words(result->leftovers), NULL);
    tell_unshown_death(result);
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
static int end_again(struct sched_explore *x, int how)
{
    sched_interrupt_leave_loop();
    sched_explore_finish(x);
    return how;
}

static int end_untrue(struct sched_explore *x)
{
    if (x->engine.options->decentralized)
        sched_say("note: --decentralized: %s; so all is explored again, with ranks that wait for isp",
                  x->untrue);
    else
        sched_say(
            "note: what goes on from a checkpoint differs from what is launched, in this program: %s; so all "
            "is explored again, each interleaving launched (--no-checkpoints)",
            x->untrue);
    return end_again(x, SCHED_SEARCH_AGAIN);
}

/* A task of Slurm is a part of an exploration that cannot be begun anew from here. */
static bool was_hurried(const struct sched_explore *x)
{
    const struct sched_options *o = x->engine.options;
    return x->engine.result->early && x->engine.result->differs && o->idle_s == 0 && !o->replay &&
           !o->slurm_task && !x->engine.interrupted;
}

static int end_hurried(struct sched_explore *x)
{
    sched_say("note: two runs differ, and in one of them a rank called nothing for so long that the others "
              "were not kept waiting (--idle): all is explored again, with more patience");
    return end_again(x, SCHED_SEARCH_UNHURRIED);
}

int sched_search(const struct sched_options *options, struct sched_result *result)
{
    struct sched_explore x;
    struct sched_progress progress;
    sched_explore_init(&x, options, result, result->sites,
                       options->begun_s > 0 ? options->begun_s : sched_now_s());
    bool all_output = strcmp(options->output, "all") == 0;
    sched_progress_init(&progress, options->quiet || all_output || options->replay);
    sched_interrupt_begin(x.base, &x.engine.interrupted);
    x.trace = result->trace;
    if (options->replay)
        sched_explore_replay(&x);
    else
        explore(&x, result, &progress);
    sched_progress_finish(&progress);
    tell_source(&x);
    if (x.untrue)
        return end_untrue(&x);
    if (was_hurried(&x))
        return end_hurried(&x);
    sched_part_settle(result);
    if (!options->slurm_task)
        sched_callers_find(&x);
    sched_printed(&x);
    tell_barriers(result, x.stop);
    sched_interrupt_leave_loop();
    sched_explore_finish(&x);
    result->seconds = sched_now_s() - x.started_s;
    return tell_error(&x, result);
}
