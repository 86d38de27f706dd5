/* SPDX-License-Identifier: BSD-3-Clause */
/* The arena (../arena/arena.h), if it is there. */
#ifndef PROF_ARENA_LINK_H
#define PROF_ARENA_LINK_H

#include <stdbool.h>
#include <stdint.h>

/* Before MPI is initialized: from now on it knows when MPI works. */
void prof_arena_begin(void);
/* Around MPI's initialization: what is mapped in between is MPI's. */
void prof_arena_mpi_begins(void);
void prof_arena_mpi_has_begun(void);
/* Why it is not known what belongs to MPI and what to the program; NULL: it is. */
const char *prof_arena_doubt(void);
/* What belongs to MPI and isp, by number from 0; some are empty. False: there are no more. */
bool prof_arena_part(unsigned i, uintptr_t *start, uintptr_t *end);
/* The address is in a module of MPI's or isp's. */
bool prof_arena_is_mpis(uintptr_t address);

#endif
