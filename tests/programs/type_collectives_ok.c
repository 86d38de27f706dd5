/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives whose members name the same signature differently, or say nothing where nothing counts. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int x[16] = {0}, y[64], counts[4] = {1, 2, 3, 4}, places[4] = {0, 1, 3, 6};
    MPI_Datatype four;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(2, 2, 3, MPI_INT, &four);
    MPI_Type_commit(&four);
    MPI_Bcast(x, rank % 2 ? 4 : 1, rank % 2 ? MPI_INT : four, 1, MPI_COMM_WORLD);
    MPI_Gather(rank == 3 ? MPI_IN_PLACE : x, 4, MPI_INT, y, rank == 3 ? 1 : 77, rank == 3 ? four : MPI_DOUBLE, 3, MPI_COMM_WORLD);
    MPI_Scatter(y, rank == 0 ? 2 : -1, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, x, 2, MPI_INT32_T, 0, MPI_COMM_WORLD);
    MPI_Allgather(x, 4, MPI_INT, y, rank == 2 ? 1 : 4, rank == 2 ? four : MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_BYTE, y, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Gatherv(x, counts[rank], MPI_INT, y, counts, places, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Allgatherv(x, counts[rank], MPI_INT, y, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Scatterv(y, counts, places, MPI_INT, x, counts[rank], MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Reduce_scatter(y, x, counts, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : x, y, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Scan(x, y, 3, rank ? MPI_INT : MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Type_free(&four);
    MPI_Finalize();
    return 0;
}
