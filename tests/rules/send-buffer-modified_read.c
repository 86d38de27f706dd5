/* SPDX-License-Identifier: BSD-3-Clause */
/* A system call writes into a buffer that is being sent: no instruction does, so the finding is at the send. */
/* Twin: a system call writes into a buffer that was sent. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, ends[2] = {-1, -1};
    char text[200] = "nothing";
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && pipe(ends) == 0 && write(ends[1], "word", 4) == 4) {
        MPI_Isend(text, 200, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request); /* @send-buffer-modified */
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
        if (read(ends[0], text + 20, 4) != 4)
            MPI_Abort(MPI_COMM_WORLD, 1);
#ifndef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Recv(text, 200, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
