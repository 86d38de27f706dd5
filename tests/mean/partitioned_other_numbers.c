/* SPDX-License-Identifier: BSD-3-Clause */
/* Four partitions are sent, two received (MPI-4.0, 4.2): the first of these is there when the first two of those are ready. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[12] = {0}, answer = 0, flag = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < 12; i++)
        data[i] = i;
    if (rank == 0) {
        MPI_Psend_init(data, 4, 3, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready(1, request);
#ifdef TWIN
        MPI_Pready(0, request);
#else
        MPI_Pready(2, request);
#endif
        MPI_Recv(&answer, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
        MPI_Pready(2, request);
#else
        MPI_Pready(0, request);
#endif
        MPI_Pready(3, request);
    } else {
        MPI_Precv_init(data, 2, 6, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        while (!flag)
            MPI_Parrived(request, 0, &flag); /* @livelock */
        assert(data[0] == 0 && data[5] == 5);
        MPI_Send(&answer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(data[11] == 11);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
