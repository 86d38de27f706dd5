/* SPDX-License-Identifier: BSD-3-Clause */
/* The receiver waits for partition 0, and answers; the sender needs the answer for partition 1 (MPI-4.0, 4.2.2: a partition arrives when
 * those that it is made of are ready). The wrong form waits for partition 1, which never is. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[4] = {0}, answer = 0, flag = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(data, 2, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        data[0] = data[1] = 3;
        MPI_Pready(0, request);
        MPI_Recv(&answer, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        data[2] = data[3] = answer;
        MPI_Pready(1, request);
    } else {
        MPI_Precv_init(data, 2, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        while (!flag)
#ifdef TWIN
            MPI_Parrived(request, 0, &flag);
#else
            MPI_Parrived(request, 1, &flag); /* @livelock */
#endif
        assert(data[0] == 3 && data[1] == 3);
        answer = data[0] + data[1];
        data[0] = 9; /* its own: it is not received again */
        MPI_Send(&answer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(data[3] == 6 && (rank == 0 || data[0] == 9));
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
