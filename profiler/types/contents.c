/* SPDX-License-Identifier: BSD-3-Clause */
/* See contents.h. */
#include "contents.h"

#include <string.h>
#include <stdlib.h>

#include "base/alloc.h"

bool prof_contents_get(struct prof_contents *c, MPI_Datatype handle)
{
    memset(c, 0, sizeof *c);
    if (PMPI_Type_get_envelope_c(handle, &c->n_ints, &c->n_aints, &c->n_counts, &c->n_types, &c->combiner) !=
        MPI_SUCCESS)
        return false;
    if (c->combiner == MPI_COMBINER_NAMED)
        return true;
    c->ints = prof_alloc((size_t)(c->n_ints + 1), sizeof *c->ints);
    c->aints = prof_alloc((size_t)(c->n_aints + 1), sizeof *c->aints);
    c->counts = prof_alloc((size_t)(c->n_counts + 1), sizeof *c->counts);
    c->types = prof_alloc((size_t)(c->n_types + 1), sizeof *c->types);
    if (PMPI_Type_get_contents_c(handle, c->n_ints, c->n_aints, c->n_counts, c->n_types, c->ints, c->aints,
                                 c->counts, c->types) == MPI_SUCCESS)
        return true;
    c->n_types = 0;
    return false;
}

/* Types that were made, and are not predefined, came with a reference of their own. */
void prof_contents_drop(struct prof_contents *c)
{
    for (MPI_Count i = 0; i < c->n_types; i++) {
        MPI_Count unused;
        int combiner = MPI_COMBINER_NAMED;
        PMPI_Type_get_envelope_c(c->types[i], &unused, &unused, &unused, &unused, &combiner);
        if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
            combiner != MPI_COMBINER_F90_INTEGER && combiner != MPI_COMBINER_F90_COMPLEX)
            PMPI_Type_free(&c->types[i]);
    }
    free(c->ints);
    free(c->aints);
    free(c->counts);
    free(c->types);
}
