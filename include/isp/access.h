/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An access to the memory of a window, as a rank tells it (ISP_MSG_ACCESS), and what completes accesses
 * without a record. They stand in the rank's program order between its records. poe never sees them: they
 * steer nothing.
 *
 * The place is the address in the target's own memory. So accesses by two windows that share memory are seen
 * to meet.
 */
#ifndef ISP_ACCESS_H
#define ISP_ACCESS_H

#include "isp/wire.h"

enum isp_access_kind {
    ISP_ACCESS_PUT = 1,
    ISP_ACCESS_GET,
    ISP_ACCESS_ACCUMULATE,
    ISP_ACCESS_FETCH, /* MPI_Get_accumulate, MPI_Fetch_and_op */
    ISP_ACCESS_SWAP,  /* MPI_Compare_and_swap */
    ISP_ACCESS_LOAD,  /* by the program itself, of at least one of these bytes; fn 0: site is the place of the
                         access, else it was before this call */
    ISP_ACCESS_STORE,
    ISP_ACCESS_GIVE,        /* MPI reads these bytes of the rank's own window for a call of this rank, whose
                               buffer lies there ... */
    ISP_ACCESS_TAKE,        /* ... or writes them. Either lasts until ISP_ACCESS_DONE with the same
                               `buffer` */
    ISP_ACCESS_FLUSH,       /* no access: those that are pending are complete ... */
    ISP_ACCESS_FLUSH_LOCAL, /* ... at the origin only */
    ISP_ACCESS_DONE,        /* no access: the buffer is the program's again */
    ISP_ACCESS_THREADS,     /* no access: the rank has several threads, whose accesses are in no known order.
                               The last it tells, but for once more with fn: what accesses another rank's
                               memory */
    ISP_ACCESS_UNCHANGED,   /* no access: the last one, which had its turn (ISP_LOCK_ATOMIC), has changed
                               nothing */
    ISP_ACCESS_UNSEEN,      /* no access: the rank may have loaded any of its own memory of the window, in the
                               epoch of its lock */
};

/* The epoch of an access. */
enum isp_access_epoch {
    ISP_EPOCH_NONE,
    ISP_EPOCH_FENCE,
    ISP_EPOCH_START,
    ISP_EPOCH_SHARED,
    ISP_EPOCH_EXCLUSIVE
};

struct isp_access_run {
    uint64_t at, length;
};

enum { ISP_ACCESS_RUNS_MAX = 4096 };

struct isp_access {
    uint8_t kind, epoch;
    bool no_op;  /* the operation is MPI_NO_OP: it changes nothing */
    bool synced; /* LOAD, STORE: beside an MPI_Win_sync, in an epoch of a lock: it may be one that polls, or
                    is polled for */
    uint16_t fn;
    uint32_t site;
    int32_t window; /* its number */
    int32_t target; /* world rank; a flush: or ISP_ANY_SOURCE */
    uint32_t op;    /* as isp_call.redop */
    /* What this rank gives or takes, and the target's side: `count` times `type`, as in a record */
    uint32_t type, target_type;
    uint64_t count, target_count;
    uint64_t base;                     /* of the window, in the target's memory; 0: displacements are
                                          addresses */
    uint64_t buffer;                   /* GIVE, TAKE, DONE: its number; 0: of a call that is complete when it
                                          returns */
    uint32_t n;                        /* runs, ascending; a longer list is cut */
    const struct isp_access_run *runs; /* borrowed */
};

static inline void isp_put_access(struct isp_buf *b, const struct isp_access *a)
{
    isp_put_u8(b, a->kind);
    isp_put_u8(b, a->epoch);
    isp_put_u8(b, (uint8_t)(a->no_op | a->synced << 1));
    isp_put_u16(b, a->fn);
    isp_put_u32(b, a->site);
    isp_put_i32(b, a->window);
    isp_put_i32(b, a->target);
    isp_put_u32(b, a->op);
    isp_put_u32(b, a->type);
    isp_put_u64(b, a->count);
    isp_put_u32(b, a->target_type);
    isp_put_u64(b, a->target_count);
    isp_put_u64(b, a->base);
    isp_put_u64(b, a->buffer);
    isp_put_u32(b, a->n);
    for (uint32_t i = 0; i < a->n; i++) {
        isp_put_u64(b, a->runs[i].at);
        isp_put_u64(b, a->runs[i].length);
    }
}

/* room: for ISP_ACCESS_RUNS_MAX runs. False, with r->ok false, on what isp_put_access cannot have written. */
static inline bool isp_get_access(struct isp_reader *r, struct isp_access *a, struct isp_access_run *room)
{
    *a = (struct isp_access){.kind = isp_get_u8(r), .epoch = isp_get_u8(r), .runs = room};
    uint8_t flags = isp_get_u8(r);
    a->no_op = flags & 1;
    a->synced = flags & 2;
    a->fn = isp_get_u16(r);
    a->site = isp_get_u32(r);
    a->window = isp_get_i32(r);
    a->target = isp_get_i32(r);
    a->op = isp_get_u32(r);
    a->type = isp_get_u32(r);
    a->count = isp_get_u64(r);
    a->target_type = isp_get_u32(r);
    a->target_count = isp_get_u64(r);
    a->base = isp_get_u64(r);
    a->buffer = isp_get_u64(r);
    a->n = isp_get_u32(r);
    r->ok = r->ok && a->kind >= ISP_ACCESS_PUT && a->kind <= ISP_ACCESS_UNSEEN &&
            a->epoch <= ISP_EPOCH_EXCLUSIVE && a->n <= ISP_ACCESS_RUNS_MAX;
    for (uint32_t i = 0; i < a->n && r->ok; i++) {
        room[i].at = isp_get_u64(r);
        room[i].length = isp_get_u64(r);
        r->ok = r->ok && room[i].length > 0 && room[i].at <= UINT64_MAX - room[i].length;
    }
    return r->ok;
}

#endif
