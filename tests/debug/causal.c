/* SPDX-License-Identifier: BSD-3-Clause */
/* Three ranks and four messages: the picture is in papers.py. */
#include <mpi.h>

static const MPI_Comm world = MPI_COMM_WORLD;

static void first(void)
{
    int a = 1, b = 2, c = 3;
    MPI_Send(&a, 1, MPI_INT, 1, 0, world);
    MPI_Send(&b, 1, MPI_INT, 2, 0, world);
    MPI_Send(&c, 1, MPI_INT, 1, 0, world);
}

static void second(void)
{
    int a = 0, c = 0, d;
    MPI_Recv(&a, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
    d = a + 10;
    MPI_Send(&d, 1, MPI_INT, 2, 0, world);
    MPI_Recv(&c, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
}

static void third(void)
{
    int b = 0, d = 0;
    MPI_Request request;
    MPI_Irecv(&b, 1, MPI_INT, 0, 0, world, &request);
    MPI_Recv(&d, 1, MPI_INT, 1, 0, world, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    (rank == 0 ? first : rank == 1 ? second : third)();
    MPI_Finalize();
    return 0;
}
