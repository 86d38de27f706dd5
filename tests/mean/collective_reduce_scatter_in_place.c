/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* As collective_reduce_scatter, in place and persistent: what rank 2 gave may be overwritten when its request is complete. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
#ifdef TWIN
    enum { SOME = 1 };
#else
    enum { SOME = 0 };
#endif
    int counts[3] = {1, 1, SOME}, data[3] = {1, 10, 100};
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce_scatter_init(MPI_IN_PLACE, data, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 2 && !SOME)
            data[0] = data[1] = data[2] = 5;
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 2 && !SOME)
            data[0] = data[1] = data[2] = 5;
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    assert(rank == 2 || data[0] == (rank == 0 ? 3 : 30));
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
