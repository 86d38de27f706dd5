/* SPDX-License-Identifier: BSD-3-Clause */
/* A macro makes two calls, in one line and column: the request of the first one is overwritten in the next
 * round, those of the second are kept, and not waited for. */
#include <mpi.h>
#include <stddef.h>

#define POST(i)                                                                                              \
    MPI_Irecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &one);                                     \
    MPI_Irecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[i])

int main(int argc, char **argv)
{
    MPI_Request one, all[3];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        POST(i); /* @missing-wait @request-reuse */
    }
    MPI_Finalize();
    return 0;
}
