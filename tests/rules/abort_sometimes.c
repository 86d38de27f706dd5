/* SPDX-License-Identifier: BSD-3-Clause */
/* What rank 2 gets from MPI_ANY_SOURCE comes from rank 1 in some run: it aborts, on a communicator of two. */
/* isp -n 3 */
/* Twin: rank 2 would abort if its first message came from rank 1; it asks for that of rank 0. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, from = -1;
    MPI_Comm pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1, 0, &pair);
    if (rank == 2) {
#ifdef TWIN
        MPI_Recv(&from, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
        if (from == 1)
            MPI_Abort(pair, 1); /* @abort */
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}
