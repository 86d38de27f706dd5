/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starts `mpiexec -n N program` under a guard, with libisp.so preloaded, and follows it: its standard
 * streams, its wait status, and the moment when nothing of it is left. Callbacks only set the
 * fields below.
 */
#ifndef SCHED_LAUNCH_H
#define SCHED_LAUNCH_H

#include <event2/event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/options.h"

enum sched_output {
    SCHED_OUTPUT_SHOW,  /* passed on, unchanged */
    SCHED_OUTPUT_HIDE,  /* read and dropped */
    SCHED_OUTPUT_KEEP,  /* written to a file instead, its first 64 KiB */
    SCHED_OUTPUT_APART, /* told rank by rank: sched_printed */
};

/* Who is told what ranks print. `at`: how much this rank has printed to this stream before. rank -1: not
 * known, as with a launcher that is not MPICH's; `at` is 0 then. Called by a callback: it copies and sets
 * state only. */
struct sched_printed {
    void (*print)(void *context, int rank, bool error, uint64_t at, const char *bytes, size_t n);
    void *context;
};

struct sched_stream;
struct sched_input;
struct sched_rank_pipes;

struct sched_launch {
    char dir[256]; /* private directory, for the socket */
    bool failed;   /* it could not be started: `error` says why */
    char *error;
    bool ended; /* mpiexec ended by itself, with `status` */
    int status; /* as waitpid gives it */
    bool gone;  /* nothing of it is left */
    bool lost;  /* ... and it was the guard that was killed first */
    /* the rest is private */
    struct event_base *base;
    int fd, guard;
    bool killed; /* by us */
    struct event *event;
    struct sched_stream *out, *err;
    struct sched_input *in;
    char *mark; /* before what a rank prints (apart.h); NULL: none */
    /* what ranks print, told apart: */
    struct sched_printed printed;
    struct sched_rank_pipes *pipes;
    uint64_t *at; /* how much of it: of each rank, to its output, and then to its error stream */
    int ranks;
    bool skips; /* it is of no interest to anybody */
    char token[80];
};

/* What must be known of the process before isp changes its own signals: call first in main(). */
void sched_launch_remember(void);

/* Makes the guard and the private directory; starts nothing yet. `keep`: the file for SCHED_OUTPUT_KEEP
 * (borrowed). printed: of SCHED_OUTPUT_APART (borrowed). NULL: *error says why (caller frees). */
struct sched_launch *sched_launch_create(struct event_base *base, const struct sched_options *options,
                                         enum sched_output output, int keep,
                                         const struct sched_printed *printed, char **error);
/* Starts mpiexec. link, token: what the ranks are to find in their environment. */
void sched_launch_go(struct sched_launch *launch, const char *link, const char *token);
/* SCHED_OUTPUT_APART: what ranks that wait for isp have printed has been told then. Into `at`, if it is not
 * NULL: how much that is, of each rank, to its output, and then to its error stream. */
void sched_launch_catch_up(struct sched_launch *launch, uint64_t *at);
/* All ranks are again where they were when this was noted. What they have printed beyond that is told when
 * they print it again. */
void sched_launch_go_back(struct sched_launch *launch, const uint64_t *at);
/* What the launcher says from now on is not shown; what the program has said may still come. */
void sched_launch_hush(struct sched_launch *launch);
/* Asks for the end; `gone` will tell. */
void sched_launch_kill(struct sched_launch *launch);
/* A guard that somebody has stopped goes on: until it has ended the world has not. */
void sched_launch_urge(const struct sched_launch *launch);
/* The last that mpiexec and the ranks wrote to stderr (at most 4 KiB). */
const char *sched_launch_last_words(const struct sched_launch *launch);
/* Hydra says that it has made a mistake of its own (as it rarely does where its proxy ends just as it writes
 * to it): its exit code says nothing of the program. */
bool sched_launch_has_failed(const struct sched_launch *launch);
/* Hydra says that its proxy is gone, or (`early`: before all ranks had reached MPI_Init) that a process of
 * the program died of a signal, or MPI that it cannot begin: that in words, or NULL. Caller frees. */
char *sched_launch_victim(struct sched_launch *launch, bool early);
/* Kills what is left, without waiting for it any longer than that takes. */
void sched_launch_destroy(struct sched_launch *launch);

#endif
