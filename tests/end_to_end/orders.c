/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs with too many interleavings, for orders.py, which says what multiplies them; by name: farm, polls,
 * pairs, mixed. */
#include <mpi.h>
#include <string.h>

static int rank, size, x;

static void take(int tag)
{
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* takes */
}

/* A result of each worker, in any order. */
static void gather(int tag)
{
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* gathers */
    if (rank)
        MPI_Send(&x, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

/* What a library may do. */
static void wait_for(MPI_Request *request)
{
    for (int done = 0; !done;)
        MPI_Test(request, &done, MPI_STATUS_IGNORE); /* polls */
}

static void pass_polled(int times)
{
    for (int i = 0; rank < 2 && i < times; i++) {
        MPI_Request request;
        if (rank == 0)
            MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        else
            MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        wait_for(&request);
    }
}

/* Two of ranks 1 and 2 in either order, and again. */
static void pairs(int times)
{
    for (int i = 0; rank < 3 && i < times; i++)
        if (rank) {
            MPI_Send(&x, 1, MPI_INT, 0, 10 + i, MPI_COMM_WORLD);
        } else {
            take(10 + i);
            take(10 + i);
        }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "farm";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(what, "farm") == 0) {
        gather(1);
    } else if (strcmp(what, "polls") == 0) {
        pass_polled(12);
        gather(1);
    } else if (strcmp(what, "pairs") == 0) { /* most choice points are pairs, most orders the gather's */
        gather(1);
        pairs(3);
    } else if (strcmp(what, "mixed") == 0) { /* ... and here the other way round */
        pairs(8);
        gather(1);
    }
    MPI_Finalize();
    return 0;
}
