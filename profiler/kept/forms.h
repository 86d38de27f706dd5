/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the profiler knows of the arguments of a collective that has a nonblocking form. For each of them the
 * generator writes a struct with the arguments, a function that gives them to PMPI_Ix, and the description
 * below: so ordinary C functions can look at the arguments of any collective, and keep them until it can be
 * issued.
 */
#ifndef PROF_FORMS_H
#define PROF_FORMS_H

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isp/call.h"
#include "isp/functions.h"

/* Of a collective without a root. */
#define PROF_NO_ROOT INT_MIN

enum prof_form_kind { PROF_FORM_COUNT, PROF_FORM_DISPL, PROF_FORM_TYPE };
/* Which buffer an argument describes. */
enum prof_form_side { PROF_FORM_BOTH, PROF_FORM_SEND, PROF_FORM_RECV };

struct prof_form_argument {
    uint16_t place; /* offset in the struct */
    uint8_t kind, side;
    bool array;
    uint8_t bytes; /* of one value; 0 ends the list */
};

struct prof_form {
    enum isp_fn fn; /* the nonblocking function */
    enum isp_flow flow;
    bool neighbour;
    bool alike; /* every destination gets the same data */
    size_t size;
    int (*issue)(const void *arguments, MPI_Request *request);
    const struct prof_form_argument *arguments;
    int comm, root, op, sendbuf, recvbuf; /* offsets, or -1 */
};

static inline void *prof_form_at(const void *arguments, int place)
{
    return (char *)(uintptr_t)arguments + place;
}

static inline MPI_Comm *prof_form_comm(const struct prof_form *f, const void *arguments)
{
    return prof_form_at(arguments, f->comm);
}

/* As the program named it, or PROF_NO_ROOT. */
static inline int prof_form_root(const struct prof_form *f, const void *arguments)
{
    return f->root < 0 ? PROF_NO_ROOT : *(int *)prof_form_at(arguments, f->root);
}

static inline MPI_Op prof_form_op(const struct prof_form *f, const void *arguments)
{
    return f->op < 0 ? MPI_OP_NULL : *(MPI_Op *)prof_form_at(arguments, f->op);
}

static inline const void *prof_form_sendbuf(const struct prof_form *f, const void *arguments)
{
    return f->sendbuf < 0 ? NULL : *(const void **)prof_form_at(arguments, f->sendbuf);
}

static inline void *prof_form_recvbuf(const struct prof_form *f, const void *arguments)
{
    return f->recvbuf < 0 ? NULL : *(void **)prof_form_at(arguments, f->recvbuf);
}

/* The argument of this kind that describes the buffer, or NULL. */
static inline const struct prof_form_argument *prof_form_find(const struct prof_form *f, int kind, int side)
{
    const struct prof_form_argument *a = f->arguments;
    while (a->bytes && (a->kind != kind || (a->side != side && a->side != PROF_FORM_BOTH)))
        a++;
    return a->bytes ? a : NULL;
}

/* Its i-th value. */
static inline const void *prof_form_value(const struct prof_form_argument *a, const void *arguments, int i)
{
    const void *value = prof_form_at(arguments, a->place);
    return a->array ? *(const char *const *)value + (size_t)i * a->bytes : value;
}

static inline MPI_Count prof_form_number(const struct prof_form_argument *a, const void *arguments, int i)
{
    const void *value = prof_form_value(a, arguments, i);
    return a->bytes == sizeof(int) ? *(const int *)value : (MPI_Count) * (const int64_t *)value;
}

#endif
