/* SPDX-License-Identifier: BSD-3-Clause */
/* Two receives are pending on rank 1, and share the third int. */
/* Twin: two receives are pending on rank 1, side by side. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[6] = {1, 2, 3, 4, 5, 6};
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(data, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(data, 3, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
#ifdef TWIN
        MPI_Irecv(data + 3, 3, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
#else
        MPI_Irecv(data + 2, 3, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]); /* @buffer-overlap */
#endif
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
}
