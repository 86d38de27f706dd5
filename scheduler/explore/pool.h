/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of an exploration is still to be done, and what came of the rest: the jobs that nobody works on, the
 * merged result, and which *later* branches have been given out. Whoever explores takes a job and brings its
 * part of the result back; how many do that at a time makes no difference to what comes out.
 */
#ifndef SCHED_POOL_H
#define SCHED_POOL_H

#include "job.h"
#include "part.h"

struct sched_pool {
    struct sched_result *result; /* of the jobs that are done */
    struct sched_job *jobs;      /* in the order of the search */
    struct sched_job *later;     /* *later* branches that have been added; only what names them */
};

/* With the whole tree as its only job. */
void sched_pool_init(struct sched_pool *pool, struct sched_result *result);
void sched_pool_finish(struct sched_pool *pool);

/* Takes the job over. A *later* branch is added once, whoever finds that it is needed. */
void sched_pool_add(struct sched_pool *pool, struct sched_job *job);
/* Of a job that was taken: what is left of it. */
void sched_pool_put_back(struct sched_pool *pool, struct sched_job *job);
/* The first job in the order of the search; NULL: none is left. When the exploration without buffered sends
 * is over (the pool is empty, and nobody has a job), the one with them may follow: sched_result_goes_on. */
struct sched_job *sched_pool_take(struct sched_pool *pool);
/* The same for the job of the fewest decisions: it is probably the largest. */
struct sched_job *sched_pool_take_largest(struct sched_pool *pool);

/* A job that somebody works on: what is still to be done of it, and what it came to so far (sched_part_write;
 * NULL: nothing). */
struct sched_work {
    const struct sched_job *left; /* NULL: it is done */
    json_t *part;                 /* borrowed */
};

/* A pool with this job alone, and what came of that in another process: merged into this one. Returns what is
 * left of the job, or NULL. */
json_t *sched_pool_write_job(const struct sched_job *job);
struct sched_job *sched_pool_take_in(struct sched_pool *pool, const json_t *json,
                                     const struct sched_job *job);

json_t *sched_pool_write(const struct sched_pool *pool, const struct sched_work *work, size_t n);
/* Into one that was just made. False: this is none. */
bool sched_pool_read(struct sched_pool *pool, const json_t *json);

#endif
