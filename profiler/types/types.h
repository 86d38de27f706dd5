/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datatypes that calls name: size, and how many operations still need them. A derived type that the
 * program frees while an operation on it is pending lives on inside MPI until that is done.
 */
#ifndef PROF_TYPES_H
#define PROF_TYPES_H

#include <mpi.h>
#include <stdbool.h>

#include "isp/call.h"

#include "shape.h"
#include "signatures.h"

struct isp_map_row;

struct prof_type {
    MPI_Datatype handle;
    MPI_Count size;
    unsigned pending; /* operations and persistent requests that use it */
    bool freed;       /* by the program; PMPI_Type_free comes when nothing is pending */
    bool taken_apart; /* its signature is known */
    struct prof_signature signature;
    bool shaped; /* its shape and extent are known, or cannot be had */
    const struct prof_shape *shape;
    MPI_Count extent;
    bool rows_looked_for; /* map.h; NULL: they cannot be told */
    struct isp_map_row *rows;
    uint32_t n_rows;
};

/* Size of a committed type; *entry is NULL if it is a plain builtin one. False: it is null, uncommitted,
 * freed or nonsense. */
bool prof_type_find(MPI_Datatype handle, MPI_Count *size, struct prof_type **entry);
/* Fills in the signature (type and count) of a record over `count` items; entry: what prof_type_find gave. */
void prof_type_sign(struct isp_call *call, MPI_Datatype handle, struct prof_type *entry, MPI_Count count);
/* The basic type of all elements, if it has one, and prof_type_sign has looked at it; else ISP_BASIC_NONE. */
uint32_t prof_type_basic(MPI_Datatype handle);
/* Of one item; NULL: it cannot be had. The entry keeps the hold. */
const struct prof_shape *prof_type_shape(struct prof_type *entry);
/* The program has freed this type: MPI must not be asked to communicate with it. */
bool prof_type_is_freed(MPI_Datatype handle);
/* The program frees it: inside MPI now, or when nothing is pending. Returns MPI's code. */
int prof_type_free(MPI_Datatype *datatype);
/* NULL (a builtin type) is allowed. */
void prof_type_hold(struct prof_type *entry);
void prof_type_release(struct prof_type *entry);
/* Frees inside MPI what the program has freed, pending or not. */
void prof_types_finish(void);

#endif
