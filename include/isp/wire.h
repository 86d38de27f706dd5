/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wire format between libisp.so in the ranks and the isp program.
 *
 * A frame is: u32 length of what follows, u8 type, payload. Fields are written
 * one by one, fixed width, little-endian; strings and lists are preceded by a
 * u32 count. Raise ISP_WIRE_VERSION whenever a byte of any message changes its
 * meaning: both ends refuse another version by name.
 *
 * Writing goes to a growing isp_buf. Reading goes through an isp_reader that
 * remembers the first error: read all fields, then test `ok` once. A reader
 * never allocates; strings and lists point into the frame.
 */
#ifndef ISP_WIRE_H
#define ISP_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "isp/call.h"
#include "isp/settings.h"

#define ISP_WIRE_VERSION 34u
#define ISP_PYTHON "python:"           /* begins the "module path" of a line of Python */
#define ISP_WIRE_FRAME_MAX (16u << 20) /* bytes after the length field */
#define ISP_WIRE_HELLO_MAX 4096u       /* limit before the token was seen */
#define ISP_TOKEN_BYTES 32

/* Names of the environment variables by which the scheduler reaches a rank. */
#define ISP_ENV_LINK "ISP_LINK"   /* "unix:/path" or "tcp:host:port" */
#define ISP_ENV_TOKEN "ISP_TOKEN" /* 64 hex digits */
/* A folder on the scheduler's host, which goes with the world: names of segments of shared memory are
 * noted in it, so that these can be removed whoever is killed. */
#define ISP_ENV_FOLDER "ISP_FOLDER"
/* There: a line for each segment that UCX makes, `+NAME`, and one when its name is taken away, or was
 * somebody else's, `-NAME`. */
#define ISP_SEGMENTS_FILE "segments"
/* There, if what ranks print is told apart: the pipe for descriptor %d (1 or 2) of rank %d. The first process
 * of the rank opens it, and removes the name. */
#define ISP_PIPE_NAME "printed.%d.%d"

