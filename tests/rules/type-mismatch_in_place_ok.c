/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* In place: what a rank gives is what it would take. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, counts[3], at[3] = {0, 5, 10}, bytes[3] = {0, 20, 40}, x[15] = {0}, shares[3] = {1, 2, 3}, from[3] = {0, 1, 3};
    MPI_Datatype types[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        counts[i] = rank + i + 1;
        types[i] = rank + i == 2 ? MPI_FLOAT : MPI_INT;
    }
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, x, counts, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, x, counts, bytes, types, MPI_COMM_WORLD);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, shares, from, MPI_INT, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, shares, from, MPI_INT, 1, MPI_COMM_WORLD);
    else
        MPI_Gatherv(x, rank + 1, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Scatterv(x, shares, from, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
    else
        MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, x, rank + 1, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
