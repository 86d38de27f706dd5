/* SPDX-License-Identifier: BSD-3-Clause */
/* buffers STEPS BUFFERS BYTES: in each step two ranks exchange so many messages of so many bytes; all are
 * pending at once. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, steps = argc > 1 ? atoi(argv[1]) : 1000, buffers = argc > 2 ? atoi(argv[2]) : 1,
              bytes = argc > 3 ? atoi(argv[3]) : 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *in = calloc((size_t)buffers, (size_t)bytes), *out = calloc((size_t)buffers, (size_t)bytes);
    MPI_Request *requests = calloc(2 * (size_t)buffers, sizeof *requests);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < buffers; i++) {
            MPI_Irecv(in + (size_t)i * (size_t)bytes, bytes, MPI_CHAR, 1 - rank, i, MPI_COMM_WORLD,
                      &requests[2 * i]);
            MPI_Isend(out + (size_t)i * (size_t)bytes, bytes, MPI_CHAR, 1 - rank, i, MPI_COMM_WORLD,
                      &requests[2 * i + 1]);
        }
        MPI_Waitall(2 * buffers, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    free(in);
    free(out);
    free(requests);
    return 0;
}
