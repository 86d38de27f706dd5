/* SPDX-License-Identifier: BSD-3-Clause */
/* ring STEPS [BYTES [polls]]: in each step every rank sends to the next and receives from the one before;
 * three MPI calls per rank and step, or more if it polls. The messages have 4 bytes, or so many. */
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>

static void complete(MPI_Request *requests, bool polls)
{
    int flag = 0;
    while (polls && !flag)
        MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    if (!polls)
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 1000, bytes = argc > 2 ? atoi(argv[2]) : 4;
    char *in = calloc((size_t)bytes, 1), *out = calloc((size_t)bytes, 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps; step++) {
        MPI_Request requests[2];
        out[0] = (char)(in[0] + 1);
        MPI_Isend(out, bytes, MPI_CHAR, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(in, bytes, MPI_CHAR, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
        complete(requests, argc > 3);
    }
    MPI_Finalize();
    free(in);
    free(out);
    return 0;
}
