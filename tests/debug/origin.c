/* SPDX-License-Identifier: BSD-3-Clause */
/* A wrong value that comes to rank 0 from rank 2 by way of rank 1, in a member of a structure, and a loop. */
#include <mpi.h>

struct cell {
    int kind;
    double value;
};

static double scale(int rank)
{
    double factor = 1.5;
    if (rank == 2)
        factor = -1; /* wrong */
    return factor;
}

static int count(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i; /* visited often */
    return sum;
}

int main(int argc, char **argv)
{
    struct cell cell = {1, 0};
    double got[3] = {0};
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        cell.value = scale(rank);
        MPI_Send(&cell.value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Request request;
        MPI_Irecv(got, 3, MPI_DOUBLE, 2, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        got[1] = got[0];
        MPI_Send(&got[1], 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&got[2], 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = count(300);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum < 0;
}
