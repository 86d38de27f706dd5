/* SPDX-License-Identifier: BSD-3-Clause */
/* More complete requests than isp tries all subsets of: each alone, and all, and it says so. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, v[11] = {0}, n, which[11];
    MPI_Request r[11];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 11; i++)
        if (rank == 0)
            MPI_Irecv(&v[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &r[i]);
        else
            MPI_Isend(&v[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &r[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Waitsome(11, r, &n, which, MPI_STATUSES_IGNORE);
    MPI_Waitall(11, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
