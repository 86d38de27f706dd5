/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators: their number, which is alike on all ranks, and their ranks in MPI_COMM_WORLD, by
 * which records name them. A communicator that the program frees while an operation on it is
 * pending lives on inside MPI until that is done.
 */
#ifndef PROF_COMMUNICATORS_H
#define PROF_COMMUNICATORS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct prof_comm {
    MPI_Comm handle;
    int32_t number;
    int size, rank;
    int *world;       /* world rank of each rank; NULL: they are the same */
    int *local;       /* rank of each world rank, or -1; NULL as world */
    unsigned pending; /* operations and persistent requests that use it */
    bool freed;       /* by the program; PMPI_Comm_free comes when nothing is pending */
    bool handler;     /* it has an error handler function of the program's */
    struct prof_comm *next;
};

extern int prof_world_size, prof_world_rank;

/* After PMPI_Init: MPI_COMM_WORLD and MPI_COMM_SELF. */
void prof_comms_init(void);
/* NULL: not a communicator that is known and not freed. */
struct prof_comm *prof_comm_find(MPI_Comm handle);
/* The same for a call that steers the run. A handle of which only MPI can say what is wrong with it
 * gives NULL, and *handle is what to call MPI with; an intercommunicator is refused (prof_unsupported). */
struct prof_comm *prof_comm_use(MPI_Comm *handle);

static inline int prof_comm_world(const struct prof_comm *c, int rank)
{
    return c->world ? c->world[rank] : rank;
}

static inline int prof_comm_local(const struct prof_comm *c, int world_rank)
{
    return c->local ? c->local[world_rank] : world_rank;
}

void prof_comm_hold(struct prof_comm *c);
void prof_comm_release(struct prof_comm *c);
/* Frees inside MPI what the program has freed, pending or not. */
void prof_comms_finish(void);

#endif
