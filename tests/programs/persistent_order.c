/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent collectives that are made in different orders. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
        MPI_Bcast_init(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    } else {
        MPI_Bcast_init(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
        MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    }
    MPI_Startall(2, r); /* @collective-mismatch */
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    MPI_Finalize();
    return 0;
}
