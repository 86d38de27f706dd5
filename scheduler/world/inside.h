/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a world is made of: its ranks with their connections, its processes, what is to be sent, and how long
 * it waits. Only world/ and checkpoint/ include this; others have world.h.
 */
#ifndef SCHED_WORLD_INSIDE_H
#define SCHED_WORLD_INSIDE_H

#include "ahead_rank.h"
#include "hold.h"
#include "keeper.h"
#include "link/link.h"
#include "world.h"

/* Records of one thread. */
struct sched_held {
    uint16_t thread;
    struct isp_buf records;
    size_t fed; /* how much of them poe has been given */
};

/* What a rank has said when it was asked for its state (ISP_GO_STATE). */
struct sched_rank_state {
    bool asked, told, known;
    bool again;         /* it was not asked: the step that has led there was made before (steps.h) */
    uint64_t low, high; /* if it is known */
    char *why;          /* if not */
};

struct sched_step;

/* Where a rank is: what it does next follows from this, and from what it is sent (steps.h). 0: not known. */
struct sched_point {
    uint64_t low, high;
};

struct sched_rank {
    struct sched_peer *peer; /* NULL: not connected yet */
    unsigned waiting;        /* threads of it that are in a fence and have not been sent their release */
    bool quiet;              /* none of its threads runs (see ISP_MSG_QUIET) ... */
    bool quiet_told;         /* ... and poe knows */
    bool strays;             /* ... but those that must not call MPI, and could do so all the same */
    bool guessed;            /* quiet: some do run, but seem to wait for the others */
    bool polls;              /* a window: it counts as waiting (see ISP_MSG_POLLS) */
    bool idle;               /* it calls nothing while all others wait: it counts as waiting (patience.c) */
    bool accesses;           /* windows, by one of its threads, and has told nothing else since */
    uint64_t n_releases;     /* that were sent to it */
    struct sched_held *held; /* records that poe has not been given yet, by thread */
    uint16_t n_held;
    bool holds;  /* at this event (hold.h): it counts as waiting, and takes GO frames without releases */
    bool parked; /* somebody has stopped its process: it counts as waiting, and takes nothing */
    bool acting; /* it was sent what it has not said yet that it has done (hold.h) */
    uint64_t held_at, limit;
    enum sched_visited visited; /* of the last count (hold.h) ... */
    uint32_t place;
    uint64_t visits;
    uint32_t *unlike;
    size_t n_unlike;
    bool greets;  /* it has said HELLO, and waits until all have */
    bool stopped; /* it died, or waits for leave to die */
    bool able;    /* ... but takes GO frames without releases (ISP_DIES_ABLE) */
    bool finalized, exited, gone;
    bool ran;       /* when it left: outside MPI */
    bool truncated; /* it sent or received a message that was longer than its receive allows */
    bool misfit;    /* it sent or received a message that did not fit its receive, in size or type */
    struct sched_rank_state state;
    struct sched_point point, data; /* data: what it gets with what it will be sent */
    const struct sched_step *again; /* the answer to what it was sent is known, and to be told; or NULL */
    bool comparing;                 /* it was asked how that differs from another one ... */
    struct isp_buf differs;         /* ... and has told that, or nothing so far */
    uint16_t fn;                    /* its last call, and where */
    uint32_t site;
    double heard_s;  /* when it was heard of last, or was let go */
    double stood_s;  /* when its process was last seen stopped */
    uint32_t *sites; /* the rank's number of a site -> global number */
    uint32_t n_sites;
    uint32_t *types; /* the rank's number of a type that it told -> global type */
    uint32_t n_types;
    struct sched_ahead_rank ahead;
    struct isp_buf actions; /* what it must do, and has not been told */
    uint32_t n_actions;
    struct isp_buf releases; /* threads and results */
    uint16_t n_new_releases;
};

struct sched_world_inside {
    struct sched_rank *ranks;
    struct sched_alike *alike; /* told.c: the findings among what was told, by what makes two the same */
    struct sched_launch *launch;
    struct sched_link *link;
    const struct sched_keeper *keeper;
    int asked;                             /* ranks that have asked where variables of --ignore are */
    struct sched_checkpoints *checkpoints; /* the keeper's, or NULL */
    struct sched_steps *steps;             /* or NULL */
    bool hush;                             /* what the ranks print from now on is not wanted */
    bool finalizing;                       /* all ranks have called MPI_Finalize */
    bool returning; /* processes go back to where others go on: those that end were not needed */
    struct event_base *base;
    struct event *tick;
    const bool *interrupted;
    const bool *wanted; /* by who debugs this world (hold.h), or NULL */
    bool stuck;         /* nothing can move but what holds */
    bool untold;        /* nothing can move until a rank that goes ahead tells what it has done */
    struct isp_settings settings;
    struct isp_buf frame, body; /* for what is sent */
    uint32_t *list;             /* for what is decoded */
    size_t list_room;
    struct isp_access_run *runs;
    struct isp_file_run *file_runs;
    double begun_s; /* when it was launched, when all came out of MPI_Init, or when it went back */
    double progress_s, doomed_s, all_gone_s, probed_s, looked_s;
    double news_s;        /* a frame came, a match set fired, or a rank died without a word */
    double works_until_s; /* then ranks that go ahead have the core */
    bool stopped;         /* some rank left or died: the others go as far as they can */
    bool shown;           /* the program's output */
};

/* How long the launcher may take to notice a death. */
#define SCHED_DYING_S 3.0

/* None of its threads runs, for certain. */
static inline bool sched_rank_is_still(const struct sched_rank *rank)
{
    return rank->quiet && !rank->guessed;
}

/* It is in no fence, and counts as waiting, or as gone. */
static inline bool sched_rank_rests(const struct sched_rank *rank)
{
    return rank->polls || rank->idle || rank->holds || rank->parked || rank->stopped;
}

/* Sends the ranks what they are to do. */
void sched_world_deliver(struct sched_world *world);
/* Sends a rank a GO frame with nothing but these marks and `drop`. */
void sched_world_ask(struct sched_world *world, int rank, uint8_t marks, uint32_t drop);
/* Waits until something has come, and takes it. */
void sched_world_listen(struct sched_world *world);
/* Tells the process that reads the rank's socket to end. */
void sched_world_end_process(struct sched_world *world, int rank);
/* Its process has ended, or its connection. */
void sched_world_gone(struct sched_world *world, int rank);
/* Gives poe the records of this rank that are held back. */
void sched_world_feed(struct sched_world *world, int rank);

#endif
