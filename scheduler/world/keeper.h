/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What keeps a world for later runs (checkpoint/checkpoints.h), as the world sees it: functions that it
 * calls, and knows nothing of. They are there for every world; one that nobody keeps has world->checkpoints
 * == NULL, and they do what there is to do without.
 */
#ifndef SCHED_KEEPER_H
#define SCHED_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct isp_file;
struct isp_file_access;
struct isp_reader;
struct sched_checkpoints;
struct sched_world;

struct sched_keeper {
    /* A GO frame is about to be sent to the rank: its marks, and `drop`. */
    uint8_t (*go)(struct sched_world *world, int rank, uint32_t *drop);
    /* What it has done so far it has done: it has reached another fence, or said so. */
    void (*acted)(struct sched_world *world, int rank);
    /* BACK, NO_FORK, SPOILT, SEGMENT and ACTED messages. */
    void (*take)(struct sched_world *world, int rank, uint8_t type, struct isp_reader *in);
    /* A FILE message. */
    void (*take_file)(struct sched_world *world, int rank, const struct isp_file *file);
    void (*take_file_access)(struct sched_world *world, int rank, const struct isp_file_access *access);
    /* Some rank goes on in a process that its launcher does not know. */
    bool (*forked)(const struct sched_world *world);
    /* The process that now is the rank, on this host. */
    pid_t (*process)(const struct sched_world *world, int rank);
    /* All ranks are about to be released from MPI_Finalize. */
    void (*finalize)(struct sched_world *world);
    /* While nothing else is to be done: all ranks are on their way out, and the next run probably begins at
     * the newest checkpoint. */
    void (*ahead)(struct sched_world *world);
    /* True: how this rank ends is known from an earlier run, and it was told again; it needs no release. */
    bool (*plays)(struct sched_world *world, int rank);
    /* The rank waits in MPI_Finalize, but its process is not there any more: in a run before it has ended.
     * It must not be asked anything. */
    bool (*has_ended)(const struct sched_world *world, int rank);
    /* The processes can go back to where they were (steps.h). */
    bool (*can_return)(const struct sched_world *world);
    /* They do, to the newest checkpoint before where the run is; the run stays there. False: they cannot. */
    bool (*go_back)(struct sched_world *world);
    void (*destroy)(struct sched_checkpoints *checkpoints);
};

#endif
