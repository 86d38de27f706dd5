/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Two communicators of the same ranks: one rank goes through them in the other order. */
/* Twin: two communicators of the same ranks: all go through them in one order. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm a, b;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_dup(MPI_COMM_WORLD, &b);
#ifdef TWIN
    MPI_Barrier(a);
    MPI_Barrier(b);
#else
    MPI_Barrier(rank == 0 ? a : b); /* @deadlock */
    MPI_Barrier(rank == 0 ? b : a);
#endif
    MPI_Comm_free(&a);
    MPI_Comm_free(&b);
    MPI_Finalize();
    return 0;
}
