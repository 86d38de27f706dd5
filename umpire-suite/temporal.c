/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 sends after the barrier, so its message is nearly always the second; nothing says that it must be. */
/* Twin: the first receive names rank 1. */
#include <mpi.h>
#include <time.h>

static void sleep_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#ifdef TWIN
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
#else
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r);
#endif
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock */
    } else if (rank == 1) {
        MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        sleep_a_little();
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
