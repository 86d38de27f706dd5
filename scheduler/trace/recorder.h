/* SPDX-License-Identifier: BSD-3-Clause */
/* What trace.c and finish.c share. */
#ifndef SCHED_TRACE_RECORDER_H
#define SCHED_TRACE_RECORDER_H

#include "store.h"
#include "trace.h"

/* A node of the present run's path. */
struct node {
    int64_t id;
    unsigned taken;                      /* the alternative that leads to it */
    bool closed;                         /* all of its rows are there */
    int64_t call, match, member, answer; /* the ids of its first rows */
};

/* A communicator that the nodes up to `depth` have used. */
struct known_comm {
    int32_t comm;
    unsigned depth;
};

struct kind;
struct shown_key;

enum { SCHED_TRACE_RECENT = 512 };

struct sched_trace {
    struct sched_store *store;
    struct sched_sites *sites;
    bool buffered;
    struct node *path; /* from the root */
    unsigned n, at;    /* how long it is, and where the run is */
    int64_t next_node, next_call, next_match, next_answer, next_interleaving, next_kind;
    struct {
        int64_t node; /* 0: it is not merged */
        const char *name;
        uint64_t stands_for;
    } joins;       /* the present run */
    int64_t ended; /* the id of the run that is over, or 0 */
    struct shown_key *shown_keys;
    struct known_comm *comms;
    size_t n_comms;
    struct kind *kinds, *recent[SCHED_TRACE_RECENT];
    bool *occurs; /* sites */
    uint32_t n_occurs;
    const char *lacks; /* or NULL */
    char *text;        /* scratch */
    size_t text_size, text_room;
};

/* The node below `parent` that this alternative leads to, or -1; the root of runs with or without buffered
 * sends, or -1. */
int64_t sched_trace_child(struct sched_trace *trace, int64_t parent, unsigned taken);
int64_t sched_trace_root(struct sched_trace *trace, bool buffered);
/* The id of a finding's key, with the names of its sites. */
int64_t sched_trace_shown_key(struct sched_trace *trace, const char *named);
void sched_trace_write_shown_keys(struct sched_trace *trace, const struct sched_findings *findings);
void sched_trace_free_shown_keys(struct sched_trace *trace);
/* A site occurs. */
void sched_trace_site(struct sched_trace *trace, uint32_t site);

#endif
