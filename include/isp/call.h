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
 * Life of a handle. The profiler picks a free slot when it records a SEND, RECV,
 * matched PROBE, JOIN, or COLLECTIVE with ISP_F_SLOT. The slot is free again once the operation is both
 * *done* (issued and completed inside MPI, or cancelled) and *consumed* (named by the
 * COMPLETE, FREE or message RECV that ended its request; a FENCE or DETACHED
 * operation is consumed from birth). poe forgets it under the same two
 * conditions, so the number may be used again in the next record.
 */
#ifndef ISP_CALL_H
#define ISP_CALL_H

#include <stdbool.h>
#include <stdint.h>

#define ISP_ANY_SOURCE (-2)        /* peer: a wildcard */
#define ISP_ANY_TAG (-1)           /* tag: any */
#define ISP_NO_RANK (-1)           /* peer, root: none (also MPI_PROC_NULL) */
#define ISP_COMM_WORLD 0           /* communicator number of MPI_COMM_WORLD */
#define ISP_NO_COMM (-1)           /* no communicator was made for this rank */
#define ISP_NO_COLOR (-1)          /* color of MPI_UNDEFINED */
#define ISP_HANDLES_MAX (1u << 22) /* handles are below it: isp keeps tables of what they name */
/* A rank that goes ahead numbers the communicators that it makes from here on by itself; isp renames them. */
#define ISP_COMMS_AHEAD (1 << 24)
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
    ISP_OP_JOIN,   /* one request over the operations `list`: complete when all of them are (MPI_Isendrecv).
                      They are ordinary SENDs and RECVs, neither FENCE nor DETACHED, recorded just before;
                      JOIN consumes them, so their slots are free once they are done. handle: its own, done
                      when all of them are complete; it has no action */
    ISP_OP_READY,  /* the operation `handle` was HELD, and may go now (last MPI_Pready,
                      MPI_Grequest_complete) */
    ISP_OP_DETACH, /* a fence: no buffered send of this rank is unmatched (MPI_Buffer_detach) */
    ISP_OP_LOCK,   /* a fence: mode: enum isp_lock_mode; comm: of the window; peer: target, or ISP_ANY_SOURCE
                      (all) */
    ISP_OP_UNLOCK, /* gives back what LOCK of the same comm and peer got */
    ISP_OP_ADMIT,  /* a fence: what the thread has recorded before has taken its place among the calls of the
                      rank's other threads */
};

/*
 * A lock is granted when all ranks wait and nothing that is deterministic is left: first to the rank whose
 * last lock is longest ago, then to the lowest; another order is explored where that can be told apart
 * (poe/visit.h). A TURN locks nothing, but is granted alone: the rank does one thing (a write by a shared
 * file pointer), which is over when it records again. So is ATOMIC: one access to a window, which the
 * rank has told just before (access.h).
 */
enum isp_lock_mode { ISP_LOCK_SHARED, ISP_LOCK_EXCLUSIVE, ISP_LOCK_TURN, ISP_LOCK_ATOMIC };

enum isp_send_mode { ISP_SEND_STANDARD, ISP_SEND_BUFFERED, ISP_SEND_SYNC, ISP_SEND_READY };

enum isp_recv_mode {
    ISP_RECV_NORMAL,
    ISP_RECV_MESSAGE, /* Mrecv, Imrecv: list[0] is the handle of the matched probe */
};

enum isp_complete_mode { ISP_COMPLETE_ALL, ISP_COMPLETE_ANY, ISP_COMPLETE_SOME };

/* What a collective creates. */
enum isp_make {
    ISP_MAKE_NOTHING,
    ISP_MAKE_SAME,  /* MPI_Comm_dup: the same members */
    ISP_MAKE_SPLIT, /* MPI_Comm_split: color, key */
    ISP_MAKE_GROUP, /* MPI_Comm_create, _create_group: list = world ranks, in group order; key: of an
                       intercommunicator, how many of them are its first side, else 0 */
    ISP_MAKE_FREE,  /* MPI_Comm_free; of a communicator with flow LIST of nobody: no member waits for
                       another */
    ISP_MAKE_INTER, /* MPI_Intercomm_create: comm: the local one; root: its leader; and from the leader alone
                       peer: the remote leader, color: number of the peer communicator, tag. One
                       number for both sides: the new communicator's members are those of both. */
};

