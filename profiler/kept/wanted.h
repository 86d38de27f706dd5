/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whose data a member of a collective gets, by its own counts: MPI_Barrier alone must synchronize (MPI-4.0,
 * sections 6.1 and 6.14), elsewhere a member needs to wait for those only that send it something. A piece is
 * empty if it has no items, or items of size zero.
 */
#ifndef PROF_WANTED_H
#define PROF_WANTED_H

#include "kept.h"

/* Fills in flow, sources, takes_nothing and with_slots. The arguments have been looked at. */
void prof_wanted_find(struct prof_kept *kept);

#endif
