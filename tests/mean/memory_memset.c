/* SPDX-License-Identifier: BSD-3-Clause */
/* A short memset of what lies before the buffer of a pending send: with AVX-512 its stores reach over the
 * buffer, with lanes masked off (MPI-4.0, section 3.7.2). The wrong form sets a byte of the buffer. */
#include <mpi.h>
#include <string.h>

static struct {
    char name[8];
    double value;
} data = {"abc", 0};

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&data.value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request); /* @send-buffer-modified? */
#ifdef TWIN
        memset(data.name, argc, (size_t)argc + 6);
#else
        memset(data.name, argc, (size_t)argc + 8); /* @send-buffer-modified? */
#endif
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        double value;
        MPI_Recv(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
