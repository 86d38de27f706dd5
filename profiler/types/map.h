/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The map of a call's record (isp/map.h): where the bytes lie that go into its messages, in their order. A
 * shape (shape.h) has its bytes in ascending order; here MPI itself says the order: a type is packed whose
 * bytes tell their own places.
 *
 * One call at a time: begin, add each piece, attach it to the record, which is to be sent next.
 */
#ifndef PROF_MAP_H
#define PROF_MAP_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "isp/call.h"

void prof_map_begin(void);
/* `count` items of a type at `at`, which are read or written; peer: a world rank or ISP_NO_RANK. */
void prof_map_add(bool written, int32_t peer, const void *at, MPI_Count count, MPI_Datatype type);
/* Nothing is told if there is a piece that nobody can tell: a type over more than 64 MB, or with too many
 * pieces. */
void prof_map_attach(struct isp_call *call);

#endif
