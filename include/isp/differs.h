/* SPDX-License-Identifier: BSD-3-Clause */
/* How the state of a rank differs from one that it was told to keep: which words of the program's memory, and
 * where they are, so that isp can name them (ISP_MSG_DIFFERS). */
#ifndef ISP_DIFFERS_H
#define ISP_DIFFERS_H

#include "isp/wire.h"

/* What a state is made of, beside the program's memory: bits of `parts`. */
enum isp_state_part {
    ISP_PART_CALL,        /* the call that it waits in */
    ISP_PART_REGISTERS,   /* of the frame that has made it */
    ISP_PART_DEFINITIONS, /* objects of MPI that it has made */
    ISP_PART_OPERATIONS,  /* its operations and requests */
    ISP_PART_POLLS,       /* that it has polled before, here */
    ISP_PART_OUTSIDE,     /* descriptors, signals, the end of the heap */
    ISP_PART_MEMORY,      /* which memory there is, and what is in it */
    ISP_PARTS,
};

enum isp_place_kind {
    ISP_PLACE_UNKNOWN,
    ISP_PLACE_MODULE,   /* of these variables: `offset` of the module */
    ISP_PLACE_THREAD,   /* ... of this thread */
    ISP_PLACE_FRAME,    /* in a frame of the function that stands at `offset` of the module */
    ISP_PLACE_REGISTER, /* in the register `from_stack`, of the function that calls MPI, at `offset` */
    ISP_PLACE_START,    /* above the frames: arguments, environment */
    ISP_PLACE_KINDS,
};

struct isp_place {
    enum isp_place_kind kind;
    const char *module; /* not terminated */
    uint32_t module_length;
    uint64_t offset;
    int64_t from_end, from_pointer, from_stack; /* ISP_PLACE_FRAME */
};

enum { ISP_DIFFERS_WORDS = 4, ISP_DIFFERS_RUNS = 64, ISP_DIFFERS_STEPS = 4, ISP_DIFFERS_WAYS = 2 };

/* From a pointer to there: so far behind where it leads it is, or the next pointer. UNKNOWN: there is
 * none. */
struct isp_way {
    struct isp_place pointer;
    uint32_t n_steps;
    uint64_t steps[ISP_DIFFERS_STEPS];
};

/* Words next to each other. */
struct isp_difference {
    uint64_t address, n_words;
    struct isp_place place;
    struct isp_way ways[ISP_DIFFERS_WAYS]; /* by memory alone; by a register, if one leads there */
    uint64_t old[ISP_DIFFERS_WORDS], now[ISP_DIFFERS_WORDS]; /* the first of them */
};

static inline void isp_put_place(struct isp_buf *b, const struct isp_place *p)
{
    isp_put_u8(b, (uint8_t)p->kind);
    isp_put_u32(b, p->module_length);
    isp_put_bytes(b, p->module, p->module_length);
    isp_put_u64(b, p->offset);
    isp_put_u64(b, (uint64_t)p->from_end);
    isp_put_u64(b, (uint64_t)p->from_pointer);
    isp_put_u64(b, (uint64_t)p->from_stack);
}

static inline void isp_get_place(struct isp_reader *r, struct isp_place *p)
{
    uint8_t kind = isp_get_u8(r);
    p->kind = (enum isp_place_kind)kind;
    p->module = isp_get_str(r, &p->module_length);
    p->offset = isp_get_u64(r);
    p->from_end = (int64_t)isp_get_u64(r);
    p->from_pointer = (int64_t)isp_get_u64(r);
    p->from_stack = (int64_t)isp_get_u64(r);
    r->ok = r->ok && kind < ISP_PLACE_KINDS;
}

static inline void isp_put_way(struct isp_buf *b, const struct isp_way *w)
{
    isp_put_place(b, &w->pointer);
    isp_put_u32(b, w->n_steps);
    for (unsigned i = 0; i < w->n_steps; i++)
        isp_put_u64(b, w->steps[i]);
}

static inline void isp_get_way(struct isp_reader *r, struct isp_way *w)
{
    isp_get_place(r, &w->pointer);
    w->n_steps = isp_get_u32(r);
    r->ok = r->ok && w->n_steps <= ISP_DIFFERS_STEPS;
    for (unsigned i = 0; r->ok && i < w->n_steps; i++)
        w->steps[i] = isp_get_u64(r);
}

static inline void isp_put_difference(struct isp_buf *b, const struct isp_difference *d)
{
    isp_put_u64(b, d->address);
    isp_put_u64(b, d->n_words);
    isp_put_place(b, &d->place);
    for (unsigned i = 0; i < ISP_DIFFERS_WAYS; i++)
        isp_put_way(b, &d->ways[i]);
    for (unsigned i = 0; i < ISP_DIFFERS_WORDS; i++) {
        isp_put_u64(b, d->old[i]);
        isp_put_u64(b, d->now[i]);
    }
}

static inline void isp_get_difference(struct isp_reader *r, struct isp_difference *d)
{
    d->address = isp_get_u64(r);
    d->n_words = isp_get_u64(r);
    isp_get_place(r, &d->place);
    for (unsigned i = 0; i < ISP_DIFFERS_WAYS; i++)
        isp_get_way(r, &d->ways[i]);
    for (unsigned i = 0; i < ISP_DIFFERS_WORDS; i++) {
        d->old[i] = isp_get_u64(r);
        d->now[i] = isp_get_u64(r);
    }
}

#endif
