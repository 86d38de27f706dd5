/* SPDX-License-Identifier: BSD-3-Clause */
/* A matched message is received into the buffer of another receive. */
/* Twin: a matched message is received into a buffer of its own. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {1, 2};
    MPI_Message message;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&x[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&x[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Irecv(&x[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[0]);
#ifdef TWIN
        MPI_Imrecv(&x[1], 1, MPI_INT, &message, &r[1]);
#else
        MPI_Imrecv(&x[0], 1, MPI_INT, &message, &r[1]); /* @buffer-overlap */
#endif
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
}
