/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The variable is used again while its request is active, but that was copied before, and is completed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in[4];
    MPI_Request r, all[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4; i++) {
        MPI_Irecv(&in[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &r);
        all[i] = r;
    }
    for (int i = 0; i < 4; i++) {
        MPI_Isend(&rank, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &r);
        all[4 + i] = r;
    }
    MPI_Waitall(8, all, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
