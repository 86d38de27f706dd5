/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --timeout=3 */
/* Rank 0 waits for a variable that only the call behind the loop would change. */
/* Twin: rank 0 waits for a variable that is set already. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
#ifdef TWIN
    volatile int got = 1;
#else
    volatile int got = 0;
#endif
    MPI_Comm comm;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, comm, &request);
        MPI_Barrier(comm);
        while (!got) { } /* @hang */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(comm);
        MPI_Send(&x, 1, MPI_INT, 0, 0, comm);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
