/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that a collective reads and writes on this rank, from its kept arguments (MPI-4.0, chapters 6
 * and 8). */
#ifndef PROF_BUFFERS_H
#define PROF_BUFFERS_H

#include "kept/kept.h"
#include "regions.h"

/* Both may be empty: arguments that mean nothing on this rank, MPI_IN_PLACE, counts of 0. With MPI_IN_PLACE
 * the receive buffer is the one that is written, but for this rank's own piece of a gathering. Finish
 * them. */
void prof_buffers_of(const struct prof_kept *kept, struct prof_region *read, struct prof_region *written);
/* The same piece by piece, as the map of its record (types/map.h): each with the member that it is for, or
 * comes from. */
void prof_buffers_tell(struct isp_call *call, const struct prof_kept *kept);

#endif
