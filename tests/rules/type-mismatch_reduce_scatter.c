/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* All ranks reduce six numbers, but rank 1 scatters them in another way. */
/* Twin: all ranks reduce six numbers. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[6] = {0}, y[6], counts[3] = {1, 2, 3};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    if (0) {
#else
    if (rank == 1) {
#endif
        counts[0] = 2;
        counts[1] = 1;
    }
    MPI_Reduce_scatter(x, y, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* @type-mismatch */
    MPI_Finalize();
    return 0;
}
