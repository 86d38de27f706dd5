/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Each rank thinks that it is the root itself. */
/* Twin: all ranks name the same root. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
#else
    MPI_Bcast(&x, 1, MPI_INT, rank, MPI_COMM_WORLD); /* @collective-root-mismatch */
#endif
    MPI_Finalize();
    return 0;
}
