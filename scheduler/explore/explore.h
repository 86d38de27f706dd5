/* SPDX-License-Identifier: BSD-3-Clause */
/* The exploration of a subtree: every interleaving in it that MPI allows, depth first; or, for isp replay,
 * one. */
#ifndef SCHED_EXPLORE_H
#define SCHED_EXPLORE_H

#include <event2/event.h>

#include "job.h"
#include "part.h"
#include "run.h"

/* Where jobs come from: this process's pool, or another process. */
struct sched_host {
    /* A *later* branch outside of the job. Takes it over. */
    void (*later)(struct sched_host *host, struct sched_job *job);
    /* Between two runs. False: the job is to be left as it is. */
    bool (*between)(struct sched_host *host);
};

struct sched_explore {
    struct sched_engine engine; /* its result is the job's part */
    struct event_base *base;
    double started_s;
    struct sched_host *host;
    bool shows; /* the program's output in the first run */
    struct sched_loops *loops;
    struct sched_classes *classes;
    unsigned other_hangs; /* in other parts */
    uint64_t other_runs;  /* of them (result.h) */
    bool stop;
    enum sched_stop bound; /* that has ended it */
    int failed;            /* exit code if a run could not be made, and why */
    char *error;
    struct poe_search *search; /* of the job */
    struct sched_merge *merge; /* likewise; or NULL */
    bool buffered;
    struct sched_result before; /* the part as it was before the present run (its numbers) */
    bool undone;                /* that run was cut short */
    unsigned *choices, made;    /* of that run */
    struct sched_trace *trace;  /* or NULL */
    struct sched_path *path;    /* of the present run */
    struct sched_confirm *confirm;
    char *untrue;                          /* what shows that checkpoints change this program, or NULL */
    bool records;                          /* the present run's calls are wanted, for predictions: */
    struct sched_recorded_calls *calls[2]; /* without and with buffered sends; or NULL */
    double launched_s;                     /* how long a run takes that begins with a launch */
    double program_s;                      /* ... and of that the program, from when its ranks are there */
};

void sched_explore_init(struct sched_explore *x, const struct sched_options *options,
                        struct sched_result *result, struct sched_sites *sites, double started_s);
void sched_explore_finish(struct sched_explore *x);
/* Explores it, into engine.result; what is left of it if something ends that (x->stop tells), or NULL. *part,
 * unless NULL: what somebody needs who goes on with what is left, as sched_explore_write_part. */
struct sched_job *sched_explore_job(struct sched_explore *x, const struct sched_job *job, json_t **part);
/* The job's part so far, without a run that was cut short. */
json_t *sched_explore_write_part(struct sched_explore *x);
/* The one interleaving that the options name. */
void sched_explore_replay(struct sched_explore *x);

/* Not the second exploration, with buffered sends. */
static inline bool sched_explore_is_main(const struct sched_explore *x, bool buffered)
{
    return !buffered || x->engine.options->buffering == ISP_BUFFERING_INFINITE;
}

#endif
