/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Scatterv with gaps, work on each rank, MPI_Gatherv in another order, MPI_Allgather. */
/* @ask 3: focus 2; why all[1]; why; why got[3]; why; why */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, all[3] = {0}, own[2] = {0}, from[8] = {0}, got[8] = {0};
    int counts[] = {2, 2, 2}, apart[] = {0, 3, 6}, turned[] = {6, 2, 4};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 8 && rank == 0; i++)
        from[i] = 10 + i;
    if (rank == 0)
        from[4] = -5; /* @wrong 0 */
    MPI_Scatterv(from, counts, apart, MPI_INT, own, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(own, 2, MPI_INT, got, counts, turned, MPI_INT, 1, MPI_COMM_WORLD);
    int one = got[3] + rank;
    MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return all[0] > 0;
}
