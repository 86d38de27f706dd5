/* SPDX-License-Identifier: BSD-3-Clause */
/* The longer message may come first into the shorter receive (MPI-4.0, 3.9, 3.2.4). The twin's receives have room for both. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 1, b = 2;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in[2], large[2] = {3, 4};
    if (rank == 0) {
        MPI_Send_init(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Send_init(large, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
    } else {
#ifdef TWIN
        const int room = 2;
#else
        const int room = 1;
#endif
        MPI_Recv(in, room, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @truncation */
        assert(in[0] == 1 || in[0] == 3);
        MPI_Recv(in, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(b == 2);
    }
    MPI_Finalize();
    return 0;
}
