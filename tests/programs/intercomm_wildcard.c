/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 0 and 2 send to rank 1, across an intercommunicator, whose ranks are counted on each side. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, got;
    MPI_Comm side, inter;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int odd = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - odd, 3, &inter);
    if (rank == 1) {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, inter, &status);
            assert(got == 2 * status.MPI_SOURCE);
#ifndef TWIN
            assert(got == 2 * i); /* @assertion */
#endif
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, inter);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
