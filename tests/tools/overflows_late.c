/* SPDX-License-Identifier: BSD-3-Clause */
/* When the program ends, what would call MPI_Finalize reads behind its array before that, on rank 0. */
#include <mpi.h>
#include <stdlib.h>

static int rank, *array;

static void finish(void)
{
    int end = array[rank == 0 ? 2 : 0]; /* @crash */
    MPI_Finalize();
    array[0] = end;
}

int main(int argc, char **argv)
{
    atexit(finish);
    array = calloc(2, sizeof *array);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return 0;
}
