/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* In a communicator of two, one rank reduces while the other one gathers. */
/* Twin: in a communicator of two, both ranks reduce. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, me, x = 1, y[2] = {0};
    MPI_Comm pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &pair);
    MPI_Comm_rank(pair, &me);
    if (me == 0)
        MPI_Allreduce(&x, y, 1, MPI_INT, MPI_SUM, pair); /* @collective-mismatch? */
    else
#ifdef TWIN
        MPI_Allreduce(&x, y, 1, MPI_INT, MPI_SUM, pair);
#else
        MPI_Allgather(&x, 1, MPI_INT, y, 1, MPI_INT, pair); /* @collective-mismatch? */
#endif
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}
