/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* incomplete: sends of different tags to a rank that takes any (MPI_Startall in main at */
/* MPI_Startall starts in some arbitrary order (MPI-4.0, 3.9), so a receive with any tag may get the message
 * of tag 1 first, and the assertion fails. isp has the order of the array only, and says so. In the twin each
 * receive names its tag. */
#include <assert.h>
#include <mpi.h>

#ifdef TWIN
enum { FIRST = 0, SECOND = 1 };
#else
enum { FIRST = MPI_ANY_TAG, SECOND = MPI_ANY_TAG };
#endif

int main(int argc, char **argv)
{
    int rank, a = 1, b = 2;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send_init(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Send_init(&b, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
    } else {
        MPI_Recv(&a, 1, MPI_INT, 0, FIRST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&b, 1, MPI_INT, 0, SECOND, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a == 1 && b == 2);
    }
    MPI_Finalize();
    return 0;
}
