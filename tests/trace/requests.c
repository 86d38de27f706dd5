/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for so many requests at once that their numbers do not fit on a page of the database; 3 ranks, 2
 * interleavings. */
#include <mpi.h>
#include <stddef.h>

enum { EACH = 2000 };

int main(int argc, char **argv)
{
    static MPI_Request requests[2 * EACH];
    int rank, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < EACH; i++)
        for (int other = 1; other < 3; other++)
            if (rank == 0)
                MPI_Irecv(NULL, 0, MPI_BYTE, other, 1, MPI_COMM_WORLD, &requests[n++]);
            else if (rank == other)
                MPI_Isend(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &requests[n++]);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
