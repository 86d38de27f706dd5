/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives: blocking on a row with open ends, nonblocking on a directed ring, persistent on a torus. */
#include <mpi.h>
#include <stdlib.h>

static void on_row(int rank, int size)
{
    int periodic = 0, from[2] = {-1, -1};
    MPI_Comm row;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &row);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, from, 1, MPI_INT, row);
    if (from[0] != rank - 1 || from[1] != (rank == size - 1 ? -1 : rank + 1))
        exit(1);
    MPI_Comm_free(&row);
}

static void on_ring(int rank, int size)
{
    int last = (rank + size - 1) % size, next = (rank + 1) % size, to[2] = {rank, 100 + rank}, from[3] = {-1, -1, -1};
    MPI_Comm ring;
    MPI_Request r;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, (int[]){last, rank}, MPI_UNWEIGHTED, 2, (int[]){next, rank},
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    MPI_Ineighbor_alltoallv(to, (int[]){1, 1}, (int[]){0, 1}, MPI_INT, from, (int[]){1, 1}, (int[]){2, 0}, MPI_INT, ring, &r);
    MPI_Comm_free(&ring);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (from[2] != last || from[0] != 100 + rank || from[1] != -1)
        exit(2);
}

static void on_torus(int rank, int size)
{
    int periodic = 1, from[2] = {-1, -1};
    MPI_Comm torus;
    MPI_Request r;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &torus);
    MPI_Neighbor_alltoallw_init((int[]){rank, -rank}, (int[]){1, 1}, (MPI_Aint[]){0, sizeof(int)},
                                (MPI_Datatype[]){MPI_INT, MPI_INT}, from, (int[]){1, 1}, (MPI_Aint[]){sizeof(int), 0},
                                (MPI_Datatype[]){MPI_INT, MPI_INT}, torus, MPI_INFO_NULL, &r);
    MPI_Start(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
    if (from[1] != -((rank + size - 1) % size) || from[0] != (rank + 1) % size)
        exit(3);
    MPI_Comm_free(&torus);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    on_row(rank, size);
    on_ring(rank, size);
    on_torus(rank, size);
    MPI_Finalize();
    return 0;
}
