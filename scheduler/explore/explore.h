/* SPDX-License-Identifier: BSD-3-Clause */
/* The exploration: every interleaving that MPI allows, depth first; or, for isp replay, one. */
#ifndef SCHED_EXPLORE_H
#define SCHED_EXPLORE_H

#include <event2/event.h>

#include "pool.h"
#include "progress.h"
#include "run.h"

/* The exploration has shown that checkpoints change this program: it must be made again, with launches
 * only. */
enum { SCHED_EXPLORE_AGAIN = -1 };

/* Fills *result (sched_part_init was called). 0, SCHED_EXPLORE_AGAIN, or the exit code if there is no
 * result to report: ISP_EXIT_USAGE (the program cannot be started) or ISP_EXIT_TOOL; then it has said
 * why on stderr. */
int sched_explore(const struct sched_options *options, struct sched_result *result);

/* ---- one subtree ---- */

/* Where jobs come from: this process's pool, or another process. */
struct sched_host {
    /* A *later* branch outside of the job. Takes it over. */
    void (*later)(struct sched_host *host, struct sched_job *job);
    /* Between two runs. False: the job is to be left as it is. */
    bool (*between)(struct sched_host *host);
};

struct sched_save;

struct sched_explore {
    struct sched_engine engine; /* its result is the job's part */
    struct event_base *base;
    double started_s;
    struct sched_host *host;
    bool shows;             /* the program's output in the first run */
    struct sched_loops *loops;
    unsigned other_hangs;   /* in other parts */
    uint64_t other_runs;    /* interleavings of them */
    bool stop;
    enum sched_stop bound;  /* that has ended it */
    int failed;             /* exit code if a run could not be made, and why */
    char *error;
    struct poe_search *search; /* of the job */
    bool buffered;
    struct sched_result before; /* the part as it was before the present run (its numbers) */
    bool undone;            /* that run was cut short */
    unsigned *choices, made; /* of that run */
    struct sched_trace *trace; /* or NULL */
    struct sched_path *path;   /* of the present run */
    struct sched_confirm *confirm;
    char *untrue;           /* what shows that checkpoints change this program, or NULL */
    double launched_s;      /* how long a run takes that begins with a launch */
    double program_s;       /* ... and of that the program, from when its ranks are there */
};

void sched_explore_init(struct sched_explore *x, const struct sched_options *options, struct sched_result *result,
                        struct sched_sites *sites, double started_s);
void sched_explore_finish(struct sched_explore *x);
/* Explores it, into engine.result; what is left of it if something ends that (x->stop tells), or NULL. *part, unless NULL: what somebody needs who
 * goes on with what is left, as sched_explore_write_part. */
struct sched_job *sched_explore_job(struct sched_explore *x, const struct sched_job *job, json_t **part);
/* Explores it into the pool's result. If something is left, that is returned, and saved (unless save is NULL). */
struct sched_job *sched_explore_into(struct sched_explore *x, struct sched_pool *pool, struct sched_save *save, const struct sched_job *job);
/* The job's part so far, without a run that was cut short. */
json_t *sched_explore_write_part(struct sched_explore *x);

#endif
