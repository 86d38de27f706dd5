/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A request that no call has set is MPI_REQUEST_NULL. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
