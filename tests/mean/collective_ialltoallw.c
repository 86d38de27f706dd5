/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* What rank 2 gets of the others has a type of size zero, which is nothing (MPI-4.0, 6.12.6, 3.2.4): it need not wait. */
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
    int counts[3] = {1, 1, 1}, zero[3] = {0}, places[3] = {0, 4, 8}, out = 1, in[3] = {0};
    MPI_Datatype nothing, given[3], taken[3];
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(SOME, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    for (int i = 0; i < 3; i++) {
        given[i] = i == 2 && rank != 2 ? nothing : MPI_INT;
        taken[i] = rank == 2 && i != 2 ? nothing : MPI_INT;
    }
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Ialltoallw(&out, counts, zero, given, in, counts, places, taken, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Ialltoallw(&out, counts, zero, given, in, counts, places, taken, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Type_free(&nothing);
    MPI_Finalize();
    return 0;
}
