/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operations of this rank that something may still refer to: sends, receives, matched
 * messages and nonblocking collectives. An operation sits in a slot; the slot's number is its handle on the wire, and its request
 * in the program's hands is a number that is never a valid handle of MPICH. include/isp/call.h
 * says when a slot is free again: once it is done and consumed.
 *
 * Pointers to slots stay valid while the table grows.
 */
#ifndef PROF_OPERATIONS_H
#define PROF_OPERATIONS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "isp/call.h"

#include "link/finding.h"
#include "tables/communicators.h"
#include "tables/requests.h"
#include "types/types.h"

struct prof_kept; /* kept.h */
struct prof_early; /* early.h */

/* What the program asked for in a send or a receive. */
struct prof_envelope {
    void *buf;
    MPI_Count count;
    MPI_Datatype datatype;
    int peer, tag; /* peer: rank in comm */
    MPI_Comm comm;
    bool blocking; /* the call ends when the operation is complete: nobody can touch the buffer before */
    /* Filled in by prof_envelope_check: */
    struct prof_comm *c;
    struct prof_type *type;
    uint64_t bytes;
    int32_t unit, units; /* of a partitioned message: isp_call_is_unit */
};

/* True if the call can be modelled. False: only MPI can say what is wrong with it; call it with the
 * envelope's values (a handle that the program has freed was replaced by the null handle). */
bool prof_envelope_check(struct prof_envelope *e, bool receive);
/* The part of it that concerns the buffer; e->c is known. */
bool prof_envelope_check_buffer(struct prof_envelope *e);
/* The same for a probe, of which there is no buffer. */
bool prof_envelope_check_probe(struct prof_envelope *e);
/* For the record: the peer as world rank, or ISP_ANY_SOURCE or ISP_NO_RANK. */
int prof_envelope_peer(const struct prof_envelope *e);

enum prof_op_kind {
    PROF_OP_FREE,
    PROF_OP_SEND,
    PROF_OP_RECV,
    PROF_OP_MESSAGE,
    PROF_OP_COLLECTIVE,
    PROF_OP_SIGNAL, /* ISP_F_SIGNAL: never issued inside MPI */
    PROF_OP_LOCAL,  /* MPI has done it already */
    PROF_OP_JOIN,    /* a send and a receive with one request: joined.h */
    PROF_OP_GENERAL, /* a generalized request: general.h */
    PROF_OP_FILE,   /* nonblocking collective access to a file */
    PROF_OP_WIN_FENCE, /* MPI_Win_fence that its rank does not wait in (windows/early_fence.h) */
};

struct prof_general;
struct prof_pending; /* pending.h */

struct prof_op {
    enum prof_op_kind kind;
    uint32_t number;
    bool done, consumed; /* see include/isp/call.h */
    bool issued;         /* inside MPI */
    bool marked;         /* MPI_Cancel was called for it */
    const struct prof_place *waiter; /* a thread of several that waits for it: its call (level.h) */
    uint64_t gathered;   /* the last array of requests in which it stood (completion.c) */
    bool held;           /* the wrapper that made it still looks at it: do not free it yet */
    struct prof_comm *comm;
    struct prof_type *type; /* NULL: builtin */
    void *buf;
    MPI_Count count;
    MPI_Datatype datatype;
    void *copy;          /* of the data of a buffered send: buf points to it */
    uint32_t request;    /* number of its own request (requests.h), or 0 */
    uint32_t persistent; /* number of the persistent request that started it + 1, or 0 */
    int source, tag;     /* of a matched message (world rank) */
    struct prof_kept *kept; /* the arguments of a collective, until it is done */
    uint16_t flags;      /* enum isp_call_flags, of its record */
    MPI_Count reserved;  /* bytes of the attached buffer that this buffered send takes */
    struct prof_op *parts[2];     /* JOIN: the send and the receive */
    int missing;                  /* ... how many of them are not done */
    struct prof_op *whole;        /* the JOIN that this is a part of, until it is done */
    struct prof_general *general; /* GENERAL */
    int32_t file;           /* number of the file that it accesses, or 0 (which is MPI_COMM_WORLD's) */
    void *access;           /* what else PROF_OP_FILE needs to be issued (accesses.c); freed when it is done */
    struct prof_early *early; /* NULL: its rank does not leave it before it is done */
    struct prof_pending *pending; /* its buffers, until the program is told that it is complete */
    bool arrived;                 /* ... it is among those that were done in the current call */
    struct prof_op *next_arrived, *previous_arrived;
    MPI_Request real;
    int error; /* MPI's code for this operation */
    MPI_Status status;
    uint32_t next_free;
};

/* A new operation, not done and not consumed. To MPI_PROC_NULL: done from birth. */
struct prof_op *prof_op_create(enum prof_op_kind kind, const struct prof_envelope *e);
/* Makes an operation and tells the scheduler. flags: 0; ISP_F_DETACHED, for a send whose data is copied; or
 * ISP_F_FENCE: waits until it is complete; the caller calls prof_op_let_go when it has
 * seen the outcome. message: handle of the matched probe, for ISP_RECV_MESSAGE. */
struct prof_op *prof_op_post(enum prof_op_kind kind, uint8_t mode, uint16_t flags, const struct prof_envelope *e,
                             const uint32_t *message);
/* A collective with a request, or with ISP_F_FENCE as prof_op_post. Its slot is one more user of the arguments. */
struct prof_op *prof_op_post_collective(struct prof_kept *kept, uint16_t flags);
/* Makes an operation of any other kind, on a communicator. */
struct prof_op *prof_op_create_plain(enum prof_op_kind kind, struct prof_comm *comm);
/* A matched message. */
struct prof_op *prof_op_create_message(struct prof_comm *comm, int source, int tag);
/* An operation that MPI has completed already, with this status: recorded as a send to nobody on the communicator (or
 * window, or file) with this number. */
struct prof_op *prof_op_create_local(int32_t comm, const MPI_Status *status);
/* The operation in a slot; NULL if there is none. */
struct prof_op *prof_op_at(uint32_t number);
/* Sees each that the program has neither completed nor freed. */
void prof_ops_each_open(void (*see)(const struct prof_op *));
/* Keeps a copy of a send's data, so that the program may use its buffer again. */
void prof_op_copy(struct prof_op *op);
void prof_op_done(struct prof_op *op);
void prof_op_consume(struct prof_op *op);
/* Ends op->held. */
void prof_op_let_go(struct prof_op *op);

/* ---- handles that the program sees ---- */

/* Gives the program a request for it. */
void prof_op_give(struct prof_op *op, MPI_Request *request);
MPI_Message prof_op_message(const struct prof_op *op);
/* NULL: not one of ours, or not live. */
struct prof_op *prof_op_of_message(MPI_Message message);
/* Of a plain request; NULL: null, persistent, not one of ours, or not live. */
struct prof_op *prof_op_of_request(MPI_Request request);

/* A handle of ours for handles.h, which does not count what MPICH calls invalid. */
#define PROF_TRACKED(handle) ((int)((unsigned)(handle) | 0x80000000u))

/* ---- statuses ---- */

void prof_status_empty(MPI_Status *status);
void prof_status_proc_null(MPI_Status *status);
/* Of a message that a probe found; source: rank in the communicator. */
void prof_status_found(MPI_Status *status, int source, int tag, MPI_Count bytes);
/* Copies all but MPI_ERROR; `status` may be MPI_STATUS_IGNORE. */
void prof_status_copy(MPI_Status *status, const MPI_Status *from);

#endif
