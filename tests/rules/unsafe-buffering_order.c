/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Two messages, received in the other order than they are sent in. */
/* Twin: two messages, received in the order in which they are sent. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 1, comm); /* @unsafe-buffering */
        MPI_Send(&x, 1, MPI_INT, 1, 2, comm);
    } else {
#ifdef TWIN
        MPI_Recv(&x, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&x, 1, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
