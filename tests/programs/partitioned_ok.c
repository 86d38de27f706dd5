/* SPDX-License-Identifier: BSD-3-Clause */
/* Partitioned messages match by initialization, whatever else has their tag; sender and receiver count partitions differently. */
#include <assert.h>
#include <mpi.h>

#define PARTS 4

int main(int argc, char **argv)
{
    int rank, x[PARTS] = {1, 2, 3, 4}, y[PARTS], z = 0, flag;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(x, PARTS, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
        for (int round = 0; round < 2; round++) {
            MPI_Start(&r);
            MPI_Pready(3, r);
            MPI_Send(&z, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* not for the partitioned receive */
            MPI_Pready_range(0, 2, r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Precv_init(y, 2, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
        for (int round = 0; round < 2; round++) {
            MPI_Start(&r);
            MPI_Recv(&z, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            do
                MPI_Parrived(r, 1, &flag);
            while (!flag);
            assert(y[3] == 4);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
    }
    MPI_Request_free(&r);
    MPI_Finalize();
    return 0;
}
