/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Each rank gives one number more than the one before, and rank 1 yet one more. */
/* Twin: each rank gives one number more than the one before. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, mine[4] = {0}, all[6], counts[3] = {1, 2, 3}, at[3] = {0, 1, 3};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
#ifdef TWIN
        MPI_Gatherv(mine, 2, MPI_INT, NULL, NULL, NULL, MPI_INT, 0, MPI_COMM_WORLD);
#else
        MPI_Gatherv(mine, 3, MPI_INT, NULL, NULL, NULL, MPI_INT, 0, MPI_COMM_WORLD); /* @type-mismatch? */
#endif
    else
        MPI_Gatherv(mine, rank + 1, MPI_INT, all, counts, at, MPI_INT, 0, MPI_COMM_WORLD); /* @type-mismatch? */
    MPI_Finalize();
    return 0;
}
