/* SPDX-License-Identifier: BSD-3-Clause */
/* Deterministic: two steps of a halo exchange with named sources and tags. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 1, halo[2];
    MPI_Request r[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    for (int step = 0; step < 2; step++) {
        MPI_Irecv(&halo[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&halo[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &r[1]);
        MPI_Isend(&x, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &r[2]);
        MPI_Isend(&x, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &r[3]);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
