/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Visits of places in the program's code, counted by the rank itself until it makes its next event, for who
 * debugs it: a thousand visits cost what one stop under gdb does. The rank stops at the place `target`: at
 * visit number `stop`, or (0) at the first one at which registers and memory are these.
 */
#ifndef ISP_VISITS_H
#define ISP_VISITS_H

#include "isp/wire.h"

enum {
    ISP_VISIT_REGISTERS = 7,
    ISP_VISIT_WORDS_MOST = 4096,
    ISP_VISIT_PLACES_MOST = 1024,
    ISP_VISIT_INSTRUCTION_MOST = 15,
};
#define ISP_VISIT_NONE UINT32_MAX

struct isp_visit_word {
    uint64_t address, value;
    uint8_t bytes; /* 1, 2, 4 or 8 */
};

struct isp_visit_place {
    uint64_t address;
    uint32_t line;  /* that begins there; 0: none, such a visit is not told */
    uint8_t length; /* of its instruction, which can be executed elsewhere; 0: it cannot */
};

struct isp_visits {
    uint64_t low, high; /* a visit counts if the stack pointer is from low on, and below high */
    uint32_t target;    /* index of a place; ISP_VISIT_NONE: none */
    uint64_t stop;
    uint8_t known;                           /* bit k: register k is */
    uint64_t registers[ISP_VISIT_REGISTERS]; /* sp, rbp, rbx, r12 to r15 */
    uint32_t n_words, n_places;
    const struct isp_visit_word *words;
    const struct isp_visit_place *places; /* by addresses */
};

enum isp_visited {
    ISP_VISITED_CANNOT, /* be counted */
    ISP_VISITED_STOPS,  /* it stands at the target, and jumps to where it is: ISP_VISIT_SPIN has taken the
                           place of the code */
    ISP_VISITED_ENDS,   /* it has come to its next event */
};

#define ISP_VISIT_SPIN "\xeb\xfe"
enum { ISP_VISIT_SPIN_BYTES = 2 };

static inline void isp_put_visits(struct isp_buf *b, const struct isp_visits *v)
{
    isp_put_u64(b, v->low);
    isp_put_u64(b, v->high);
    isp_put_u32(b, v->target);
    isp_put_u64(b, v->stop);
    isp_put_u8(b, v->known);
    for (int i = 0; i < ISP_VISIT_REGISTERS; i++)
        isp_put_u64(b, v->registers[i]);
    isp_put_u32(b, v->n_words);
    for (uint32_t i = 0; i < v->n_words; i++) {
        isp_put_u64(b, v->words[i].address);
        isp_put_u64(b, v->words[i].value);
        isp_put_u8(b, v->words[i].bytes);
    }
    isp_put_u32(b, v->n_places);
    for (uint32_t i = 0; i < v->n_places; i++) {
        isp_put_u64(b, v->places[i].address);
        isp_put_u32(b, v->places[i].line);
        isp_put_u8(b, v->places[i].length);
    }
}

/* Into `words` and `places`, which have room for the most. */
static inline void isp_get_visits(struct isp_reader *r, struct isp_visits *v, struct isp_visit_word *words,
                                  struct isp_visit_place *places)
{
    *v = (struct isp_visits){.words = words, .places = places};
    v->low = isp_get_u64(r);
    v->high = isp_get_u64(r);
    v->target = isp_get_u32(r);
    v->stop = isp_get_u64(r);
    v->known = isp_get_u8(r);
    for (int i = 0; i < ISP_VISIT_REGISTERS; i++)
        v->registers[i] = isp_get_u64(r);
    v->n_words = isp_get_u32(r);
    r->ok = r->ok && v->n_words <= ISP_VISIT_WORDS_MOST;
    for (uint32_t i = 0; r->ok && i < v->n_words; i++) {
        words[i].address = isp_get_u64(r);
        words[i].value = isp_get_u64(r);
        words[i].bytes = isp_get_u8(r);
    }
    v->n_places = isp_get_u32(r);
    r->ok = r->ok && v->n_places <= ISP_VISIT_PLACES_MOST;
    for (uint32_t i = 0; r->ok && i < v->n_places; i++) {
        places[i].address = isp_get_u64(r);
        places[i].line = isp_get_u32(r);
        places[i].length = isp_get_u8(r);
        r->ok = r->ok && places[i].length <= ISP_VISIT_INSTRUCTION_MOST;
    }
}

#endif