enum isp_message {
    /* rank -> scheduler */
    ISP_MSG_HELLO = 1,   /* u32 version, token[32], i32 rank, i32 size (-1 before MPI_Init), i64 pid,
                            str host. The first two stay as they are in every version */
    ISP_MSG_SITE,        /* u32 site, u64 offset in module (of the return address), str module path; u32 n
                            callers (--stacks), innermost first, each: u64 offset, str module path. A line
                            of Python: its module path is ISP_PYTHON "function:file", its offset line + 1 */
    ISP_MSG_CALLS,       /* u32 thread (and ISP_THREAD_OTHERS, ISP_THREAD_STRAYS), then its records to the end
                            of the frame; a FENCE record is the last of its frame */
    ISP_MSG_FINDING,     /* u16 rule, u16 fn, u32 site, u32 count, u8 enum isp_death, str text (may be
                            empty), str story (lines, each ended by \n; may be empty), u64 number of the
                            rank's pending buffer that it is about (profiler/memory/pending.h), or 0, u64 its
                            first changed byte, counted from 1, or 0, u32 n further sites, each: u16 fn,
                            u32 site; u8 1 and what was changed (isp/change.h), or 0 */
    ISP_MSG_CRASH,       /* i32 signal, or 0: a sanitizer ends the rank; u32 n, n times: u64 offset, str
                            module path (innermost first); str what the sanitizer has found (may be empty) */
    ISP_MSG_ABORT,       /* i32 code, u32 site */
    ISP_MSG_EXIT,        /* i32 status; u8 1 if MPI was finalized; sent when the rank leaves by exit() */
    ISP_MSG_FINALIZED,   /* empty: PMPI_Finalize has returned, leak findings precede it; those of handles that
                            may be freed later precede EXIT */
    ISP_MSG_TYPE,        /* u32 number, u32 n nodes, each: u32 n parts, each: u64 count, u32 what: a basic
                            type, or ISP_TYPE_TOLD + the index of an earlier node of this message. The last
                            node is the type; told before a record has it */
    ISP_MSG_QUIET,       /* u64 releases that the rank has got: since then no thread of it has run outside of
                            a fence, nor will one before the next release; u8 1 if that is certain. 0: some
                            run, but have called nothing for so long that they seem to wait for the others.
                            u16 fn, u32 site: the call of a thread that was woken while another one, that
                            still does, waited for the same; or 0, 0 */
    ISP_MSG_POLLS,       /* u16 fn, u32 site of its last call, u8 waits: the rank has only accessed windows
                            for a while. 1: it waits for what others may write there; until its next record it
                            counts as waiting, and takes GO frames without releases. 0: one of several
                            threads, which is at work as far as anyone can tell */
    ISP_MSG_OVERWRITTEN, /* u32 handle, u16 fn, u32 site: told before FINALIZE of each operation that is not
                            consumed, and whose request this call has overwritten in its variable */
    ISP_MSG_STARTED,     /* u16 fn, u32 site, i32 communicator, i32 peer, i32 tag: a persistent request that
                            was made there is started; as in its record, of a collective all -1. Told once for
                            each such place and message */
    ISP_MSG_UNSTARTED,   /* u16 fn, u32 site; u16 fn, u32 site, u8 explained: this call asks for the
                            completion of a persistent request that was made there (the second place), and was
                            never started so far. Perhaps it will be. explained: another request of the same
                            call was, so this may be meant */
    ISP_MSG_ACCESS,      /* struct isp_access (isp/access.h) */
    ISP_MSG_SEGMENT,     /* i64 pid, i32 fd: this process holds a segment of MPI's shared memory there, which
                            it has made */
    ISP_MSG_ACTED,       /* empty: all that it was sent up to a GO frame with ISP_GO_ANSWER is done */
    ISP_MSG_BACK,        /* u32 level, u8 launched, u8 whole, u8 lost: the run that went on from it has ended;
                            this process is again where it was at the GO frame with ISP_GO_FORK, and waits for
                            another one. whole 0: something that cannot be taken back was used up (standard
                            input). lost 1: it is further back than that */
    ISP_MSG_SPOILT,      /* str why: this run changes what none of its checkpoints can bring back */
    ISP_MSG_NO_FORK,     /* str why: ISP_GO_FORK could not be done, this process itself has gone on; or this
                            run does what must not be done behind a checkpoint */
    ISP_MSG_FILE,        /* struct isp_file (isp/file.h) */
    ISP_MSG_FILE_ACCESS, /* struct isp_file_access (isp/file.h); in program order, between records */
    ISP_MSG_HELD,        /* u64 event, u16 fn, u32 site: it holds at this event, which it has not made yet */
    ISP_MSG_VISITED,     /* u8 how (enum isp_visited), u32 place (ISP_VISIT_NONE: none), u64 number: the line
                            that it was in last, before it stopped or ended, began with this visit of this
                            place; list of words that were never as they should be when the registers were */
    ISP_MSG_STATE,   /* u8 known, u64 low, u64 high, str why: the answer to ISP_GO_STATE. Two states of a rank
                            in one launch that have the same number have the same future, as far as it depends
                            on the rank (profiler/state/STATE.md). known 0: it has none, and why says why */
    ISP_MSG_MODULES, /* u32 n, n times: str path: what is loaded when MPI is initialized; it waits for
                        IGNORE. Sent if the settings have `ignores` */
    ISP_MSG_IGNORED, /* u32 site: something was marked there by isp_ignore (isp.h) */
    ISP_MSG_DIFFERS, /* u32 parts (bits by enum isp_state_part), u64 registers (bits by their numbers in
                        DWARF), struct isp_place of the call, u8 more (not all is told), u32 n, n times:
                        struct isp_difference (isp/differs.h): the answer to ISP_GO_COMPARE */
    ISP_MSG_NOBODY,  /* u8 op (ISP_OP_SEND or ISP_OP_RECV), u16 fn, u32 site, i32 communicator, i32 tag: a
                        blocking call with MPI_PROC_NULL, of which there is no record. Told once for each such
                        place and tag, of a few */
    /* ... of a rank that goes ahead (engine/ahead.h) */
    ISP_MSG_OUTCOME,   /* struct isp_outcome (isp/outcome.h) */
    ISP_MSG_NOT_AHEAD, /* str why, u16 fn: this rank does what cannot be done ahead; it waits for its end */
    ISP_MSG_STUCK,     /* u8 yes: it waits inside MPI, and has not got on for a while; 0: it has got on */
    /* scheduler -> rank */
    ISP_MSG_WELCOME = 64, /* struct isp_settings; if they have `ahead`, what is forced: u32 n, n times:
                             struct isp_outcome, ascending; u64 so many: polls among the first transitions
                             are isp's to answer */
    ISP_MSG_GO,           /* u8 marks (ISP_GO_...), u32 drop; u32 n actions, each: u8 kind, u32 handle,
                             i32 peer, i32 tag; u16 n releases, each: u16 thread, i32 flag, i32 new_comm,
                             i32 source, i32 tag, u64 bytes, list. The released calls go on in this order, one
                             after the other */
    ISP_MSG_DIE,          /* u8 all: this run is over; the process must _exit at once. all 1: and those that
                             wait for its end as well */
    ISP_MSG_HOLD,         /* u64 event: hold at this one from now on (struct isp_settings) */
    ISP_MSG_VISITS,       /* struct isp_visits (isp/visits.h); to a rank that holds */
    ISP_MSG_IGNORE,       /* u32 n, n times: struct isp_ignored (isp/ignored.h): the answer to MODULES */
};

