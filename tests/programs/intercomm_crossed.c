/* SPDX-License-Identifier: BSD-3-Clause */
/* Two groups of two ranks exchange over an intercommunicator. Those of the second send to their like in the
 * first, which wait for the other one of the two. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, own, x = 0;
    MPI_Comm half, both;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_rank(half, &own);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &both);
#ifdef TWIN
    int other = own;
#else
    int other = 1 - own;
#endif
    if (rank % 2)
        MPI_Ssend(&x, 1, MPI_INT, own, 2, both);
    else
        MPI_Recv(&x, 1, MPI_INT, other, 2, both, MPI_STATUS_IGNORE); /* @deadlock */
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
