/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Of nothing: no member gets data of another, so none need wait (MPI-4.0, 6.1, 6.9.6). */
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
    int out = 1, in = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Allreduce(&out, &in, SOME, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Allreduce(&out, &in, SOME, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    assert(in == 3 * SOME);
    MPI_Finalize();
    return 0;
}
