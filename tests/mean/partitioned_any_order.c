/* SPDX-License-Identifier: BSD-3-Clause */
/* isp --polls=2 */
/* Partition 1 may have arrived when partition 0 has not, whatever was marked first (MPI-4.0, 4.2). */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[2] = {0}, first = 0, second = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(data, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready(0, request);
        MPI_Pready(1, request);
    } else {
        MPI_Precv_init(data, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Parrived(request, 0, &first);
        MPI_Parrived(request, 1, &second);
#ifndef TWIN
        assert(first || !second); /* @assertion */
#endif
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
