/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each wrapper tells of its call (include/functions/generate.py): the arguments, which belong to the
 * state while the call waits for the scheduler, since nobody else may have them; and, of a function that is
 * not plain (the mark of its row), what goes into the history of definitions (tables/definitions.h): the
 * place, what goes in, before the call, and what comes out, behind it.
 */
#ifndef PROF_STATE_DEFINITIONS_H
#define PROF_STATE_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isp/functions.h"
#include "tables/definitions.h"

enum prof_told_how {
    PROF_TOLD_VALUE,
    PROF_TOLD_STRING,
    PROF_TOLD_IN_ARRAY,
    PROF_TOLD_INOUT, /* a variable, before the call and behind it */
    PROF_TOLD_OUT,   /* ... behind it */
    PROF_TOLD_OUT_ARRAY,
};

/* Lengths that are no argument. */
enum prof_told_length {
    PROF_TOLD_EDGES = -1,   /* the last entry of the graph's index */
    PROF_TOLD_DEGREES = -2, /* the sum of the degrees */
    PROF_TOLD_DIMS = -3,    /* of the Cartesian topology */
};

struct prof_told_argument {
    uint8_t how;    /* enum prof_told_how */
    int8_t at, of;  /* which argument; which one is its length, or enum prof_told_length */
    uint16_t bytes; /* of the variable, or of an element */
};

struct prof_telling {
    enum isp_fn fn;
    uint8_t n_values;
    bool plain;
    bool unknown; /* what it defines cannot be told by its arguments */
    uint8_t n;
    const struct prof_told_argument *each;
};

struct prof_told {
    const struct prof_telling *how;
    const int64_t *values;
    const void *site;
    const struct prof_told *outer;
    uint64_t records; /* of this rank, when it was called */
};

/* The innermost call that the thread is in; NULL: none that is known. */
extern __thread const struct prof_told *prof_told_current __attribute__((tls_model("initial-exec")));

void prof_told_begin(struct prof_told *told, const void *site);
void prof_told_end(struct prof_told *told);

static inline void prof_told_leave(struct prof_told *told)
{
    if (__builtin_expect(told->how != NULL, 0))
        prof_told_end(told);
}

/* Memory that MPI_Alloc_mem has given the program: its content belongs to the state. */
void prof_told_each_memory(void (*see)(const void *start, size_t size, void *context), void *context);

/* At the beginning of a wrapper. */
#define PROF_TELL(telling, values_)                                  \
    struct prof_told told __attribute__((cleanup(prof_told_leave))); \
    told.how = NULL;                                                 \
    if (__builtin_expect(prof_definitions.kept, 0)) {                \
        told.how = (telling);                                        \
        told.values = (values_);                                     \
        prof_told_begin(&told, __builtin_return_address(0));         \
    }

#endif
