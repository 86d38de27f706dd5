/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that explores jobs for another one (workers.h). What they say to each other, as JSON objects with
 * one field that names the kind:
 *
 *   to the worker    job       explore this; `hangs`, `runs`: in other parts; `shows`: the program's output
 *                    split     give something away, as soon as there is something
 *                    tell      say how far you are
 *                    stop      end the present run, and the job
 *   from the worker  count     runs, frontier, hangs of the job so far; `estimate`: of all its runs
 *                    later     a job: a *later* branch outside of the present job
 *                    state     the job as it is now: `left`, and its `part`; after a split also what is
 *                              `given` away
 *                    done      the job has ended: `left` (null: nothing), `part`, `failed` and `error`;
 *                              `shown`: the part with what a run showed that was cut short, and is to be made
 *                              again; `open`: the frontier; `bound`: what ended it
 */
#ifndef SCHED_WORKER_H
#define SCHED_WORKER_H

#include "explore/explore.h"

/* In the new process; `fd` is its end of the socket. trace: its part, or NULL. */
_Noreturn void sched_worker_main(int fd, const struct sched_options *options, struct sched_sites *sites,
                                 struct sched_trace *trace, double started_s);

#endif
