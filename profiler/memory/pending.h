/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The buffers of the operations of this rank that are pending: from the call that starts an operation until
 * the program has been told that it is complete (MPI-4.0, sections 2.4.1 and 3.7.2). Meanwhile nothing may be
 * written where MPI reads, and nothing read or written where MPI writes.
 *
 * Two things are found here. buffer-overlap: another operation uses the same bytes, and one of both writes
 * them; exactly those bytes count that the datatypes name. send-buffer-modified, receive-buffer-accessed: the
 * bytes are not what they were when the operation was called, or when its data arrived (snapshot.h). With
 * --memory=off nothing of this is done.
 *
 * Not pending: operations with MPI_PROC_NULL, which use no buffer; sends whose data was copied, such as
 * MPI_Bsend; partitions of a send that are not ready, and of a receive that have arrived. The request of an
 * operation that was freed while active ends it when it is done.
 */
#ifndef PROF_PENDING_H
#define PROF_PENDING_H

#include "interval_tree.h"
#include "kept/operation.h"
#include "link/finding.h"
#include "regions.h"
#include "snapshot.h"

enum prof_use { PROF_USE_READ, PROF_USE_WRITE }; /* by MPI */

struct prof_watched;

struct prof_pending {
    struct prof_interval interval; /* first: nodes of the tree are these */
    struct prof_region region;
    enum prof_use use;
    struct prof_place posted; /* the call that started it */
    uint64_t number;          /* of this rank, from 1: the same buffer has the same number in a replay */
    int partition;            /* of a partitioned operation; or -1 */
    bool checked;             /* `before` says what must be there */
    bool in_window;           /* told by window_buffers.h */
    struct prof_snapshot before;
    struct prof_watched *watched; /* watch_pending.h; NULL: nobody looks who touches it */
    struct prof_pending *next;    /* of the same operation */
};

/* ---- operations ---- */

/* An operation that was not complete in its call begins: of one message (op->buf), or a collective
 * (op->kept). */
void prof_pending_begin_message(struct prof_op *op, const struct prof_envelope *e);
void prof_pending_begin_collective(struct prof_op *op);
/* A part of the buffer of a partitioned one. */
void prof_pending_begin_partition(struct prof_op *op, const struct prof_envelope *e, int partition,
                                  int partitions);
void prof_pending_end_partition(struct prof_op *op, int partition);
/* Any other buffer of an operation; op may be NULL: then it ends by prof_pending_end_one. NULL: nothing is to
 * be done. */
struct prof_pending *prof_pending_begin(struct prof_op *op, enum prof_use use, const void *buf,
                                        MPI_Count count, MPI_Datatype datatype);
/* The buffer of MPI_Buffer_attach, in which MPI may write at any time; ends by prof_pending_end_one. */
struct prof_pending *prof_pending_begin_attached(const void *buf, size_t bytes);
void prof_pending_end_one(struct prof_pending *p);
/* The origin buffer of an access to a window, which MPI may write from now on. Ended by
 * prof_pending_end_origin, in the call that completes it, or by its request. */
struct prof_pending *prof_pending_begin_origin(enum prof_use use, const void *buf, MPI_Count count,
                                               MPI_Datatype datatype);
bool prof_pending_end_origin(struct prof_pending *p); /* true: something is wrong with it, and was told */

/* isp is about to give it to MPI: were the bytes touched so far? */
void prof_pending_issue(struct prof_op *op);
/* MPI has done it: data has arrived. */
void prof_pending_done(struct prof_op *op);
/* What is done for those that arrived in a call, and are still pending when it ends. */
extern struct prof_op *prof_pending_arrived;
void prof_pending_look(void);
/* The program is told that it is complete: were the bytes touched? Then it may use them. */
void prof_pending_complete(struct prof_op *op);
/* The same without looking. */
void prof_pending_drop(struct prof_op *op);

/* All that is known of these buffers, and how often they were looked at. False: a touch was seen, and is
 * still to be told. */
struct prof_hash;
bool prof_pending_hash_one(struct prof_hash *hash, const struct prof_pending *p);
void prof_pending_hash(struct prof_hash *hash);

/* ---- calls that are complete when they return: they are compared with what is pending ---- */

void prof_pending_meets(enum prof_use use, const void *buf, MPI_Count count, MPI_Datatype datatype);
void prof_pending_meets_message(enum prof_op_kind kind, const struct prof_envelope *e);
void prof_pending_meets_collective(const struct prof_kept *kept);

/* Sees the buffers that are pending and share a byte with `region`. */
typedef bool prof_pending_see(void *context, struct prof_pending *p, struct prof_run common);
bool prof_pending_each(const struct prof_region *region, enum prof_use use, prof_pending_see *see,
                       void *context);

#endif
