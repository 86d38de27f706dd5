/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of two receives is posted first is MPI_Startall's to say (MPI-4.0, 3.9). In the twin each is started by itself. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 1, b = 2;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv_init(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Recv_init(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[1]);
#ifdef TWIN
        MPI_Start(&requests[0]);
        MPI_Start(&requests[1]);
#else
        MPI_Startall(2, requests);
#endif
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        assert(a == 1 && b == 2); /* @assertion */
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
    }
    MPI_Finalize();
    return 0;
}
