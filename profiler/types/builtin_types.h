/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH's handles of builtin datatypes: the second byte is the size, the lowest one the number
 * (signatures.c). */
#ifndef PROF_BUILTIN_TYPES_H
#define PROF_BUILTIN_TYPES_H

#include <mpi.h>
#include <stdbool.h>

static inline bool prof_type_is_builtin(MPI_Datatype type)
{
    return ((unsigned)type & 0xff000000u) == 0x4c000000u;
}

/* In bytes. */
static inline int prof_type_builtin_size(MPI_Datatype type) { return (int)((unsigned)type >> 8 & 0xff); }

#endif