/* Marks of a GO frame. `drop`: those of its ancestors that forked it, the first ones up to this level but for
 * the one of level 0, are not needed again, and can be killed. */
/* stay as you are, and let a child go on in your place (profiler/process/checkpoint.h) */
#define ISP_GO_FORK 1u
#define ISP_GO_ANSWER 2u /* say ACTED when it is done */
#define ISP_GO_HUSH 4u   /* what the program prints from here on is not wanted */
#define ISP_GO_PROBE 8u  /* say NO_FORK if it could not be forked */
#define ISP_GO_STATE 16u /* say STATE, and wait as before: there is nothing else in this frame */

/* keep what the state is made of, under the number `drop`; say nothing; and there is nothing else in this
 * frame */
#define ISP_GO_KEEP 32u
#define ISP_GO_COMPARE 64u   /* the same; say DIFFERS: how the state differs from what was kept */
#define ISP_COMPARE_SLOTS 16 /* these numbers are less */

#define ISP_THREAD_OTHERS 0x80000000u /* of this rank may run */
/* ... which must not call MPI: so nobody waits for them, but they may do it all the same */
#define ISP_THREAD_STRAYS 0x40000000u

/* What becomes of a rank that has told a finding. */
enum isp_death {
    ISP_LIVES,
    ISP_DIES,      /* it waits for leave to die */
    ISP_DIES_ABLE, /* ... and meanwhile does its part of what has matched: it takes GO frames without
                      releases */
};

/* Numbers begin with their lowest byte, whatever the machine has; and back. */
static inline uint64_t isp_little(uint64_t v)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap64(v);
}

/* ---- writing ---- */

struct isp_buf {
    uint8_t *data;
    size_t size, room;
};

static inline void isp_buf_init(struct isp_buf *b) { memset(b, 0, sizeof *b); }

static inline void isp_buf_finish(struct isp_buf *b)
{
    free(b->data);
    isp_buf_init(b);
}

