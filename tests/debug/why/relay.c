/* SPDX-License-Identifier: BSD-3-Clause */
/* Point to point, nonblocking and from anybody: rank 2 measures, rank 1 passes it on, rank 0 sees it. */
/* @ask 3: focus 0; why seen; why; why parts[0]; why */
#include <mpi.h>

static void measure(int i, int *value)
{
    *value = 10 * i;
    if (i == 2)
        *value = -1; /* @wrong 2 */
}

int main(int argc, char **argv)
{
    int rank, seen = 0, mine, parts[2] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        MPI_Request request;
        measure(2, &mine);
        MPI_Isend(&mine, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Request request;
        int sum;
        MPI_Recv(&parts[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        measure(1, &parts[1]);
        sum = parts[0] + parts[1];
        MPI_Isend(&sum, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Request request;
        int done = 0;
        MPI_Irecv(&seen, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return seen < 0;
}
