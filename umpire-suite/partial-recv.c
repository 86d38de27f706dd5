/* SPDX-License-Identifier: BSD-3-Clause */
/* Three receives are posted for two messages. */
/* Twin: the third receive has its message too, shorter than its room. */
#include <mpi.h>

int main(int argc, char **argv)
{
#ifdef TWIN
    int rank, x[2] = {0}, more[4];
#else
    int rank, x[3] = {0};
#endif
    MPI_Request r[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&x[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[1]);
#ifdef TWIN
        MPI_Irecv(more, 4, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[2]);
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    } else if (rank == 1) {
        MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#else
        MPI_Irecv(&x[2], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[2]);
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE); /* @deadlock */
    } else {
#endif
        MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