static inline void isp_buf_reserve(struct isp_buf *b, size_t more)
{
    if (b->room - b->size >= more)
        return;
    size_t room = b->room ? b->room : 1024;
    while (room - b->size < more)
        room *= 2;
    void *data = realloc(b->data, room);
    if (!data)
        abort();
    b->data = data;
    b->room = room;
}

static inline void isp_put_uint(struct isp_buf *b, uint64_t v, size_t bytes)
{
    isp_buf_reserve(b, bytes);
    uint64_t little = isp_little(v);
    memcpy(b->data + b->size, &little, bytes);
    b->size += bytes;
}

static inline void isp_put_u8(struct isp_buf *b, uint8_t v) { isp_put_uint(b, v, 1); }
static inline void isp_put_u16(struct isp_buf *b, uint16_t v) { isp_put_uint(b, v, 2); }
static inline void isp_put_u32(struct isp_buf *b, uint32_t v) { isp_put_uint(b, v, 4); }
static inline void isp_put_i32(struct isp_buf *b, int32_t v) { isp_put_uint(b, (uint32_t)v, 4); }
static inline void isp_put_u64(struct isp_buf *b, uint64_t v) { isp_put_uint(b, v, 8); }

static inline void isp_put_bytes(struct isp_buf *b, const void *p, size_t n)
{
    isp_buf_reserve(b, n);
    if (n)
        memcpy(b->data + b->size, p, n);
    b->size += n;
}

static inline void isp_put_str(struct isp_buf *b, const char *s)
{
    size_t n = strlen(s);
    isp_put_u32(b, (uint32_t)n);
    isp_put_bytes(b, s, n);
}

static inline void isp_put_list(struct isp_buf *b, const uint32_t *list, uint32_t n)
{
    isp_put_u32(b, n);
    for (uint32_t i = 0; i < n; i++)
        isp_put_u32(b, list[i]);
}

/* Opens a frame; returns its position, which isp_frame_end wants. */
static inline size_t isp_frame_begin(struct isp_buf *b, uint8_t type)
{
    size_t at = b->size;
    isp_put_u32(b, 0);
    isp_put_u8(b, type);
    return at;
}

static inline void isp_frame_end(struct isp_buf *b, size_t at)
{
    uint64_t length = isp_little(b->size - at - 4);
    memcpy(b->data + at, &length, 4);
}

/* ---- reading ---- */

struct isp_reader {
    const uint8_t *at, *end;
    bool ok;
};

static inline struct isp_reader isp_reader_of(const void *data, size_t size)
{
    return (struct isp_reader){.at = data, .end = (const uint8_t *)data + size, .ok = true};
}

/* What is in the buffer from there on; it may never have had anything. */
static inline struct isp_reader isp_reader_of_buf(const struct isp_buf *b, size_t from)
{
    return b->data ? isp_reader_of(b->data + from, b->size - from) : isp_reader_of("", 0);
}

static inline uint64_t isp_get_uint(struct isp_reader *r, size_t bytes)
{
    if (!r->ok || (size_t)(r->end - r->at) < bytes) {
        r->ok = false;
        return 0;
    }
    uint64_t little = 0;
    memcpy(&little, r->at, bytes);
    r->at += bytes;
    return isp_little(little);
}

static inline uint8_t isp_get_u8(struct isp_reader *r) { return (uint8_t)isp_get_uint(r, 1); }
static inline uint16_t isp_get_u16(struct isp_reader *r) { return (uint16_t)isp_get_uint(r, 2); }
static inline uint32_t isp_get_u32(struct isp_reader *r) { return (uint32_t)isp_get_uint(r, 4); }
static inline int32_t isp_get_i32(struct isp_reader *r) { return (int32_t)isp_get_u32(r); }
static inline uint64_t isp_get_u64(struct isp_reader *r) { return isp_get_uint(r, 8); }

