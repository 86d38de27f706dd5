/* SPDX-License-Identifier: BSD-3-Clause */
/* Mprobe takes a message that nobody receives. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Message message;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Mprobe(1, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* @leak-message */
    } else {
        MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
        MPI_Request_free(&r);
    }
    MPI_Finalize();
    return 0;
}
