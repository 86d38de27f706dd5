/* SPDX-License-Identifier: BSD-3-Clause */
/* See alone.h. */
#include "alone.h"

#include <stdlib.h>

#include "base/now.h"
#include "bounds.h"
#include "same_end.h"

static const double LOOK_S = 0.2; /* between two looks at how all have ended */

struct alone {
    struct sched_host host;
    struct sched_explore *x;
    struct sched_pool *pool;
    struct sched_save *save;
    struct sched_progress *progress;
    bool over;
    double looked_s;
    char *same; /* how all have ended so far, or NULL */
};

static void add_later(struct sched_host *host, struct sched_job *job)
{
    sched_pool_add(((struct alone *)host)->pool, job);
}

/* part: taken over. */
static void save_now(const struct sched_pool *pool, struct sched_save *save, const struct sched_job *left,
                     json_t *part)
{
    struct sched_work work = {left, part};
    sched_save_write(save, sched_pool_write(pool, &work, 1));
    json_decref(part);
}

static void add_found(enum isp_severity severity, const char *line, void *data)
{
    sched_found_add(data, severity, line);
}

/* False: all end alike, and that is enough. */
static bool tell_progress(struct alone *a)
{
    struct sched_explore *x = a->x;
    const struct sched_result *done = a->pool->result, *now = x->engine.result;
    uint64_t n = sched_count_sum(sched_result_interleavings(done), sched_result_interleavings(now));
    double now_s = sched_now_s();
    if (now_s - a->looked_s >= LOOK_S) {
        free(a->same);
        a->same = sched_explore_is_main(x, x->buffered) ? sched_same_end_of_both(done, now) : NULL;
        a->looked_s = now_s;
    }
    sched_found_each(now, add_found, &a->progress->found);
    sched_progress_tell(a->progress, n, done->leaves + done->buffered_leaves + poe_search_estimate(x->search),
                        a->same);
    return !a->same || a->looked_s < now_s || !sched_same_end_is_enough(x->engine.options, n, x->started_s);
}

static bool between(struct sched_host *host)
{
    struct alone *a = (struct alone *)host;
    const struct sched_explore *x = a->x;
    if (!tell_progress(a)) {
        a->x->bound = SCHED_STOP_SAME;
        a->x->stop = true;
        return false;
    }
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

struct sched_job *sched_explore_into(struct sched_explore *x, struct sched_pool *pool,
                                     struct sched_save *save, const struct sched_job *job)
{
    struct sched_result *whole = pool->result, part;
    json_t *kept = NULL;
    sched_part_init(&part, x->engine.options, whole->sites);
    x->engine.result = &part;
    x->other_hangs = whole->hangs;
    x->other_runs = whole->runs;
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

void sched_alone_explore(struct sched_explore *x, struct sched_pool *pool, struct sched_save *save,
                         struct sched_progress *progress)
{
    struct alone alone = {
        .host = {add_later, between}, .x = x, .pool = pool, .save = save, .progress = progress};
    x->host = &alone.host;
    sched_progress_begin(progress, x, true);
    explore_alone(&alone);
    progress->same = NULL;
    free(alone.same);
    x->host = NULL;
}
