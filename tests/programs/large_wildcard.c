/* SPDX-License-Identifier: BSD-3-Clause */
/* A megabyte from anybody. */
#include <assert.h>
#include <mpi.h>
#include <string.h>

enum { SIZE = 1 << 20 };
static char data[SIZE];

int main(int argc, char **argv)
{
    int rank;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(data, sizeof data, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(data[SIZE - 1] == status.MPI_SOURCE);
        MPI_Recv(data, sizeof data, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        assert(data[SIZE - 1] == status.MPI_SOURCE);
    } else {
        memset(data, rank, sizeof data);
        MPI_Send(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
