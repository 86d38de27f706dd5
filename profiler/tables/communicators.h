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

#include "isp/call.h"

struct prof_comm {
    MPI_Comm handle;
    int32_t number;
    int size, rank; /* size: how many ranks it can send to (an intercommunicator: the remote group) */
    bool inter;
    int *world;         /* world rank of each of them; NULL: they are the same */
    int *local;         /* rank of each world rank, or -1; NULL as world */
    int32_t persistent; /* how many persistent collectives were made on it */
    unsigned pending;   /* operations and persistent requests that use it */
    bool freed;         /* by the program; PMPI_Comm_free comes when nothing is pending */
    bool handler;       /* it has an error handler function of the program's */
    struct prof_comm *next, *next_number;
};

extern int prof_world_size, prof_world_rank;
extern int prof_tag_ub; /* the largest tag */

/* After PMPI_Init: MPI_COMM_WORLD and MPI_COMM_SELF. */
void prof_comms_init(void);
/* NULL: not a communicator that is known and not freed. */
struct prof_comm *prof_comm_find(MPI_Comm handle);
/* NULL: none has it. */
struct prof_comm *prof_comm_of_number(int32_t number);
/* The same for a call that steers the run. A handle of which only MPI can say what is wrong with it
 * gives NULL, and *handle is what to call MPI with; one that isp has not seen made is refused
 * (prof_unsupported). */
struct prof_comm *prof_comm_use(MPI_Comm *handle);

static inline int prof_comm_world(const struct prof_comm *c, int rank)
{
    return c->world ? c->world[rank] : rank;
}

static inline int prof_comm_local(const struct prof_comm *c, int world_rank)
{
    return c->local ? c->local[world_rank] : world_rank;
}

/* A communicator that the current call has made. It inherits its parent's error handler. */
struct prof_comm *prof_comm_add(MPI_Comm handle, int32_t number, const struct prof_comm *parent);
/* ... with the ranks of its parent (MPI_Comm_dup). */
void prof_comm_add_copy(MPI_Comm handle, int32_t number, const struct prof_comm *parent);
/* All members of the parent make one that the program does not know, with the number of a window or file:
 * there ranks that go ahead meet before MPI does what is collective on that. */
void prof_comm_add_meeting(int32_t number, const struct prof_comm *parent);
/* Nothing, if there is none. */
void prof_comm_drop_meeting(int32_t number);
/* World ranks of a group; NULL if it is not valid. The caller frees it. */
int *prof_group_world(MPI_Group group, int *n);
/* World ranks of all members: the same list on each of them, with both groups of an intercommunicator, the
 * first of which has *n_first ranks (else 0). The caller frees it. */
uint32_t *prof_comm_members(MPI_Comm comm, uint32_t *n, int32_t *n_first);
/* The program frees it: inside MPI now, or when nothing is pending. Returns MPI's code. */
int prof_comm_free(struct prof_comm *c, MPI_Comm *comm);

void prof_comm_hold(struct prof_comm *c);
void prof_comm_release(struct prof_comm *c);
/* Frees inside MPI what the program has freed, pending or not. */
void prof_comms_finish(void);
/* What is known of all of them. */
struct prof_hash;
void prof_comms_hash(struct prof_hash *hash);

#endif
