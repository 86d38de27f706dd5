/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * Which of the complete operations MPI_Waitany takes is MPI's to decide (MPI-4.0, 3.7.5). The receive from
 * rank 2 may be the only one, or the communicator. The twin waits for one request only.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, values[2], index = 0;
    MPI_Request requests[3];
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &requests[2]);
    if (rank == 0) {
        MPI_Irecv(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]);
#ifdef TWIN
        MPI_Waitany(1, requests, &index, MPI_STATUS_IGNORE);
#else
        MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
#endif
        assert(index != 1); /* @assertion */
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
/* twin 1 */
