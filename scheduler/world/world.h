/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A world: the ranks of one live run, and the struct poe that decides for them. It moves records from
 * the ranks to poe and match sets from poe to the ranks, until there is something to choose or the
 * run is over. What the run says about the program is for explore/judge.c.
 */
#ifndef SCHED_WORLD_H
#define SCHED_WORLD_H

#include <event2/event.h>
#include <stdbool.h>

#include "findings/finding.h"
#include "isp/wire.h"
#include "launch/launch.h"
#include "link/link.h"
#include "rma/file_order.h"
#include "rma/rma.h"

/* How a run ended. */
enum sched_ending {
    SCHED_END_NONE,        /* it has not */
    SCHED_END_FINISHED,    /* all ranks finalized, and the program has ended */
    SCHED_END_DEADLOCK,
    SCHED_END_LIVELOCK,
    SCHED_END_REDUNDANT,
    SCHED_END_MISMATCH,    /* of collectives */
    SCHED_END_DIED,        /* a rank crashed, aborted or left */
    SCHED_END_KILLED,      /* somebody killed the launcher or the guard */
    SCHED_END_HANG,        /* a rank made no MPI call for the time-out */
    SCHED_END_UNSUPPORTED, /* a call that cannot be modelled */
    SCHED_END_DIVERGED,    /* a replayed run has other choice points */
    SCHED_END_FAILED,      /* it could not be started, or the tool is wrong: world->error */
    SCHED_END_INTERRUPTED,
    SCHED_END_NOT_FORKED,  /* a checkpoint could not be kept (checkpoint/checkpoints.h): the run must be made again */
};

/* Something that a rank told, in the order in which it came. */
struct sched_told {
    int rank;
    uint8_t type; /* FINDING, STARTED, UNSTARTED, CRASH, ABORT or EXIT */
    enum isp_rule rule;
    uint16_t fn;
    uint32_t site, count;
    int32_t code;       /* signal, abort code, exit status */
    bool finalized;     /* EXIT */
    char *text, *story; /* FINDING */
    uint64_t buffer;    /* FINDING: number of the rank's pending buffer that it is about, or 0 ... */
    uint64_t buffer_at; /* ... and its first changed byte, counted from 1, or 0 */
    uint32_t *frames;   /* CRASH: sites, innermost first */
    uint32_t n_frames;
    struct sched_site_ref *more; /* FINDING: further places; UNSTARTED: where the request was made */
    uint32_t n_more;
};

/* Records of one thread. */
struct sched_held {
    uint16_t thread;
    struct isp_buf records;
    size_t fed; /* how much of them poe has been given */
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
    bool stopped;            /* it died, or waits for leave to die */
    bool able;               /* ... but takes GO frames without releases (ISP_DIES_ABLE) */
    bool finalized, exited, gone;
    bool ran;                /* when it left: outside MPI */
    bool truncated;          /* it sent or received a message that was longer than its receive allows */
    bool misfit;             /* it sent or received a message that did not fit its receive, in size or type */
    uint16_t fn;             /* its last call, and where */
    uint32_t site;
    double heard_s;          /* when it was heard of last, or was let go */
    double stood_s;          /* when its process was last seen stopped */
    uint32_t *sites;         /* the rank's number of a site -> global number */
    uint32_t n_sites;
    uint32_t *types;         /* the rank's number of a type that it told -> global type */
    uint32_t n_types;
    struct isp_buf actions;  /* what it must do, and has not been told */
    uint32_t n_actions;
    struct isp_buf releases; /* threads and results */
    uint16_t n_new_releases;
};


