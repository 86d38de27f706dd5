/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The type of what is not sent is a type all the same. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x[2] = {0}, y[2], counts[2] = {1, 1}, places[2] = {0, 4};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT}, taken[2] = {MPI_INT, MPI_INT};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Alltoallw(x, counts, places, types, y, counts, places, taken, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
