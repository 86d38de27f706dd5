/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A transition as the ranks send it and as poe reads it: one MPI call (or one
 * half of a call that does two things, such as MPI_Sendrecv) of one rank.
 *
 * A record names nothing by address: ranks are world ranks, communicators have
 * numbers that are alike on all ranks, and operations that something later may
 * refer to (a request, a matched probe's message) have a *handle*, the number
 * of the slot that they occupy in their rank's operation table.
 *
 * Life of a handle. The profiler picks a free slot when it records a SEND, RECV
 * or matched PROBE. The slot is free again once the operation is both *done*
 * (issued and completed inside MPI, or cancelled) and *consumed* (named by the
 * COMPLETE, FREE or message RECV that ended its request; a FENCE or DETACHED
 * operation is consumed from birth). poe forgets it under the same two
 * conditions, so the number may be used again in the next record.
 */
#ifndef ISP_CALL_H
#define ISP_CALL_H

#include <stdint.h>

#define ISP_ANY_SOURCE (-2) /* peer: a wildcard */
#define ISP_ANY_TAG (-1)    /* tag: any */
#define ISP_NO_RANK (-1)    /* peer, root: none (also MPI_PROC_NULL) */
#define ISP_COMM_WORLD 0    /* communicator number of MPI_COMM_WORLD */
#define ISP_NO_COMM (-1)    /* no communicator was made for this rank */
#define ISP_NO_COLOR (-1)   /* color of MPI_UNDEFINED */
/* MPI_COMM_SELF of world rank r is communicator number ISP_COMM_SELF(r). */
#define ISP_COMM_SELF(rank) (1 + (rank))

enum isp_op {
    ISP_OP_SEND = 1,   /* mode: enum isp_send_mode */
    ISP_OP_RECV,       /* mode: enum isp_recv_mode */
    ISP_OP_PROBE,      /* Probe, Iprobe (POLL), Mprobe (MATCHED), Improbe (both) */
    ISP_OP_COMPLETE,   /* Wait and Test families; mode: enum isp_complete_mode */
    ISP_OP_COLLECTIVE, /* mode: enum isp_make: what it creates */
    ISP_OP_CANCEL,     /* handle: the operation to cancel */
    ISP_OP_FREE,       /* MPI_Request_free of an active operation: handle */
    ISP_OP_FINALIZE,
};

enum isp_send_mode { ISP_SEND_STANDARD, ISP_SEND_BUFFERED, ISP_SEND_SYNC, ISP_SEND_READY };

enum isp_recv_mode {
    ISP_RECV_NORMAL,
    ISP_RECV_MESSAGE, /* Mrecv, Imrecv: list[0] is the handle of the matched probe */
};

enum isp_complete_mode { ISP_COMPLETE_ALL, ISP_COMPLETE_ANY, ISP_COMPLETE_SOME };

/* What a collective creates. */
enum isp_make {
    ISP_MAKE_NOTHING,
    ISP_MAKE_SAME,   /* MPI_Comm_dup: the same members */
    ISP_MAKE_SPLIT,  /* MPI_Comm_split: color, key */
    ISP_MAKE_GROUP,  /* MPI_Comm_create, _create_group: list = world ranks, in group order */
    ISP_MAKE_FREE,   /* MPI_Comm_free */
};

enum isp_call_flags {
    ISP_F_FENCE = 1 << 0,    /* the rank waits for its go-ahead at this record */
    ISP_F_DETACHED = 1 << 1, /* no request: consumed from birth, and not a fence */
    ISP_F_POLL = 1 << 2,     /* Test family, Iprobe, Improbe: `not yet` is an answer */
    ISP_F_MATCHED = 1 << 3,  /* Mprobe, Improbe: takes the message out of its channel */
    ISP_F_KEEP = 1 << 4,     /* MPI_Request_get_status: success does not consume */
    ISP_F_SUBSET = 1 << 5,   /* the members of this collective are `list`, told apart by `tag` */
};

struct isp_call {
    uint8_t op;     /* enum isp_op */
    uint8_t mode;   /* see enum isp_op */
    uint16_t flags; /* enum isp_call_flags */
    uint16_t fn;    /* enum isp_fn: the MPI function (a _c twin has its own number) */
    uint32_t site;  /* call site: number that the rank gave with a SITE message */
    uint32_t handle;
    int32_t comm;
    int32_t peer;   /* SEND: destination; RECV, PROBE: source or ISP_ANY_SOURCE */
    int32_t tag;    /* or ISP_ANY_TAG */
    int32_t root;   /* COLLECTIVE: world rank of the root, or ISP_NO_RANK */
    uint32_t redop; /* COLLECTIVE: number of the reduction operation, or 0 */
    int32_t color, key; /* ISP_MAKE_SPLIT */
    uint64_t bytes; /* SEND: size of the message; RECV: room for it */
    uint32_t n;     /* entries of list */
    /* COMPLETE: the handles; RECV_MESSAGE: the probe's; COLLECTIVE: members of
     * the new group. Borrowed: valid while the record is being looked at. */
    const uint32_t *list;
};

/* What a rank must do inside MPI, in this order, before anything else. */
enum isp_action_kind {
    ISP_ACTION_ISSUE,  /* issue the operation with this peer (world rank) and tag, and complete it */
    ISP_ACTION_CANCEL, /* the operation was cancelled: it is never issued */
};

struct isp_action {
    uint8_t kind;
    uint32_t handle;
    int32_t peer, tag;
};

/* The answer to a fence. */
struct isp_result {
    int32_t flag;     /* a poll: 1 it succeeded, 0 not yet; everything else: 1 */
    int32_t new_comm; /* collective that makes a communicator: its number, or ISP_NO_COMM */
    int32_t source, tag; /* a probe: the message it found (world rank, tag, size) */
    uint64_t bytes;
    uint32_t n;            /* COMPLETE ANY and SOME: how many ... */
    const uint32_t *list;  /* ... and which positions of the record's list completed (ascending) */
};

#endif
