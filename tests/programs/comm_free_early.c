/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 frees the communicator before it sends what rank 1 waits for: that works only if MPI_Comm_free,
 * which is collective, does not synchronize (MPI-4.0, section 7.4.3). With an argument: MPI_Comm_disconnect. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0) {
        (argc > 1 ? MPI_Comm_disconnect : MPI_Comm_free)(&comm); /* @unsafe-buffering */
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        (argc > 1 ? MPI_Comm_disconnect : MPI_Comm_free)(&comm);
    }
    MPI_Finalize();
    return 0;
}