struct sched_world {
    struct sched_run *run;   /* what the checks look at; run->poe is this world's */
    struct sched_rma *rma;
    struct sched_file_order *file_order;
    struct sched_files *files; /* what the ranks have done to them, or NULL */
    enum sched_ending ending;
    char *error;             /* SCHED_END_FAILED: why */
    bool tool_failed;        /* ... and it is isp's fault */
    struct sched_rank *ranks;
    int n;
    struct sched_told *told;
    size_t n_told;
    struct sched_alike *alike; /* told.c: the findings among them, by what makes two the same */
    uint64_t calls;
    int hanging;             /* SCHED_END_HANG: the rank; SCHED_END_DIED: one that still ran, or -1 */
    bool in_vain;            /* ... it polls */
    int differs;             /* a rank that did something else than in the runs before, or -1 */
    double until_s;          /* the run is ended then (--max-time); 0: never */
    bool given_up;           /* redundant, unless a rank that polls memory or calls nothing goes on later */
    struct sched_site_ref chosen; /* what a thread called that was woken instead of another one; fn 0: none */
    bool late;               /* SCHED_END_INTERRUPTED: by that */
    int n_connected;
    double connected_s; /* when the last one did */
    char *victim;            /* SCHED_END_KILLED: who was killed, in words; NULL: the launcher or the guard */
    struct sched_launch *launch;
    struct sched_link *link;
    const struct sched_keeper *keeper;
    struct sched_checkpoints *checkpoints; /* the keeper's, or NULL */
    bool hush;               /* what the ranks print from now on is not wanted */
    bool finalizing;         /* all ranks have called MPI_Finalize */
    /* private */
    struct event_base *base;
    struct event *tick;
    const bool *interrupted;
    struct isp_settings settings;
    struct isp_buf frame;    /* for what is sent */
    uint32_t *list;          /* for what is decoded */
    size_t list_room;
    struct isp_access_run *runs;
    struct isp_file_run *file_runs;
    double progress_s, doomed_s, all_gone_s, probed_s, looked_s;
    double news_s;           /* a frame came, a match set fired, or a rank died without a word */
    bool explored;           /* ... and the others have gone as far as they can */
    bool stopped;            /* some rank left or died: the others go as far as they can */
    bool fell_short;         /* a rank died before it had got as far as in runs before */
    int silent;              /* ... without a word: the one that seems to have been the first; or -1 */
    bool shown;              /* the program's output */
};

/* How long the launcher may take to notice a death. */
#define SCHED_DYING_S 3.0

/* None of its threads runs, for certain. */
static inline bool sched_rank_is_still(const struct sched_rank *rank) { return rank->quiet && !rank->guessed; }

/* The run came to an end of its own: nothing from outside has cut it short. */
static inline bool sched_ending_is_own(enum sched_ending ending)
{
    return ending == SCHED_END_FINISHED || ending == SCHED_END_DEADLOCK || ending == SCHED_END_LIVELOCK ||
           ending == SCHED_END_REDUNDANT || ending == SCHED_END_MISMATCH || ending == SCHED_END_DIED;
}

/* After its end: if a rank or what starts it was killed by somebody, before all ranks had come through MPI_Init, or if the launcher's proxy was, without
 * which they cannot go on; and none has told why (as they do of what they have done to themselves): then the run has ended because of that. */
void sched_world_find_victim(struct sched_world *world);

/* The run is over, unless it was already. */
static inline void sched_world_end(struct sched_world *world, enum sched_ending ending)
{
    if (world->ending == SCHED_END_NONE)
        world->ending = ending;
}

/* Launches. Never NULL: if it fails, ending says so. `run` (without poe) is borrowed until destroy;
 * so is *interrupted, which the world looks at once per turn. */
struct sched_world *sched_world_create(struct event_base *base, const struct sched_keeper *keeper,
                                       struct sched_run *run, bool buffered, enum sched_output output,
                                       const bool *interrupted);
/* It is another run now, which goes on with it: its own listeners are added to the run's. */
void sched_world_use(struct sched_world *world, struct sched_run *run);
/* Goes on until a choice point (true; then call poe_decide), or until the run is over (false: see ending). */
bool sched_world_advance(struct sched_world *world);
/* Sends the ranks what they are to do. */
void sched_world_deliver(struct sched_world *world);
/* Sends a rank a GO frame with nothing but these marks. */
void sched_world_ask(struct sched_world *world, int rank, uint8_t marks);
/* Waits until something has come, and takes it. */
void sched_world_listen(struct sched_world *world);
/* Tells the process that reads the rank's socket to end. */
void sched_world_end_process(struct sched_world *world, int rank);
/* Its process has ended, or its connection. */
void sched_world_gone(struct sched_world *world, int rank);
/* Gives poe the records of this rank that are held back. */
void sched_world_feed(struct sched_world *world, int rank);
/* Ends the processes; poe and what was told stay, for the judge. */
void sched_world_stop(struct sched_world *world);
void sched_world_destroy(struct sched_world *world);

#endif
