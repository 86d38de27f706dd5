/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 2 gets nothing of the result, so it need not wait for the others (MPI-4.0, 6.1, 6.10), and may use its buffer at once.
 * In the twin it gets one number. */
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
    int counts[3] = {1, 1, SOME}, out[3] = {1, 10, 100}, in = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Reduce_scatter(out, &in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        out[0] = out[1] = out[2] = 5;
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Reduce_scatter(out, &in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        out[0] = out[1] = out[2] = 5;
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    assert(in == (rank == 0 ? 3 : rank == 1 ? 30 : 300 * SOME));
    MPI_Finalize();
    return 0;
}
