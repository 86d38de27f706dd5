/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* One of the requests of an array was never set. */
/* Twin: all requests of an array were set. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x;
#ifdef TWIN
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
#else
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, (MPI_Request)815};
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE); /* @invalid-request */
    MPI_Finalize();
    return 0;
}
