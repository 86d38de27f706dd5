/* SPDX-License-Identifier: BSD-3-Clause */
/* Every blocking collective once. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a[3] = {1, 2, 3}, b[3] = {0}, counts[3] = {1, 1, 1}, displs[3] = {0, 1, 2};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(a, 3, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Scatter(a, 1, MPI_INT, b, 1, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Gather(b, 1, MPI_INT, a, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(a, counts, displs, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(b, 1, MPI_INT, a, counts, displs, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Allgather(&rank, 1, MPI_INT, a, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(&rank, 1, MPI_INT, a, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(a, counts, displs, MPI_INT, b, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce(a, b, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, a, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
