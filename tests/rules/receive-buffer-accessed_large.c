/* SPDX-License-Identifier: BSD-3-Clause */
/* A large buffer that is still being received is searched, from its second third on. */
/* isp -n 2 --memory=watch */
/* Twin: a large buffer that is still being sent is searched, and one that was received. */
#include <mpi.h>
#include <stdlib.h>

enum { N = 30000 };

static int find(const int *data)
{
    for (int i = N / 3; i < N / 2; i++)
        if (data[i] != 0) /* @receive-buffer-accessed */
            return i;
    return 0;
}

int main(int argc, char **argv)
{
    int rank, where = 0, *data = calloc(N, sizeof *data);
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(data, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        where = data[N / 2];
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(data, N, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        where = find(data);
#else
        where = find(data);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Finalize();
    free(data);
    return where != 0;
}
