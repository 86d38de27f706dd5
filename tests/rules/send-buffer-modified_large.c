/* SPDX-License-Identifier: BSD-3-Clause */
/* One of many bytes of a buffer that is being sent is changed, in another function. */
/* Twin: one of many bytes of a buffer that was sent is changed, in another function. */
#include <mpi.h>
#include <stdlib.h>

enum { N = 20000 };

static void change(double *data)
{
    data[N / 3] = -1; /* @send-buffer-modified */
}

int main(int argc, char **argv)
{
    int rank;
    double *data = calloc(N, sizeof *data);
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Issend(data, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        change(data);
#else
        change(data);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Recv(data, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(data);
    MPI_Finalize();
}
