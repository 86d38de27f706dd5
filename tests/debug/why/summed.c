/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum of which one rank's share is wrong; the greatest sum goes to all, and on from there. */
/* @ask 3: focus 2; why largest; why; why sum; why 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double mine, sum = 0, largest = 0, best = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = 1 + rank;
    if (rank == 1)
        mine = 1e6; /* @wrong 1 */
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    best = 2 * sum;
    MPI_Allreduce(&best, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return largest < 0;
}
