/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What checkpoints.c and keeper.c share. The one has the stack of checkpoints, and makes, finds and goes back
 * to them; the other has the lines of the ranks: it is told by the world what these are sent and what they
 * say.
 */
#ifndef SCHED_CHECKPOINT_KEEPER_H
#define SCHED_CHECKPOINT_KEEPER_H

#include "checkpoints.h"
#include "world/inside.h"
#include "world_state.h"

/* One without memory is isp's alone: the processes have not been there, or not all of them. They come there
 * from the newest one below that has memory (world/steps.h). */
struct checkpoint {
    uint64_t serial; /* of one without memory: of the newest one with it */
    unsigned number;
    struct sched_world_state *state;
    struct sched_memory *memory;
    size_t step; /* sched_steps_at */
};

struct level {
    uint64_t since; /* the newest checkpoint when it began; 0: it was launched */
    bool known;     /* what it does once it is released from MPI_Finalize */
    bool waits;     /* there, still: a child of it has done that */
    struct sched_told *last;
    size_t n_last;
};

struct line {
    struct level *all;
    unsigned n;
    unsigned live;  /* the level that reads the socket */
    bool stands_in; /* the process of level 0 is not the one that was launched */
    bool acts;      /* it was sent something since it last said that all is done */
    bool asked;     /* to end */
    /* at MPI_Finalize: */
    bool pending;     /* it has operations that nobody has matched */
    bool forked_last; /* for its end */
    bool plays;       /* what is known of its end */
};

struct sched_checkpoints {
    struct checkpoint *stack;
    size_t n, max;
    enum sched_checkpoints_use use;
    uint64_t newest;
    struct line *lines;
    bool *moved; /* by rank: it was sent something since the last checkpoint was made, or gone back to */
    int ranks;
    struct sched_segments *segments;
    uint64_t ahead; /* MPI's memory is what it was at this checkpoint already */
    /* at MPI_Finalize: */
    size_t n_told;
    bool forked; /* the launcher must not see an end: some rank is a process that it does not know, or this
                    run is not the last one */
    bool asked;  /* the ranks, whether they can be forked */
    bool spoilt; /* something cannot be taken back */
    char *refused;
};

/* The world can have none from now on. */
void sched_checkpoints_refuse(struct sched_checkpoints *checkpoints, const char *why);
/* A process may still be at what it was sent last, and write into the memory that all share: also that of a
 * rank whose end is played. */
bool sched_checkpoints_any_writes(const struct sched_checkpoints *checkpoints);
/* The processes, and MPI's memory; isp's own state stays. False: they cannot. */
bool sched_checkpoints_go_back(struct sched_world *world);
/* The newest one with memory, or NULL. */
const struct checkpoint *sched_checkpoints_newest(const struct sched_checkpoints *checkpoints);
/* MPI's memory; nothing, if it is there already. False: it cannot be done. */
bool sched_checkpoints_put_back_memory(struct sched_checkpoints *checkpoints, const struct checkpoint *to);
/* The run has come to its end: what each rank has told on its way out. */
void sched_keeper_note_ends(struct sched_world *world);

#endif
