/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhoods: see neighbours.h. */
#include "neighbours.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/errors_quiet.h"

static int topology(MPI_Comm comm)
{
    int kind = MPI_UNDEFINED;
    prof_errors_quiet(true);
    PMPI_Topo_test(comm, &kind);
    prof_errors_quiet(false);
    return kind;
}

bool prof_neighbours_count(MPI_Comm comm, int *in, int *out)
{
    int rank, dimensions, weighted;
    *in = 0;
    switch (topology(comm)) {
    case MPI_CART:
        PMPI_Cartdim_get(comm, &dimensions);
        *in = 2 * dimensions;
        break;
    case MPI_GRAPH:
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, in);
        break;
    case MPI_DIST_GRAPH: PMPI_Dist_graph_neighbors_count(comm, in, out, &weighted); return true;
    default: return false;
    }
    *out = *in;
    return true;
}

void prof_neighbours_get(MPI_Comm comm, int in, int sources[], int out, int destinations[])
{
    int rank, kind = topology(comm);
    if (kind == MPI_DIST_GRAPH) {
        int *weights = prof_alloc((size_t)in + (size_t)out, sizeof *weights);
        PMPI_Dist_graph_neighbors(comm, in, sources, weights, out, destinations, weights + in);
        free(weights);
        return;
    }
    if (kind == MPI_GRAPH) {
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors(comm, rank, in, sources);
    } else {
        for (int i = 0; i < in / 2; i++)
            PMPI_Cart_shift(comm, i, 1, &sources[2 * i], &sources[2 * i + 1]);
    }
    memcpy(destinations, sources, (size_t)in * sizeof *sources);
}

bool prof_neighbours_are_a_grid(MPI_Comm comm) { return topology(comm) == MPI_CART; }

uint32_t *prof_neighbours_sources(const struct prof_comm *c, uint32_t *n)
{
    int in, out;
    if (!prof_neighbours_count(c->handle, &in, &out))
        return NULL;
    int *ranks = prof_alloc((size_t)in + (size_t)out, sizeof *ranks);
    uint32_t *world = prof_alloc((size_t)in, sizeof *world);
    prof_neighbours_get(c->handle, in, ranks, out, ranks + in);
    *n = (uint32_t)in;
    for (int i = 0; i < in; i++)
        world[i] = ranks[i] == MPI_PROC_NULL ? (uint32_t)ISP_NO_RANK : (uint32_t)prof_comm_world(c, ranks[i]);
    free(ranks);
    return world;
}