static inline bool isp_makes_communicator(uint8_t make)
{
    return make == ISP_MAKE_SAME || make == ISP_MAKE_SPLIT || make == ISP_MAKE_GROUP ||
           make == ISP_MAKE_INTER;
}

/*
 * How far a collective synchronizes when sends are buffered: as far as its data flows. With zero
 * buffering all of them synchronize, whatever this says.
 *   FROM_ROOT  the root completes at once (the rank keeps a copy); another member when the root has called
 *   TO_ROOT    a member that is not the root completes at once (with a copy); the root when all have called
 *   PREFIX     a member completes when all before it, in the communicator's order, have called
 *   LIST       a member completes when the members `list` have called (a neighbourhood's sources; one may
 *              stand there several times, as may the rank itself; (uint32_t)ISP_NO_RANK for MPI_PROC_NULL;
 *              with ISP_SOURCE_EMPTY in it, one of which it gets no data, and for which it does not wait)
 *   SOURCES    the same, of members that no topology names: those of which it gets data (MPI_Alltoallv ...)
 * A member with ISP_F_TAKES_NOTHING completes at once, whatever the flow. In one of flow ALL that is told
 * with ISP_F_SLOT on every member, and all get their ISSUE when all have called (MPI_Reduce_scatter, of which
 * some get nothing).
 *
 * With buffered sends the record of a collective whose flow is not ALL has ISP_F_SLOT on every member (a
 * blocking one ISP_F_FENCE as well), and its rank is told with actions what to do inside MPI. The fence or
 * the request is over when poe says so (a release), as with messages. The last action for such a slot is
 * always exactly one ISSUE: then the slot is done.
 *   TO_ROOT: that ISSUE is all. It comes to every member when all have called: issue the nonblocking
 *     collective, with the copy, and complete it.
 *   FROM_ROOT, PREFIX, LIST, SOURCES: the data goes in parts, as plain messages between two members, and the
 *     collective itself is never issued. PART_RECV: the part from `peer` (FROM_ROOT: the root; PREFIX: the
 *     member before, with all that it has gathered; LIST, SOURCES: one per entry of `list` that has data, in
 *     that order, all at once). PART_SEND: the part for `peer` (LIST: of one that is there several times, in
 *     the order in which MPICH pairs the places). ISSUE:
 *     nothing is left to be sent or received. It does nothing but end the slot.
 *   A member whose root is ISP_NO_RANK (MPI_PROC_NULL in an intercommunicator) takes no part in FROM_ROOT and
 *   TO_ROOT, and completes at once.
 * A blocking record without slot synchronizes, whatever its flow (zero buffering).
 */
enum isp_flow {
    ISP_FLOW_ALL,
    ISP_FLOW_FROM_ROOT,
    ISP_FLOW_TO_ROOT,
    ISP_FLOW_PREFIX,
    ISP_FLOW_LIST,
    ISP_FLOW_SOURCES,
    ISP_FLOW_LAST = ISP_FLOW_SOURCES
};

/* Of an entry of a LIST: no data comes of it. (uint32_t)ISP_NO_RANK has the bit too. */
#define ISP_SOURCE_EMPTY (1u << 30)

static inline uint32_t isp_source_rank(uint32_t entry)
{
    return entry == (uint32_t)ISP_NO_RANK ? entry : entry & ~ISP_SOURCE_EMPTY;
}