/* n bytes inside the frame, or NULL. */
static inline const uint8_t *isp_get_bytes(struct isp_reader *r, size_t n)
{
    if (!r->ok || (size_t)(r->end - r->at) < n) {
        r->ok = false;
        return NULL;
    }
    const uint8_t *p = r->at;
    r->at += n;
    return p;
}

/* A string that is not terminated: sets *n; NULL on error. */
static inline const char *isp_get_str(struct isp_reader *r, uint32_t *n)
{
    *n = isp_get_u32(r);
    return (const char *)isp_get_bytes(r, *n);
}

/* A list is copied to `room` (it need not be aligned in the frame): the caller
 * passes space for max entries; a longer list is an error. Returns the count. */
static inline uint32_t isp_get_list(struct isp_reader *r, uint32_t *room, uint32_t max)
{
    uint32_t n = isp_get_u32(r);
    if (!r->ok || n > max || (size_t)(r->end - r->at) < (size_t)n * 4) {
        r->ok = false;
        return 0;
    }
    for (uint32_t i = 0; i < n; i++)
        room[i] = isp_get_u32(r);
    return n;
}

/* ---- records ---- */

/* u32 n given, u32 n taken, then their words; those are read to where the list ends. */
static inline void isp_put_shares(struct isp_buf *b, const struct isp_call *c)
{
    isp_put_u32(b, c->n_given);
    isp_put_u32(b, c->n_taken);
    for (uint64_t i = c->n, end = isp_call_words(c); i < end; i++)
        isp_put_u32(b, c->list[i]);
}

static inline void isp_get_shares(struct isp_reader *r, struct isp_call *c, uint32_t *room, uint32_t max)
{
    c->n_given = isp_get_u32(r);
    c->n_taken = isp_get_u32(r);
    uint64_t end = isp_call_words(c);
    if (!r->ok || end > max || (size_t)(r->end - r->at) < (size_t)(end - c->n) * 4) {
        r->ok = false;
        return;
    }
    for (uint64_t i = c->n; i < end; i++)
        room[i] = isp_get_u32(r);
}

static inline void isp_put_call(struct isp_buf *to, const struct isp_call *c)
{
    isp_buf_reserve(to, 128 + 4 * ((size_t)isp_call_words(c) + c->n_map));
    struct isp_buf copy = *to, *b = &copy; /* which no byte that is written can change: faster */
    isp_put_u8(b, c->op);
    isp_put_u8(b, c->mode);
    isp_put_u32(b, c->flags);
    isp_put_u16(b, c->fn);
    isp_put_u32(b, c->site);
    if (c->flags & ISP_F_GUARDED)
        isp_put_u64(b, c->guards);
    if (c->flags & ISP_F_TOOK)
        isp_put_u64(b, c->took);
    if (c->flags & ISP_F_PERHAPS)
        isp_put_u64(b, c->perhaps);
    switch (c->op) {
    case ISP_OP_SEND:
    case ISP_OP_RECV:
    case ISP_OP_PROBE:
        isp_put_u32(b, c->handle);
        isp_put_i32(b, c->comm);
        isp_put_i32(b, c->peer);
        isp_put_i32(b, c->tag);
        isp_put_u64(b, c->bytes);
        isp_put_u32(b, c->type);
        isp_put_u64(b, c->count);
        if (c->flags & ISP_F_PARTITIONED) {
            isp_put_i32(b, c->color);
            isp_put_i32(b, c->key);
        }
        if (c->op == ISP_OP_SEND && c->mode == ISP_SEND_BUFFERED) {
            isp_put_u64(b, c->reserved);
            isp_put_u64(b, c->attached);
        }
        if (c->op == ISP_OP_RECV && c->mode == ISP_RECV_MESSAGE)
            isp_put_list(b, c->list, c->n);
        break;
    case ISP_OP_COMPLETE: isp_put_list(b, c->list, c->n); break;
    case ISP_OP_JOIN:
        isp_put_u32(b, c->handle);
        isp_put_list(b, c->list, c->n);
        break;
    case ISP_OP_LOCK:
    case ISP_OP_UNLOCK:
        isp_put_i32(b, c->comm);
        isp_put_i32(b, c->peer);
        break;
    case ISP_OP_COLLECTIVE:
        isp_put_u32(b, c->handle);
        isp_put_u8(b, c->flow);
        isp_put_i32(b, c->comm);
        isp_put_i32(b, c->peer);
        isp_put_i32(b, c->tag);
        isp_put_i32(b, c->root);
        isp_put_u32(b, c->redop);
        isp_put_i32(b, c->color);
        isp_put_i32(b, c->key);
        isp_put_u32(b, c->type);
        isp_put_u64(b, c->count);
        isp_put_u32(b, c->taken_type);
        isp_put_u64(b, c->taken_count);
        isp_put_list(b, c->list, c->n);
        isp_put_shares(b, c);
        break;
    case ISP_OP_CANCEL:
    case ISP_OP_FREE:
    case ISP_OP_READY: isp_put_u32(b, c->handle); break;
    default: /* FINALIZE, DETACH, ADMIT: nothing more */ break;
    }
    if (c->flags & ISP_F_MAP)
        isp_put_list(b, c->map, c->n_map);
    *to = copy;
}

