/* SPDX-License-Identifier: BSD-3-Clause */
/* See alone.h. */
#include "alone.h"

#include "bounds.h"

struct alone {
    struct sched_host host;
    struct sched_explore *x;
    struct sched_pool *pool;
    struct sched_save *save;
    struct sched_progress *progress;
    bool over;
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

static bool between(struct sched_host *host)
{
    struct alone *a = (struct alone *)host;
    const struct sched_explore *x = a->x;
    const struct sched_result *done = a->pool->result, *now = x->engine.result;
    sched_progress_show(a->progress,
                        done->interleavings + done->buffered_interleavings + now->interleavings +
                            now->buffered_interleavings,
                        poe_search_frontier(x->search),
                        done->leaves + done->buffered_leaves + poe_search_estimate(x->search));
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

void sched_alone_explore(struct sched_explore *x, struct sched_pool *pool, struct sched_save *save,
                         struct sched_progress *progress)
{
    struct alone alone = {
        .host = {add_later, between}, .x = x, .pool = pool, .save = save, .progress = progress};
    x->host = &alone.host;
    explore_alone(&alone);
    x->host = NULL;
}
