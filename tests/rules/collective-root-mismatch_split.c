/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* A rank of the world is no rank of the half: rank 3 names its own number there, the others that of its first. */
/* Twin: a rank of the world is no rank of the half: the first of each half is its root. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, me, x = 1, sum = 0;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Comm_rank(half, &me);
#ifdef TWIN
    MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, half);
#else
    MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, rank == 3 ? me : 0, half); /* @collective-root-mismatch */
#endif
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
