/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* One of the types of an exchange is MPI_DATATYPE_NULL. */
/* Twin: the type of what is not sent is a type all the same. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x[2] = {0}, y[2], counts[2] = {1, 1}, places[2] = {0, 4};
#ifdef TWIN
    MPI_Datatype types[2] = {MPI_INT, MPI_INT}, taken[2] = {MPI_INT, MPI_INT};
#else
    MPI_Datatype types[2] = {MPI_INT, MPI_DATATYPE_NULL}, taken[2] = {MPI_INT, MPI_INT};
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Alltoallw(x, counts, places, types, y, counts, places, taken, MPI_COMM_WORLD); /* @invalid-datatype */
    MPI_Finalize();
    return 0;
}
