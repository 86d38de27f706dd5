/* SPDX-License-Identifier: BSD-3-Clause */
/* What a datatype was made of: MPI_Type_get_contents (MPI-4.0, section 5.1.13), whichever size its numbers
 * have. */
#ifndef PROF_CONTENTS_H
#define PROF_CONTENTS_H

#include <mpi.h>
#include <stdbool.h>

/* A type that was made by a large-count function has its numbers in `counts`. */
struct prof_contents {
    int combiner;
    MPI_Count n_ints, n_aints, n_counts, n_types;
    int *ints;
    MPI_Aint *aints;
    MPI_Count *counts;
    MPI_Datatype *types;
};

/* A predefined type has a combiner only. False: there is nothing to be had. */
bool prof_contents_get(struct prof_contents *c, MPI_Datatype handle);
/* After prof_contents_get, whatever it said. */
void prof_contents_drop(struct prof_contents *c);

#endif
