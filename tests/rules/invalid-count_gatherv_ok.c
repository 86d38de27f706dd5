/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The root of a gather expects no element of a rank that sends none. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int all[3] = {0}, counts[3] = {1, 1, 0}, places[3] = {0, 1, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Gatherv(&rank, rank < 2, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
