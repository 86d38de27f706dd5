/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests, started three times; the second value is the wrong one, and goes on. */
/* @ask 3: focus 0; why kept[1]; why; why cell; why */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, cell = 0, kept[3] = {0};
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        MPI_Send_init(&cell, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    if (rank == 1)
        MPI_Recv_init(&cell, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 3 && rank > 0; i++) {
        if (rank == 2)
            cell = 7 - 9 * i; /* @wrong 2 */
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        kept[i] = cell;
        if (rank == 1)
            MPI_Send(&kept[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 3 && rank == 0; i++)
        MPI_Recv(&kept[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 0)
        MPI_Request_free(&request);
    MPI_Finalize();
    return kept[0] > 100;
}
