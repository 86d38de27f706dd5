/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Buffer_detach waits for the buffered message, whose receive comes after one that is sent after it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static char buffer[100 + MPI_BSEND_OVERHEAD];
    int rank, x = 0, size;
    void *detached;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Buffer_attach(buffer, sizeof buffer);
        MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Buffer_detach(&detached, &size); /* @unsafe-buffering */
        MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
