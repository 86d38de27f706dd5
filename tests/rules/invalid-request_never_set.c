/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A wait for a request that no call has ever set. */
/* Twin: a request that no call has set is MPI_REQUEST_NULL. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
#ifdef TWIN
    MPI_Request request = MPI_REQUEST_NULL;
#else
    MPI_Request request = (MPI_Request)4711;
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* @invalid-request */
    MPI_Finalize();
    return 0;
}
