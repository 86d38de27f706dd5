/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Two receives are pending: which one ends first may change. */
/* Twin: two receives are pending: which one is waited for first is given. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {0}, first = 0;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&x[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
#ifdef TWIN
        MPI_Wait(&requests[first], MPI_STATUS_IGNORE);
#else
        MPI_Waitany(2, requests, &first, MPI_STATUS_IGNORE); /* @wildcard */
#endif
        MPI_Wait(&requests[1 - first], MPI_STATUS_IGNORE);
    } else {
        MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
