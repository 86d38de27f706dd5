/* SPDX-License-Identifier: BSD-3-Clause */
/* Three rounds of one request: a partition that has arrived is that of its own round. Reading another one before it has arrived is an
 * error (MPI-4.0, 4.2.2). */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[3], flag;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Psend_init(data, 3, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(data, 3, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 1; round <= 3; round++) {
        data[0] = data[1] = data[2] = -round;
        MPI_Start(&request);
        for (int i = 2; rank == 0 && i >= 0; i--) {
            data[i] = 10 * round + i;
            MPI_Pready(i, request);
        }
        if (rank == 1) {
            for (flag = 0; !flag;)
                MPI_Parrived(request, 2, &flag);
            assert(data[2] == 10 * round + 2);
#ifndef TWIN
            assert(data[1] == 10 * round + 1); /* @receive-buffer-accessed */
#endif
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        assert(data[0] == 10 * round && data[1] == 10 * round + 1);
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
