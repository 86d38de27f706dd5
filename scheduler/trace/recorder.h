/* SPDX-License-Identifier: BSD-3-Clause */
/* What trace.c and finish.c share. */
#ifndef SCHED_TRACE_RECORDER_H
#define SCHED_TRACE_RECORDER_H

#include "store.h"
#include "trace.h"

/* A node of the present run's path. */
struct node {
    int64_t id;
    unsigned taken;   /* the alternative that leads to it */
    bool closed;      /* all of its rows are there */
    int64_t call, match, answer; /* the ids of its first rows */
};

/* A communicator that the nodes up to `depth` have used. */
struct known_comm {
    int32_t comm;
    unsigned depth;
};

struct kind;

struct sched_trace {
    struct sched_store *store;
    const struct sched_result *result;
    bool buffered;
    struct node *path; /* from the root */
    unsigned n, at;    /* how long it is, and where the run is */
    int64_t next_node, next_call, next_match, next_answer, next_interleaving;
    struct known_comm *comms;
    size_t n_comms;
    struct kind *kinds;
    bool *sites;       /* those that occur */
    uint32_t n_sites;
    char *text;        /* scratch */
    size_t text_size, text_room;
};

/* A site occurs. */
void sched_trace_site(struct sched_trace *trace, uint32_t site);

#endif
