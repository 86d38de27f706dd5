/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations with MPI_PROC_NULL use no buffer, and those without items neither. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 5;
    MPI_Request r[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Irecv(&x, 0, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(&x, 0, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[3]);
    x = 7;
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
}
