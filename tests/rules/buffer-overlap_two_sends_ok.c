/* SPDX-License-Identifier: BSD-3-Clause */
/* Two sends may share a buffer (MPI-4.0, section 3.7.2), and a broadcast from it too. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 5;
    MPI_Request r[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &r[1]);
        MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[2]);
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    } else {
        int y[3];
        MPI_Irecv(&y[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&y[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[1]);
        MPI_Ibcast(&y[2], 1, MPI_INT, 0, MPI_COMM_WORLD, &r[2]);
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
}
