/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Both sides mean the same elements, and write them down in different ways. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[12] = {0}, y[12], counts[3] = {2, 4, 6}, at[3] = {0, 2, 6}, halves[3] = {1, 2, 3}, from[3] = {0, 1, 3};
    MPI_Datatype two;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(2, 1, 1, MPI_INT, &two);
    MPI_Type_commit(&two);
    MPI_Allgatherv(x, rank + 1, two, y, rank ? counts : halves, rank ? at : from, rank ? MPI_INT : two, MPI_COMM_WORLD);
    MPI_Reduce_scatter(x, y, counts, rank ? MPI_INT : MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Type_free(&two);
    MPI_Finalize();
    return 0;
}
