/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of an accumulate has another type as the target. */
/* Twin: the result of an accumulate has the same type as the target. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory, numbers[2] = {0}, results[2];
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win);
#ifdef TWIN
    MPI_Get_accumulate(numbers, 2, MPI_INT, results, 2, MPI_INT, 1 - rank, 0, 2, MPI_INT, MPI_SUM, win);
#else
    MPI_Get_accumulate(numbers, 2, MPI_INT, results, 2, MPI_UNSIGNED, 1 - rank, 0, 2, MPI_INT, MPI_SUM, win); /* @type-mismatch */
#endif
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
