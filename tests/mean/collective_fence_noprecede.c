/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A fence that ends no epoch does not necessarily act as a barrier (MPI-4.0, 12.5.1 and 12.5.5: MPI_MODE_NOPRECEDE), so the message of
 * rank 2 may come first; accesses after it wait for their target all the same. The twin's fence may end an epoch. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
#ifdef TWIN
    enum { FIRST = 0 };
#else
    enum { FIRST = MPI_MODE_NOPRECEDE };
#endif
    int rank, value = 0, memory = 1, sent = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    memory = 2; /* before its fence: nobody accesses it yet */
    MPI_Win_fence(FIRST, win);
    if (rank == 2)
        MPI_Isend(&sent, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    value = 10 + rank;
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % 3, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    assert(memory == 10 + (rank + 2) % 3);
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
