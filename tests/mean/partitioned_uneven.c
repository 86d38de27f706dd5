/* SPDX-License-Identifier: BSD-3-Clause */
/* Five partitions are sent and one received, of a derived type: it arrives as a whole, with the right data. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, flag = 0, out[5] = {1, 2, 3, 4, 5}, in[10] = {0};
    MPI_Datatype spaced;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(5, 1, 2, MPI_INT, &spaced);
    MPI_Type_commit(&spaced);
    if (rank == 0) {
        MPI_Psend_init(out, 5, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
#ifdef TWIN
        MPI_Pready_range(0, 4, request);
#else
        MPI_Pready_range(0, 3, request); /* the last one is never ready (MPI-4.0, 4.2.1) */
#endif
    } else {
        MPI_Precv_init(in, 1, 1, spaced, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        while (!flag)
            MPI_Parrived(request, 0, &flag); /* @livelock */
        assert(in[0] == 1 && in[8] == 5);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Type_free(&spaced);
    MPI_Finalize();
    return 0;
}
