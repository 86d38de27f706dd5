/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of the smaller half are counted, and there is none: a division by zero on rank 0. */
/* Twin: the ranks of each part are counted; there is always one. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, mine, half = 0;
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &part);
#ifdef TWIN
    mine = 1;
#else
    mine = rank > 0;
#endif
    MPI_Allreduce(&mine, &half, 1, MPI_INT, MPI_SUM, part);
    mine = 100 / half; /* @crash */
    MPI_Comm_free(&part);
    MPI_Finalize();
    return mine < 0;
}
