/* SPDX-License-Identifier: BSD-3-Clause */
/* A residual that is too large: every rank returns 1 from main, after MPI_Finalize. */
/* Twin: a residual that is small enough: every rank returns 0 from main. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, worst;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize(); /* @exit-code */
#ifdef TWIN
    return worst > 1;
#else
    return worst > 0;
#endif
}
