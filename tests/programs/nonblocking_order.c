/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking collectives too must be called in the same order by all. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 1, b = 2, sum;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Ibcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[0]); /* @collective-mismatch */
        MPI_Iallreduce(&b, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[1]);
    } else {
        MPI_Iallreduce(&b, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[1]);
        MPI_Ibcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[0]);
    }
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
