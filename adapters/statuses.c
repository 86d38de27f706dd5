/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses, and arrays: see front.h. */
#include "front.h"

#include <stdio.h>
#include <string.h>

void put_status(MPI_Status *status, const struct status *mine)
{
    if (!status)
        return;
    struct status before = to_status(status);
    if (memcmp(&before, mine, sizeof before) == 0) /* then its other bytes stay, too, as with MPICH */
        return;
    int error = mine->error == to_code(status->MPI_ERROR) ? status->MPI_ERROR : from_code(mine->error);
    /* what the program has set, and a call left alone */
    int source = mine->source == to_rank(status->MPI_SOURCE) ? status->MPI_SOURCE : from_rank(mine->source);
    *status = from_status(mine);
    status->MPI_ERROR = error;
    status->MPI_SOURCE = source;
}

void *front_must(void *memory)
{
    if (!memory) {
        fputs("isp: out of memory\n", stderr);
        abort();
    }
    return memory;
}

struct status *status_room(const MPI_Status *statuses, int n)
{
    if (!statuses)
        return NULL;
    struct status *mine = front_must(calloc(n > 0 ? (size_t)n : 1, sizeof *mine));
    for (int i = 0; i < n; i++)
        mine[i] = to_status(&statuses[i]);
    return mine;
}

void put_statuses(MPI_Status *statuses, struct status *mine, int set)
{
    for (int i = 0; statuses && i < set; i++)
        put_status(&statuses[i], &mine[i]);
    free(mine);
}

int statuses_of_some(int code, int outcount)
{
    bool set = code == MPI_SUCCESS || from_code(code) == MPI_ERR_IN_STATUS;
    return set && outcount != MPI_UNDEFINED ? outcount : 0;
}

int *room(int n, bool wanted)
{
    return wanted ? front_must(calloc(n > 0 ? (size_t)n : 1, sizeof(int))) : NULL;
}

/* What is wrong with it is told of the program's own call. */
static bool is_none(MPI_Comm comm) { return !to_comm(comm) || to_comm(comm) == MPICH_MPI_COMM_NULL; }

static int ask(const char *name, MPI_Comm comm)
{
    int (*call)(int, int *) = NULL, n = 0;
    if (is_none(comm))
        return 0;
    find(&call, name);
    return call(to_comm(comm), &n) == MPI_SUCCESS ? n : 0;
}

static bool is_inter(MPI_Comm comm) { return ask("MPI_Comm_test_inter", comm); }

int to_all(MPI_Comm comm) { return ask(is_inter(comm) ? "MPI_Comm_remote_size" : "MPI_Comm_size", comm); }

static void neighbours(MPI_Comm comm, int *in, int *out)
{
    int (*topology)(int, int *) = NULL, (*degrees)(int, int *, int *, int *) = NULL, (*me)(int, int *) = NULL,
                             (*count)(int, int, int *) = NULL, kind = 0, weighted, my_rank;
    *in = *out = 0;
    if (is_none(comm))
        return;
    find(&topology, "MPI_Topo_test");
    topology(to_comm(comm), &kind);
    switch (from_topology(kind)) {
    case MPI_CART: *in = *out = 2 * ask("MPI_Cartdim_get", comm); break;
    case MPI_DIST_GRAPH:
        find(&degrees, "MPI_Dist_graph_neighbors_count");
        degrees(to_comm(comm), in, out, &weighted);
        break;
    case MPI_GRAPH:
        find(&me, "MPI_Comm_rank");
        find(&count, "MPI_Graph_neighbors_count");
        me(to_comm(comm), &my_rank);
        count(to_comm(comm), my_rank, in);
        *out = *in;
        break;
    default: break;
    }
}

int destinations(MPI_Comm comm)
{
    int in, out;
    neighbours(comm, &in, &out);
    return out;
}

int sources(MPI_Comm comm)
{
    int in, out;
    neighbours(comm, &in, &out);
    return in;
}
