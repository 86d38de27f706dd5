/* SPDX-License-Identifier: BSD-3-Clause */
#include "pool.h"

#include <stdlib.h>

#include "alloc.h"

void sched_pool_init(struct sched_pool *pool, struct sched_result *result)
{
    *pool = (struct sched_pool){.result = result};
    pool->jobs = sched_job_create(result->options->buffering == ISP_BUFFERING_INFINITE);
}

static void destroy_all(struct sched_job *jobs)
{
    while (jobs) {
        struct sched_job *next = jobs->next;
        sched_job_destroy(jobs);
        jobs = next;
    }
}

void sched_pool_finish(struct sched_pool *pool)
{
    destroy_all(pool->jobs);
    destroy_all(pool->later);
}

/* False: an equal one is there. */
static bool insert(struct sched_job **list, struct sched_job *job)
{
    int order = -1;
    while (*list && (order = sched_job_compare(*list, job)) < 0)
        list = &(*list)->next;
    if (*list && order == 0)
        return false;
    job->next = *list;
    *list = job;
    return true;
}

static bool is_later(const struct sched_job *job)
{
    return job->n && job->root == job->n && job->steps[job->n - 1].taken == job->steps[job->n - 1].n;
}

static struct sched_job *copy(const struct sched_job *job)
{
    struct sched_job *same = sched_job_create(job->buffered);
    same->steps = sched_grow(same->steps, job->n, sizeof *same->steps);
    memcpy(same->steps, job->steps, job->n * sizeof *same->steps);
    same->n = job->n;
    same->root = job->root;
    return same;
}

void sched_pool_add(struct sched_pool *pool, struct sched_job *job)
{
    struct sched_job *name = is_later(job) ? copy(job) : NULL;
    bool new = !name || insert(&pool->later, name);
    if (!new)
        sched_job_destroy(name);
    if (!new || !insert(&pool->jobs, job))
        sched_job_destroy(job);
}

void sched_pool_put_back(struct sched_pool *pool, struct sched_job *job)
{
    if (!insert(&pool->jobs, job))
        sched_job_destroy(job);
}

struct sched_job *sched_pool_take(struct sched_pool *pool)
{
    if (!pool->jobs && sched_result_goes_on(pool->result)) {
        pool->result->buffered_too = true;
        pool->jobs = sched_job_create(true);
    }
    struct sched_job *job = pool->jobs;
    if (job) {
        pool->jobs = job->next;
        job->next = NULL;
    }
    return job;
}

/* ---- as JSON ---- */

static json_t *write_all(const struct sched_job *jobs)
{
    json_t *all = json_array();
    for (; jobs; jobs = jobs->next)
        json_array_append_new(all, sched_job_write(jobs));
    return all;
}

json_t *sched_pool_write(const struct sched_pool *pool, const struct sched_work *work, size_t n)
{
    json_t *jobs = write_all(pool->jobs), *parts = json_array();
    json_array_append_new(parts, sched_part_write(pool->result, false));
    for (size_t i = 0; i < n; i++) {
        if (work[i].left)
            json_array_append_new(jobs, sched_job_write(work[i].left));
        if (work[i].part)
            json_array_append(parts, work[i].part);
    }
    return json_pack("{s:o, s:o, s:o}", "jobs", jobs, "later", write_all(pool->later), "parts", parts);
}

static bool read_all(struct sched_job **list, const json_t *json)
{
    bool ok = json_is_array(json);
    for (size_t i = 0; ok && i < json_array_size(json); i++) {
        struct sched_job *job = sched_job_read(json_array_get(json, i));
        ok = job && insert(list, job);
        if (!ok)
            sched_job_destroy(job);
    }
    return ok;
}

bool sched_pool_read(struct sched_pool *pool, const json_t *json)
{
    json_t *jobs, *later, *parts;
    if (json_unpack((json_t *)json, "{s:o, s:o, s:o}", "jobs", &jobs, "later", &later, "parts", &parts) != 0)
        return false;
    destroy_all(pool->jobs);
    pool->jobs = NULL;
    bool ok = read_all(&pool->jobs, jobs) && read_all(&pool->later, later) && json_is_array(parts);
    for (size_t i = 0; ok && i < json_array_size(parts); i++) {
        struct sched_result part;
        sched_part_init(&part, pool->result->options, pool->result->sites);
        ok = sched_part_read(&part, json_array_get(parts, i));
        if (ok)
            sched_part_merge(pool->result, &part);
        sched_part_finish(&part);
    }
    return ok;
}
