/* SPDX-License-Identifier: BSD-3-Clause */
#include "pool.h"

#include <stdlib.h>

#include "base/alloc.h"

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

void sched_pool_add(struct sched_pool *pool, struct sched_job *job)
{
    struct sched_job *name = is_later(job) ? sched_job_copy(job) : NULL;
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

struct sched_job *sched_pool_take_largest(struct sched_pool *pool)
{
    struct sched_job **largest = &pool->jobs;
    for (struct sched_job **at = &pool->jobs; *at; at = &(*at)->next)
        if ((*at)->n < (*largest)->n)
            largest = at;
    if (!*largest)
        return sched_pool_take(pool);
    struct sched_job *job = *largest;
    *largest = job->next;
    job->next = NULL;
    return job;
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

json_t *sched_pool_write_job(const struct sched_job *job)
{
    return json_pack("{s:[o], s:[], s:[]}", "jobs", sched_job_write(job), "later", "parts");
}

static bool read_parts(struct sched_result *into, const json_t *parts)
{
    bool ok = json_is_array(parts);
    for (size_t i = 0; ok && i < json_array_size(parts); i++) {
        struct sched_result part;
        sched_part_init(&part, into->options, into->sites);
        ok = sched_part_read(&part, json_array_get(parts, i));
        if (ok)
            sched_part_merge(into, &part);
        sched_part_finish(&part);
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
    return read_all(&pool->jobs, jobs) && read_all(&pool->later, later) && read_parts(pool->result, parts);
}

/* It is in the job's subtree, or the job itself. */
static bool is_within(const struct sched_job *job, const struct sched_job *other)
{
    return other->root == job->root && (other->n > job->root || sched_job_compare(job, other) == 0);
}

struct sched_job *sched_pool_take_in(struct sched_pool *pool, const json_t *json, const struct sched_job *job)
{
    struct sched_pool other = {.result = pool->result};
    if (!sched_pool_read(&other, json))
        return sched_job_copy(job);
    struct sched_job *left = NULL;
    for (struct sched_job *one = other.jobs, *next; one; one = next) {
        next = one->next;
        one->next = NULL;
        if (is_within(job, one))
            left = one; /* there is one at most */
        else
            sched_pool_add(pool, one);
    }
    other.jobs = NULL;
    sched_pool_finish(&other);
    return left;
}
