/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The root of a gather expects -1 elements of a rank that sends none. */
/* Twin: the root of a gather expects no element of a rank that sends none. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
#ifdef TWIN
    int all[3] = {0}, counts[3] = {1, 1, 0}, places[3] = {0, 1, 2};
#else
    int all[3] = {0}, counts[3] = {1, 1, -1}, places[3] = {0, 1, 2};
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Gatherv(&rank, rank < 2, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD); /* @invalid-count */
    MPI_Finalize();
    return 0;
}
