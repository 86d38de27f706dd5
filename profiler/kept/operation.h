/* SPDX-License-Identifier: BSD-3-Clause */
/* An operation of this rank, as all who work on it see it: the table of them is engine/operations.h. */
#ifndef PROF_OPERATION_H
#define PROF_OPERATION_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "isp/call.h"
#include "link/finding.h"
#include "tables/communicators.h"
#include "tables/definitions.h"
#include "types/types.h"

struct prof_kept;  /* kept.h */
struct prof_early; /* early.h */

/* What the program asked for in a send or a receive. */
struct prof_envelope {
    void *buf;
    MPI_Count count;
    MPI_Datatype datatype;
    int peer, tag; /* peer: rank in comm */
    MPI_Comm comm;
    bool copied;   /* what is sent is a copy of the buffer */
    bool blocking; /* the call ends when the operation is complete: nobody can touch the buffer before */
    /* Filled in by prof_envelope_check: */
    struct prof_comm *c;
    struct prof_type *type;
    uint64_t bytes;
    int32_t unit, units; /* of a partitioned message: isp_call_is_unit */
};

enum prof_op_kind {
    PROF_OP_FREE,
    PROF_OP_SEND,
    PROF_OP_RECV,
    PROF_OP_MESSAGE,
    PROF_OP_COLLECTIVE,
    PROF_OP_SIGNAL,    /* ISP_F_SIGNAL: never issued inside MPI */
    PROF_OP_LOCAL,     /* MPI has done it already */
    PROF_OP_JOIN,      /* a send and a receive with one request: joined.h */
    PROF_OP_GENERAL,   /* a generalized request: general.h */
    PROF_OP_FILE,      /* nonblocking collective access to a file */
    PROF_OP_WIN_FENCE, /* MPI_Win_fence that its rank does not wait in (windows/early_fence.h) */
    PROF_OP_KINDS,     /* how many there are */
};

/* A receive that a rank has given to MPI as it is (engine/ahead.h), of which isp has to be told what it gets
 * (isp/outcome.h). */
enum prof_wild { PROF_NOT_WILD, PROF_WILD_OPEN, PROF_WILD_TOLD /* isp knows what it has got */ };

struct prof_general;
struct prof_pending; /* pending.h */

struct prof_op {
    enum prof_op_kind kind;
    uint32_t number;
    bool done, consumed;             /* see include/isp/call.h */
    bool issued;                     /* inside MPI */
    bool marked;                     /* MPI_Cancel was called for it */
    const struct prof_place *waiter; /* a thread of several that waits for it: its call (level.h) */
    uint64_t gathered;               /* the last array of requests in which it stood (completion.c) */
    bool held;                       /* the wrapper that made it still looks at it: do not free it yet */
    struct prof_comm *comm;
    struct prof_type *type; /* NULL: builtin */
    void *buf;
    MPI_Count count;
    MPI_Datatype datatype;
    void *copy;                   /* of the data of a buffered send: buf points to it */
    uint32_t request;             /* number of its own request (requests.h), or 0 */
    uint32_t persistent;          /* number of the persistent request that started it + 1, or 0 */
    int source, tag;              /* of a matched message (world rank) */
    struct prof_kept *kept;       /* the arguments of a collective, until it is done */
    uint16_t flags;               /* enum isp_call_flags, of its record */
    MPI_Count reserved;           /* bytes of the attached buffer that this buffered send takes */
    struct prof_op *parts[2];     /* JOIN: the send and the receive */
    int missing;                  /* ... how many of them are not done */
    struct prof_op *whole;        /* the JOIN that this is a part of, until it is done */
    struct prof_general *general; /* GENERAL */
    int32_t file;                 /* number of the file that it accesses, or 0 (which is MPI_COMM_WORLD's) */
    void *access;                 /* what else PROF_OP_FILE needs to be issued (accesses.c); freed when it is
                                     done */
    struct prof_early *early;     /* NULL: its rank does not leave it before it is done */
    struct prof_pending *pending; /* its buffers, until the program is told that it is complete */
    bool arrived;                 /* ... it is among those that were done in the current call */
    struct prof_op *next_arrived, *previous_arrived;
    /* of a rank that goes ahead: */
    uint64_t index; /* of its transition */
    enum prof_wild wild;
    bool leaves;         /* a send: it is complete for the program before its message is gone */
    MPI_Request meets;   /* a collective: all members are there */
    MPI_Message message; /* of a matched probe */
    MPI_Request real;
    int error; /* MPI's code for this operation */
    MPI_Status status;
    struct prof_hash defined; /* the history of definitions when it was called */
};

#endif