/* Reads one record; its list and map are copied to `room` (max entries). False, with
 * r->ok false, on anything that isp_put_call cannot have written. */
static inline bool isp_get_call(struct isp_reader *r, struct isp_call *c, uint32_t *room, uint32_t max)
{
    *c = (struct isp_call){.list = room, .comm = ISP_NO_COMM, .peer = ISP_NO_RANK, .root = ISP_NO_RANK};
    c->op = isp_get_u8(r);
    c->mode = isp_get_u8(r);
    c->flags = isp_get_u32(r);
    c->fn = isp_get_u16(r);
    c->site = isp_get_u32(r);
    c->guards = c->flags & ISP_F_GUARDED ? isp_get_u64(r) : 0;
    c->took = c->flags & ISP_F_TOOK ? isp_get_u64(r) : 0;
    c->perhaps = c->flags & ISP_F_PERHAPS ? isp_get_u64(r) : 0;
    switch (c->op) {
    case ISP_OP_SEND:
    case ISP_OP_RECV:
    case ISP_OP_PROBE:
        c->handle = isp_get_u32(r);
        c->comm = isp_get_i32(r);
        c->peer = isp_get_i32(r);
        c->tag = isp_get_i32(r);
        c->bytes = isp_get_u64(r);
        c->type = isp_get_u32(r);
        c->count = isp_get_u64(r);
        if (c->flags & ISP_F_PARTITIONED) {
            c->color = isp_get_i32(r);
            c->key = isp_get_i32(r);
        }
        if (c->op == ISP_OP_SEND && c->mode == ISP_SEND_BUFFERED) {
            c->reserved = isp_get_u64(r);
            c->attached = isp_get_u64(r);
        }
        if (c->op == ISP_OP_RECV && c->mode == ISP_RECV_MESSAGE)
            c->n = isp_get_list(r, room, max);
        break;
    case ISP_OP_COMPLETE: c->n = isp_get_list(r, room, max); break;
    case ISP_OP_JOIN:
        c->handle = isp_get_u32(r);
        c->n = isp_get_list(r, room, max);
        break;
    case ISP_OP_LOCK:
    case ISP_OP_UNLOCK:
        c->comm = isp_get_i32(r);
        c->peer = isp_get_i32(r);
        break;
    case ISP_OP_COLLECTIVE:
        c->handle = isp_get_u32(r);
        c->flow = isp_get_u8(r);
        c->comm = isp_get_i32(r);
        c->peer = isp_get_i32(r);
        c->tag = isp_get_i32(r);
        c->root = isp_get_i32(r);
        c->redop = isp_get_u32(r);
        c->color = isp_get_i32(r);
        c->key = isp_get_i32(r);
        c->type = isp_get_u32(r);
        c->count = isp_get_u64(r);
        c->taken_type = isp_get_u32(r);
        c->taken_count = isp_get_u64(r);
        c->n = isp_get_list(r, room, max);
        isp_get_shares(r, c, room, max);
        break;
    case ISP_OP_CANCEL:
    case ISP_OP_FREE:
    case ISP_OP_READY: c->handle = isp_get_u32(r); break;
    case ISP_OP_FINALIZE:
    case ISP_OP_DETACH:
    case ISP_OP_ADMIT: break;
    default: r->ok = false;
    }
    if (r->ok && c->flags & ISP_F_MAP) {
        uint32_t words = (uint32_t)isp_call_words(c);
        c->map = room + words;
        c->n_map = isp_get_list(r, room + words, max - words);
    }
    return r->ok;
}

