/* SPDX-License-Identifier: BSD-3-Clause */
/* The broadcast of one side: the other names a root that is not it. */
/* Twin: a broadcast from one side to the other, whose members name the root by its rank there. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0, root;
    MPI_Comm side, inter;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int odd = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - odd, 3, &inter);
#ifdef TWIN
    root = odd ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
#else
    root = odd ? 1 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
#endif
    MPI_Bcast(&word, 1, MPI_INT, root, inter); /* @collective-root-mismatch */
    MPI_Comm_free(&inter);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
