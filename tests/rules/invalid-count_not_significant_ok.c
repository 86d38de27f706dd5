/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* What only the root looks at may be anything on other ranks; nothing is looked at where MPI_IN_PLACE stands for it. */
#include <stddef.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int all[3] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        MPI_Gather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    } else {
        MPI_Gather(&rank, 1, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
        MPI_Scatter(NULL, -1, MPI_DATATYPE_NULL, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Gatherv(&rank, 1, MPI_INT, all, rank ? (int *)0 : (int[]){1, 1, 1}, rank ? (int *)0 : (int[]){0, 1, 2}, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce(rank ? &all[0] : MPI_IN_PLACE, rank ? NULL : &all[0], 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