static inline void isp_put_settings(struct isp_buf *b, const struct isp_settings *s)
{
    isp_put_u8(b, s->buffered);
    isp_put_u8(b, s->mixed);
    isp_put_u8(b, s->on_error);
    isp_put_u8(b, s->memory);
    isp_put_u8(b, s->stacks);
    isp_put_u8(b, s->unchecked);
    isp_put_u8(b, s->apart);
    isp_put_u8(b, s->explains);
    isp_put_u8(b, s->ignores);
    isp_put_i32(b, s->watch.rank);
    isp_put_u64(b, s->watch.buffer);
    isp_put_u64(b, s->watch.at);
    isp_put_u64(b, s->hold);
    isp_put_u8(b, s->ahead);
    isp_put_u8(b, s->eager);
}

static inline void isp_get_settings(struct isp_reader *r, struct isp_settings *s)
{
    s->buffered = isp_get_u8(r) != 0;
    s->mixed = isp_get_u8(r) != 0;
    s->on_error = (enum isp_on_error)isp_get_u8(r);
    s->memory = (enum isp_memory)isp_get_u8(r);
    s->stacks = isp_get_u8(r) != 0;
    s->unchecked = isp_get_u8(r) != 0;
    s->apart = isp_get_u8(r) != 0;
    s->explains = isp_get_u8(r) != 0;
    s->ignores = isp_get_u8(r) != 0;
    s->watch.rank = isp_get_i32(r);
    s->watch.buffer = isp_get_u64(r);
    s->watch.at = isp_get_u64(r);
    s->hold = isp_get_u64(r);
    s->ahead = isp_get_u8(r) != 0;
    s->eager = isp_get_u8(r) != 0;
}

static inline void isp_put_action(struct isp_buf *b, const struct isp_action *a)
{
    isp_put_u8(b, a->kind);
    isp_put_u32(b, a->handle);
    isp_put_i32(b, a->peer);
    isp_put_i32(b, a->tag);
}

static inline void isp_get_action(struct isp_reader *r, struct isp_action *a)
{
    a->kind = isp_get_u8(r);
    a->handle = isp_get_u32(r);
    a->peer = isp_get_i32(r);
    a->tag = isp_get_i32(r);
}

static inline void isp_put_result(struct isp_buf *b, const struct isp_result *x)
{
    isp_put_i32(b, x->flag);
    isp_put_i32(b, x->new_comm);
    isp_put_i32(b, x->source);
    isp_put_i32(b, x->tag);
    isp_put_u64(b, x->bytes);
    isp_put_list(b, x->list, x->n);
}

static inline void isp_get_result(struct isp_reader *r, struct isp_result *x, uint32_t *room, uint32_t max)
{
    x->flag = isp_get_i32(r);
    x->new_comm = isp_get_i32(r);
    x->source = isp_get_i32(r);
    x->tag = isp_get_i32(r);
    x->bytes = isp_get_u64(r);
    x->n = isp_get_list(r, room, max);
    x->list = room;
}

#endif
