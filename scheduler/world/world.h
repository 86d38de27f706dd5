/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A world: the ranks of one live run, and the struct poe that decides for them. It moves records from
 * the ranks to poe and match sets from poe to the ranks, until there is something to choose or the
 * run is over. What the run says about the program is for judge/.
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
    SCHED_END_NONE,     /* it has not */
    SCHED_END_FINISHED, /* all ranks finalized, and the program has ended */
    SCHED_END_DEADLOCK,
    SCHED_END_LIVELOCK,
    SCHED_END_REDUNDANT,
    SCHED_END_KNOWN,       /* it came to a state that is known (explore/merge.h) */
    SCHED_END_MISMATCH,    /* of collectives */
    SCHED_END_DIED,        /* a rank crashed, aborted or left */
    SCHED_END_KILLED,      /* somebody killed the launcher or the guard */
    SCHED_END_HANG,        /* a rank made no MPI call for the time-out */
    SCHED_END_UNSUPPORTED, /* a call that cannot be modelled */
    SCHED_END_DIVERGED,    /* a replayed run has other choice points */
    SCHED_END_FAILED,      /* it could not be started, or the tool is wrong: world->error */
    SCHED_END_INTERRUPTED,
    SCHED_END_NOT_FORKED, /* a checkpoint could not be kept (checkpoint/checkpoints.h), or the ranks could not
                             go ahead (ahead.h): the run must be made again */
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
    void *change;       /* FINDING: what was changed in it, as the rank told it (isp/change.h); or NULL */
    size_t change_bytes;
    uint32_t *frames; /* CRASH: sites, innermost first */
    uint32_t n_frames;
    struct sched_site_ref *more; /* FINDING: further places; UNSTARTED: where the request was made */
    uint32_t n_more;
};

/* What ranks do from one fence to the next: how often it was new, and how often it was known (steps.h). */
struct sched_steps_count {
    uint64_t made, again, behind;
};

/* Where a rank that has not come out of MPI_Init is with respect to it. */
enum sched_start {
    SCHED_START_UNKNOWN,
    SCHED_START_NOWHERE, /* it has no process any more */
    SCHED_START_BEFORE,
    SCHED_START_WITHIN
};

struct sched_keeper;
struct sched_world_inside;

struct sched_world {
    struct sched_run *run; /* what the checks look at; run->poe is this world's */
    int n;                 /* ranks */
    struct sched_rma *rma;
    struct sched_file_order *file_order;
    struct sched_files *files; /* what the ranks have done to them, or NULL */
    uint64_t launched;         /* it was the so many-th launch of its source, from 1 */
    double until_s;            /* the run is ended then (--max-time); 0: never */

    /* ---- how it went ---- */
    enum sched_ending ending;
    char *not_ahead;  /* SCHED_END_NOT_FORKED: what ranks that go ahead cannot do; or NULL */
    char *untrue;     /* a rank did something else when it went on once more from a checkpoint; or NULL */
    char *error;      /* SCHED_END_FAILED: why */
    bool tool_failed; /* ... and it is isp's fault */
    struct sched_told *told;
    size_t n_told;
    uint64_t calls, record_bytes; /* of the program, and what ranks have sent for them */
    int hanging;                  /* SCHED_END_HANG: the rank; SCHED_END_DIED: one that still ran, or -1 */
    double hung_s;                /* ... for how long nothing was heard of it */
    bool in_vain;                 /* ... it polls */
    int differs;                  /* a rank that did something else than in the runs before, or -1 */
    bool early;                   /* decided while a rank called nothing (patience.c), which may be quicker in
                                     another run */
    bool given_up;                /* redundant, unless a rank that polls memory or calls nothing goes on
                                     later */
    struct sched_site_ref chosen; /* what a thread called that was woken instead of another one; fn 0: none */
    bool late;                    /* SCHED_END_INTERRUPTED: by until_s */
    bool settled;                 /* it has not ended, and nothing moves but what holds (hold.h) */
    bool patient;                 /* a rank that computes does not hang: somebody steps it, and can stop it */
    int n_connected;
    double connected_s; /* when the last one did */
    char *victim;       /* SCHED_END_KILLED: who was killed, in words; NULL: the launcher or the guard */
    int silent;         /* a rank that died without a word, the one that seems to have been the first; or
                           -1 */
    int first_end;      /* the rank that went first without a word, though one that goes ahead may have more
                           to tell; or -1 */
    bool explored;      /* SCHED_END_DIED: the others have gone as far as they can */
    bool fell_short;    /* ... it died before it had got as far as in runs before */
    enum sched_start *starts; /* of all ranks, as judge/ has seen them; NULL: nobody had to look */

    struct sched_world_inside *in; /* for world/ and checkpoint/ only: inside.h */
};

/* What is to be known of a rank from outside. */
struct sched_rank_view {
    uint16_t fn; /* its last call, and where; 0: none */
    uint32_t site;
    const char *host; /* as it told it; NULL: it is not connected */
    bool initialized; /* it has come to MPI_Init */
    bool greets;      /* it waits there until all have */
    bool still;       /* none of its threads runs, for certain */
    bool polls;       /* a window: it counts as waiting */
    bool accesses;    /* windows, by one of its threads, and has told nothing else since */
    bool finalized, exited, gone;
    bool truncated; /* it sent or received a message that was longer than its receive allows */
    bool misfit;    /* it sent or received a message that did not fit its receive, in size or type */
};

struct sched_rank_view sched_world_rank(const struct sched_world *world, int rank);
/* What has started it; NULL: nothing could. */
struct sched_launch *sched_world_launch(const struct sched_world *world);

/* As docs/trace.md has it. */
const char *sched_ending_name(enum sched_ending ending);

/* The run came to an end of its own: nothing from outside has cut it short. */
static inline bool sched_ending_is_own(enum sched_ending ending)
{
    return ending == SCHED_END_FINISHED || ending == SCHED_END_DEADLOCK || ending == SCHED_END_LIVELOCK ||
           ending == SCHED_END_REDUNDANT || ending == SCHED_END_KNOWN || ending == SCHED_END_MISMATCH ||
           ending == SCHED_END_DIED;
}

/* After its end: if a rank or what starts it was killed by somebody, before all ranks had come through
 * MPI_Init, or if the launcher's proxy was, without which they cannot go on; and none has told why (as they
 * do of what they have done to themselves): then the run has ended because of that. */
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
/* Goes on until a choice point (true; then call poe_decide), or until the run is over (false: see ending). Of
 * a world that is debugged false may also mean that it has settled, or that somebody wants attention
 * (hold.h). */
bool sched_world_advance(struct sched_world *world);
/* Ends the processes; poe and what was told stay, for the judge. */
void sched_world_stop(struct sched_world *world);
void sched_world_destroy(struct sched_world *world);

#endif