enum isp_call_flags {
    ISP_F_FENCE = 1 << 0,          /* the rank waits for its go-ahead at this record */
    ISP_F_DETACHED = 1 << 1,       /* no request: consumed from birth, and not a fence */
    ISP_F_POLL = 1 << 2,           /* Test family, Iprobe, Improbe: `not yet` is an answer */
    ISP_F_MATCHED = 1 << 3,        /* Mprobe, Improbe: takes the message out of its channel */
    ISP_F_KEEP = 1 << 4,           /* MPI_Request_get_status: success does not consume */
    ISP_F_SUBSET = 1 << 5,         /* the members of this collective are `list`, told apart by `tag` */
    ISP_F_HELD = 1 << 6,           /* SEND, RECV: it does not take part before its READY. Of a send or receive
                                      to ISP_NO_RANK: it completes then, not at once (a generalized
                                      request) */
    ISP_F_SLOT = 1 << 7,           /* COLLECTIVE: it has a handle and is issued by an action. Without FENCE it
                                      is nonblocking, a request; with it, blocking, whose rank may leave early
                                      (enum isp_flow) */
    ISP_F_SIGNAL = 1 << 8,         /* SEND, RECV: MPI never sees it; it stands for the order that something
                                      else makes (MPI_Win_post and MPI_Win_start ...) */
    ISP_F_PARTITIONED = 1 << 9,    /* SEND, RECV: matches only its like (MPI_Psend_init, MPI_Precv_init); tag:
                                      isp_partitioned_tag */
    ISP_F_INTERNAL = 1 << 10,      /* COLLECTIVE: the second half of a call; not counted, not shown */
    ISP_F_IN_PLACE = 1 << 11,      /* COLLECTIVE without root: MPI_IN_PLACE is its send buffer */
    ISP_F_EITHER_WAY = 1 << 12,    /* COLLECTIVE of a neighbourhood: of two members that are neighbours
                                      several times, the places pair first with first, or first with last
                                      (enum isp_flow, LIST) */
    ISP_F_LOOP = 1 << 13,          /* called in a loop that the program has marked (isp.h): if it is a choice,
                                      it takes its first alternative */
    ISP_F_CHANGED = 1 << 14,       /* POLL (which is no collective): since this place last said `not yet`, the
                                      program has changed its state. LOCK, but TURN: since it was here last,
                                      and has only looked */
    ISP_F_UNSEEN = 1 << 15,        /* POLL: whether it has cannot be told: it has asked the time, there is
                                      too much memory, or others than MPI may end the series */
    ISP_F_TAKES_NOTHING = 1 << 14, /* COLLECTIVE: this member gets no data of another (enum isp_flow) */
    ISP_F_CANCELLABLE = 1 << 15,   /* RECV without FENCE: the program calls MPI_Cancel somewhere */
    ISP_F_GUARDED = 1 << 16,       /* called while the thread holds mutexes: `guards` */
    ISP_F_TOOK = 1 << 17,          /* since its last call the thread has had mutexes, and given them back:
                                      `took` */
    ISP_F_PERHAPS = 1 << 18,       /* it has got semaphores that will be mutexes if it gives them back:
                                      `perhaps` */
    ISP_F_BLIND = 1 << 19,         /* the thread may hold mutexes, and nobody sees which: the profiler is
                                      linked in */
    ISP_F_CONTINUES = 1 << 20,     /* by the same call of MPI as the rank's record before; told only where the
                                      rank holds (ISP_HOLD_...) */
    ISP_F_MAP = 1 << 21,           /* SEND, RECV, COLLECTIVE: `map` is told; likewise */
    ISP_F_ASKS = 1 << 22,          /* FENCE of a rank that goes ahead: here it waits for its go-ahead all the
                                      same */
};

/*
 * COLLECTIVE: `n` members one after the other to which the same is given, or from which the same is taken:
 * `count` times `type`. peer: of what is given in a neighbourhood, the member (n is 1; ISP_NO_RANK:
 * MPI_PROC_NULL); else not used, as the members come in the order of the communicator (of the other side's,
 * in an intercommunicator), or of `list`.
 */
struct isp_share {
    uint32_t n;
    int32_t peer;
    uint32_t type;
    uint64_t count;
};

enum { ISP_SHARE_WORDS = 5 }; /* entries of a record's list that it takes */

/*
 * Tag of an ISP_F_PARTITIONED operation: it names the program's tag and that this is the k-th initialization
 * (from 0) with that tag between these two ranks on that communicator. Bit 30 says which of two forms it is:
 * few initializations with any tag that MPICH allows (below 2^28), or many with a small tag.
 */
#define ISP_PARTITIONED_MANY (1 << 30)

