/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Startall starts in some arbitrary order (MPI-4.0, 3.9), so of two messages with one tag either may be first. In the twin the tags
 * tell them apart. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 1, b = 2;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    const int other = 1;
#else
    const int other = 0;
#endif
    if (rank == 0) {
        MPI_Send_init(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Send_init(&b, 1, MPI_INT, 1, other, MPI_COMM_WORLD, &requests[1]);
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
    } else {
        MPI_Recv(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&b, 1, MPI_INT, 0, other, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a == 1 && b == 2); /* @assertion */
    }
    MPI_Finalize();
    return 0;
}
