/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Where nothing is given, its type does not matter. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, counts[3] = {0, 1, 0}, mine[3] = {1, 2, 3}, all[3], at[3] = {0, 0, 0}, bytes[3] = {0, 0, 0};
    MPI_Datatype outs[3] = {MPI_DOUBLE, MPI_INT, MPI_CHAR}, ins[3] = {MPI_FLOAT, MPI_INT, MPI_SHORT};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gatherv(mine, rank == 1, rank == 1 ? MPI_INT : MPI_DOUBLE, all, counts, at, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(all, counts, at, MPI_INT, mine, rank == 1, rank == 1 ? MPI_INT : MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(mine, rank == 1, rank == 1 ? MPI_INT : MPI_LONG, all, counts, at, MPI_INT, MPI_COMM_WORLD);
    counts[1] = rank == 1;
    MPI_Alltoallw(mine, counts, bytes, outs, all, counts, bytes, ins, MPI_COMM_WORLD);
    MPI_Bcast(all, 0, rank ? MPI_INT : MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