/* The tag, or -1 if it cannot be written. */
static inline int32_t isp_partitioned_tag(int32_t tag, uint32_t k)
{
    if (k < 4 && tag < 1 << 28)
        return tag << 2 | (int32_t)k;
    return k < 1 << 15 && tag < 1 << 15 ? ISP_PARTITIONED_MANY | tag << 15 | (int32_t)k : -1;
}

/*
 * Single partitions may arrive before the others are sent (MPI-4.0, 4.2.2). So what a partitioned message
 * carries goes in units as well: messages with the same tag, one from each MPI_Pready for what it has marked,
 * and receives that MPI_Start posts. color: its number, from 1; key: how many units there are. The operation
 * of the whole has color 0 and the same key. A unit matches its like only; where the two sides cut into
 * different numbers, units are complete when the whole is.
 */
struct isp_call;
static inline bool isp_call_is_unit(const struct isp_call *call);

/* The program's tag. */
static inline int32_t isp_partitioned_program_tag(int32_t tag)
{
    return tag & ISP_PARTITIONED_MANY ? (tag & ~ISP_PARTITIONED_MANY) >> 15 : tag >> 2;
}

struct isp_call {
    uint8_t op;     /* enum isp_op */
    uint8_t mode;   /* see enum isp_op */
    uint32_t flags; /* enum isp_call_flags */
    uint16_t fn;    /* enum isp_fn: the MPI function (a _c twin has its own number) */
    uint32_t site;  /* call site: number that the rank gave with a SITE message */
    uint32_t handle;
    int32_t comm;
    int32_t peer;       /* SEND: destination; RECV, PROBE: source or ISP_ANY_SOURCE */
    int32_t tag;        /* or ISP_ANY_TAG */
    int32_t root;       /* COLLECTIVE: world rank of the root, or ISP_NO_RANK */
    uint32_t redop;     /* COLLECTIVE: number of the reduction operation, or 0 */
    int32_t color, key; /* ISP_F_PARTITIONED: isp_call_is_unit. ISP_MAKE_SPLIT; ISP_MAKE_INTER. MPI_Win_fence:
                           color: what all members must assert or none, tag: not 0 if this one asserts
                           MPI_MODE_NOPUT. key of ISP_MAKE_NOTHING: 0, or which persistent collective of comm
                           this is a start of (from 1): its starts match in order, but not in that of other
                           calls */
    uint8_t flow;       /* COLLECTIVE: enum isp_flow */
    /* SEND, RECV: the type signature, `count` times `type`: a basic type (enum isp_basic; 0: unknown or
     * empty), or ISP_TYPE_TOLD + the number of a type that the rank has told with a TYPE message. COLLECTIVE:
     * what the rank gives to each member that takes something of it, and (taken_...) what it takes from each;
     * 0: nothing, or not the same for each: then its shares say it. Of a reduction: what it reduces; the
     * shares that are taken then say how the result is scattered. */
    uint32_t type, taken_type;
    uint64_t count, taken_count;
    uint32_t n_given, n_taken;   /* COLLECTIVE: shares behind the n entries of the list: those given, then
                                    those taken */
    uint64_t bytes;              /* SEND: size of the message; RECV: room for it */
    uint64_t reserved, attached; /* ISP_SEND_BUFFERED: what it takes of the attached buffer, and the size of
                                    that */
    uint32_t n;                  /* entries of list */
    /* COMPLETE: the handles; RECV_MESSAGE: the probe's; COLLECTIVE: members of
     * the new group. Borrowed: valid while the record is being looked at. */
    const uint32_t *list;
    uint64_t guards;  /* GUARDED: the mutexes, as bits; alike for all threads of a rank in one run, and not in
                         others */
    uint64_t took;    /* TOOK: those mutexes, by the same bits */
    uint64_t perhaps; /* PERHAPS: those semaphores, by the same bits */
    /* MAP: where its buffers lie (isp/map.h). Borrowed, as the list; NULL where only poe knows the call */
    const uint32_t *map;
    uint32_t n_map;
    /* Not in the record, but of the frame that it came in: */
    uint16_t thread; /* of its rank; 0: the main thread, or any, below MPI_THREAD_SERIALIZED */
    uint32_t place;  /* the site without its callers (--stacks), or 0: they are the same */
    bool others;     /* other threads of the rank may still run: that this one waits does not make the
                        rank quiet */
    bool strays;     /* ... which must not call MPI: nobody waits for them */
};

