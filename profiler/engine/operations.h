/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operations of this rank that something may still refer to: sends, receives, matched
 * messages and nonblocking collectives. An operation sits in a slot; the slot's number is its handle on the
 * wire, and its request in the program's hands is a number that is never a valid handle of MPICH.
 * include/isp/call.h says when a slot is free again: once it is done and consumed.
 *
 * Pointers to slots stay valid while the table grows.
 */
#ifndef PROF_OPERATIONS_H
#define PROF_OPERATIONS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "isp/call.h"
#include "kept/operation.h"
#include "tables/requests.h"
#include "tables/status.h"

/* True if the call can be modelled. False: only MPI can say what is wrong with it; call it with the
 * envelope's values (a handle that the program has freed was replaced by the null handle). */
bool prof_envelope_check(struct prof_envelope *e, bool receive);
/* The part of it that concerns the buffer; e->c is known. */
bool prof_envelope_check_buffer(struct prof_envelope *e);
/* The same for a probe, of which there is no buffer. */
bool prof_envelope_check_probe(struct prof_envelope *e);
/* For the record: the peer as world rank, or ISP_ANY_SOURCE or ISP_NO_RANK. */
int prof_envelope_peer(const struct prof_envelope *e);

/* A new operation, not done and not consumed. To MPI_PROC_NULL: done from birth. */
struct prof_op *prof_op_create(enum prof_op_kind kind, const struct prof_envelope *e);
/* Makes an operation and tells the scheduler. flags: 0; ISP_F_DETACHED, for a send whose data is copied; or
 * ISP_F_FENCE: waits until it is complete; the caller calls prof_op_let_go when it has
 * seen the outcome. message: handle of the matched probe, for ISP_RECV_MESSAGE. */
struct prof_op *prof_op_post(enum prof_op_kind kind, uint8_t mode, uint16_t flags,
                             const struct prof_envelope *e, const uint32_t *message);
/* A collective with a request, or with ISP_F_FENCE as prof_op_post. Its slot is one more user of the
 * arguments. */
struct prof_op *prof_op_post_collective(struct prof_kept *kept, uint16_t flags);
/* Makes an operation of any other kind, on a communicator. */
struct prof_op *prof_op_create_plain(enum prof_op_kind kind, struct prof_comm *comm);
/* A matched message. */
struct prof_op *prof_op_create_message(struct prof_comm *comm, int source, int tag);
/* An operation that MPI has completed already, with this status: recorded as a send to nobody on the
 * communicator (or window, or file) with this number. */
struct prof_op *prof_op_create_local(int32_t comm, const MPI_Status *status);
/* The operation in a slot; NULL if there is none. */
struct prof_op *prof_op_at(uint32_t number);
/* Sees each that the program has neither completed nor freed. */
void prof_ops_each_open(void (*see)(const struct prof_op *));
/* Sees each that is not free. */
void prof_ops_each(void (*see)(const struct prof_op *, void *context), void *context);
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

#endif
