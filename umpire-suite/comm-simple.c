/* SPDX-License-Identifier: BSD-3-Clause */
/* Message and receive on the same duplicate. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, 1, 0, dup, MPI_STATUS_IGNORE);
    } else {
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, dup);
    }
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