static inline bool isp_call_is_unit(const struct isp_call *call)
{
    return call->flags & ISP_F_PARTITIONED && call->color > 0;
}

/* How many entries its list has, with the shares. */
static inline uint64_t isp_call_words(const struct isp_call *c)
{
    return c->n + ISP_SHARE_WORDS * ((uint64_t)c->n_given + c->n_taken);
}

/* The i-th of its shares, from 0. */
static inline struct isp_share isp_call_share(const struct isp_call *c, uint32_t i)
{
    const uint32_t *w = c->list + c->n + (uint64_t)ISP_SHARE_WORDS * i;
    return (struct isp_share){w[0], (int32_t)w[1], w[2], w[3] | (uint64_t)w[4] << 32};
}

static inline void isp_share_write(uint32_t *words, const struct isp_share *share)
{
    words[0] = share->n;
    words[1] = (uint32_t)share->peer;
    words[2] = share->type;
    words[3] = (uint32_t)share->count;
    words[4] = (uint32_t)(share->count >> 32);
}

/* Whether its handle names a slot. A plain probe has none. */
static inline bool isp_call_has_slot(const struct isp_call *call)
{
    switch (call->op) {
    case ISP_OP_SEND:
    case ISP_OP_RECV:
    case ISP_OP_JOIN: return true;
    case ISP_OP_PROBE: return call->flags & ISP_F_MATCHED;
    case ISP_OP_COLLECTIVE: return call->flags & ISP_F_SLOT;
    default: return false;
    }
}

/* Whether its list has handles of operations. */
static inline bool isp_call_names(const struct isp_call *call)
{
    return call->op == ISP_OP_COMPLETE || call->op == ISP_OP_JOIN ||
           (call->op == ISP_OP_RECV && call->mode == ISP_RECV_MESSAGE);
}

/* A blocking receive gets a message that does not fill its buffer: what was there before shows. It is no part
 * of the state of a rank that waits in the receive (profiler/state/STATE.md). */
static inline bool isp_call_leaves_rest(const struct isp_call *send, const struct isp_call *receive)
{
    return receive->flags & ISP_F_FENCE && send->bytes != receive->bytes;
}

/* What a rank must do inside MPI, in this order, before anything else. */
enum isp_action_kind {
    /* Issue the operation and complete it. A message: with this peer (world rank) and tag (an ISP_F_SIGNAL
     * just ends). A collective: peer is the number of the communicator that it makes, or ISP_NO_COMM; see
     * enum isp_flow. */
    ISP_ACTION_ISSUE,
    ISP_ACTION_CANCEL, /* the operation was cancelled: it is never issued */
    /* A collective whose data flows early (enum isp_flow): exchange its part with the member `peer`, as a
     * plain message: */
    ISP_ACTION_PART_SEND, /* ... the part of the data that is for `peer`. The slot stays, until all parts are
                             sent */
    ISP_ACTION_PART_RECV, /* ... receive what this rank gets from `peer`; tag: how many more such parts
                             follow */
};

struct isp_action {
    uint8_t kind;
    uint32_t handle;
    int32_t peer, tag;
};

/* The answer to a fence. */
struct isp_result {
    int32_t flag;        /* a poll: 1 it succeeded, 0 not yet, 2 it succeeded, and tells only what an earlier
                            one has told; everything else: 1 */
    int32_t new_comm;    /* collective that makes a communicator: its number, or ISP_NO_COMM */
    int32_t source, tag; /* a probe: the message it found (world rank, tag, size) */
    uint64_t bytes;
    uint32_t n;           /* COMPLETE ANY and SOME: how many ... */
    const uint32_t *list; /* ... and which positions of the record's list completed (ascending); FINALIZE of a
                             rank that goes ahead: its receives and collectives that nothing has matched */
};

#endif
