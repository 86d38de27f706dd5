/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A neighborhood collective on a communicator that has no neighborhoods. */
/* Twin: a neighborhood collective on a ring. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int got[2], ring = 1;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &ring, 0, &comm);
#ifdef TWIN
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, comm);
#else
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD); /* @invalid-communicator */
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
