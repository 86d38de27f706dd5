/* SPDX-License-Identifier: BSD-3-Clause */
/* The root does not wait for its broadcast. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 1;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &r); /* @missing-wait */
    if (rank != 0)
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
