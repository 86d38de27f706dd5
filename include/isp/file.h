/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the program does to a file, as a rank tells it (ISP_MSG_FILE). The file is named by its inode, by its
 * name, or by both; by neither, it may be any file. Which bytes of it MPI reads and writes (MPI-IO) is told
 * by ISP_MSG_FILE_ACCESS.
 */
#ifndef ISP_FILE_H
#define ISP_FILE_H

#include "isp/wire.h"

#define ISP_FILE_LOOKS 1u   /* what it does may depend on the file, or on whether there is one */
#define ISP_FILE_CHANGES 2u /* ... or its name, after it has looked */
#define ISP_FILE_REMOVES 4u /* ... that it is gone */
/* ... that it looks says little: Fortran's library does so for every file, or MPI does */
#define ISP_FILE_PERHAPS 8u
/* opened: what is read and written is told. Without PERHAPS: that is it, the first time */
#define ISP_FILE_LATER 16u
#define ISP_FILE_THERE 32u  /* what it does depends on whether there is one, and there is */
#define ISP_FILE_MADE 64u   /* there was none; with THERE: it would have been made */
#define ISP_FILE_KEEPS 128u /* what is in there stays, though it may be changed from now on */
#define ISP_FILE_MAPS 256u  /* it is memory now: what is read and written there is not told */

struct isp_file {
    uint16_t what;          /* ISP_FILE_... */
    uint64_t device, inode; /* 0: not known */
    bool linked;            /* it has several names; of ISP_MSG_FILE_ACCESS only */
    uint64_t name;          /* the hash of its folder, and of its name in there; 0: it has none */
    uint32_t length;        /* of `path`, which is borrowed, not terminated, and for people */
    const char *path;
};

static inline void isp_put_file(struct isp_buf *b, const struct isp_file *f)
{
    isp_put_u16(b, f->what);
    isp_put_u64(b, f->device);
    isp_put_u64(b, f->inode);
    isp_put_u64(b, f->name);
    isp_put_u32(b, f->length);
    isp_put_bytes(b, f->path, f->length);
}

/* False, with r->ok false: it is cut short. */
static inline bool isp_get_file(struct isp_reader *r, struct isp_file *f)
{
    *f = (struct isp_file){.what = isp_get_u16(r)};
    f->device = isp_get_u64(r);
    f->inode = isp_get_u64(r);
    f->name = isp_get_u64(r);
    f->path = isp_get_str(r, &f->length);
    return r->ok;
}

enum isp_file_kind {
    ISP_FILE_READ = 1,
    ISP_FILE_WRITE,
    ISP_FILE_SIZE, /* one run, of what might change it: it asks for the size */
    ISP_FILE_CUT,  /* one run: there is nothing of it that was there before */
    ISP_FILE_END,  /* a split collective: those accesses of the rank by this handle that last are over */
};

/* `n` times `length` bytes, each `stride` behind the one before. */
struct isp_file_run {
    uint64_t at, length, n, stride;
};

enum { ISP_FILE_RUNS_MAX = 1024 };

struct isp_file_access {
    uint8_t kind;
    bool lasts;   /* until its request is complete (that of the next record), or ISP_FILE_END */
    bool unknown; /* which bytes these are: it has no runs */
    bool turn;    /* by the shared file pointer: ranks take turns at it */
    bool atomic;  /* the handle is in atomic mode (MPI-4.0, section 14.6.1) */
    bool due;     /* collective: not made before the collective of the next record */
    bool linked;  /* it has several names */
    uint16_t fn;
    uint32_t site;
    int32_t number;               /* of the handle: as that of a communicator */
    uint64_t device, inode, name; /* as in an isp_file; 0: not known */
    uint32_t n;
    const struct isp_file_run *runs; /* borrowed */
};

static inline void isp_put_file_access(struct isp_buf *b, const struct isp_file_access *a)
{
    isp_put_u8(b, a->kind);
    isp_put_u8(b, (uint8_t)(a->lasts | a->unknown << 1 | a->turn << 2 | a->due << 3 | a->atomic << 4 |
                            a->linked << 5));
    isp_put_u16(b, a->fn);
    isp_put_u32(b, a->site);
    isp_put_i32(b, a->number);
    isp_put_u64(b, a->device);
    isp_put_u64(b, a->inode);
    isp_put_u64(b, a->name);
    isp_put_u32(b, a->n);
    for (uint32_t i = 0; i < a->n; i++) {
        isp_put_u64(b, a->runs[i].at);
        isp_put_u64(b, a->runs[i].length);
        isp_put_u64(b, a->runs[i].n);
        isp_put_u64(b, a->runs[i].stride);
    }
}

/* The byte behind the last one. False: beyond 63 bits, or it has none. */
static inline bool isp_file_run_end(const struct isp_file_run *run, uint64_t *end)
{
    return run->length > 0 && run->n > 0 && !__builtin_mul_overflow(run->n - 1, run->stride, end) &&
           !__builtin_add_overflow(*end, run->at, end) && !__builtin_add_overflow(*end, run->length, end) &&
           *end <= INT64_MAX && run->stride <= INT64_MAX;
}

/* room: for ISP_FILE_RUNS_MAX runs. False, with r->ok false, on what isp_put_file_access cannot have
 * written. */
static inline bool isp_get_file_access(struct isp_reader *r, struct isp_file_access *a,
                                       struct isp_file_run *room)
{
    *a = (struct isp_file_access){.kind = isp_get_u8(r), .runs = room};
    uint8_t flags = isp_get_u8(r);
    a->lasts = flags & 1;
    a->unknown = flags & 2;
    a->turn = flags & 4;
    a->due = flags & 8;
    a->atomic = flags & 16;
    a->linked = flags & 32;
    a->fn = isp_get_u16(r);
    a->site = isp_get_u32(r);
    a->number = isp_get_i32(r);
    a->device = isp_get_u64(r);
    a->inode = isp_get_u64(r);
    a->name = isp_get_u64(r);
    a->n = isp_get_u32(r);
    r->ok = r->ok && a->kind >= ISP_FILE_READ && a->kind <= ISP_FILE_END && a->n <= ISP_FILE_RUNS_MAX;
    for (uint32_t i = 0; i < a->n && r->ok; i++) {
        uint64_t end;
        room[i].at = isp_get_u64(r);
        room[i].length = isp_get_u64(r);
        room[i].n = isp_get_u64(r);
        room[i].stride = isp_get_u64(r);
        r->ok = r->ok && isp_file_run_end(&room[i], &end);
    }
    return r->ok;
}

#endif
