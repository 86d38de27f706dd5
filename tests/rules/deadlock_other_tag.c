/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Rank 0 sends another tag, on another communicator, than rank 1 waits for. */
/* Twin: rank 0 sends what rank 1 waits for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank == 0)
#ifdef TWIN
        MPI_Ssend(&x, 1, MPI_INT, 1, 7, other);
#else
        MPI_Ssend(&x, 1, MPI_INT, 1, 8, MPI_COMM_WORLD); /* @deadlock? */
#endif
    else
        MPI_Recv(&x, 1, MPI_INT, 0, 7, other, MPI_STATUS_IGNORE); /* @deadlock? */
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
