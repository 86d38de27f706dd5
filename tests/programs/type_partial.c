/* SPDX-License-Identifier: BSD-3-Clause */
/* The message is shorter than the receive allows, and not how the receive begins: two members swapped. */
/* Twin: messages that are shorter than the receive allows: three cells, and one and a half. */
#include <mpi.h>
#include <stddef.h>

struct cell {
    int index;
    double value;
};

int main(int argc, char **argv)
{
    int rank, lengths[] = {1, 1}, count;
    MPI_Aint places[] = {offsetof(struct cell, index), offsetof(struct cell, value)};
    MPI_Datatype members[] = {MPI_INT, MPI_DOUBLE}, cell;
    struct cell x[8] = {0};
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, places, members, &cell);
    MPI_Type_commit(&cell);
    if (rank == 0) {
#ifdef TWIN
        int halves[] = {1, 1, 1};
        MPI_Aint there[] = {0, 8, 16};
        MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE, MPI_INT}, some;
        MPI_Type_create_struct(3, halves, there, parts, &some);
        MPI_Type_commit(&some);
        MPI_Send(x, 3, cell, 1, 0, MPI_COMM_WORLD);
        MPI_Send(x, 1, some, 1, 0, MPI_COMM_WORLD);
        MPI_Type_free(&some);
#else
        MPI_Datatype swapped[] = {MPI_DOUBLE, MPI_INT}, other;
        MPI_Aint there[] = {offsetof(struct cell, value), offsetof(struct cell, index)};
        MPI_Type_create_struct(2, lengths, there, swapped, &other);
        MPI_Type_commit(&other);
        MPI_Send(x, 3, other, 1, 0, MPI_COMM_WORLD);
        MPI_Send(x, 3, cell, 1, 0, MPI_COMM_WORLD);
        MPI_Type_free(&other);
#endif
    } else {
        MPI_Recv(x, 8, cell, 0, 0, MPI_COMM_WORLD, &status); /* @type-mismatch */
        MPI_Get_elements(&status, cell, &count);
        MPI_Recv(x, 8, cell, 0, 0, MPI_COMM_WORLD, &status);
    }
    MPI_Type_free(&cell);
    MPI_Finalize();
    return 0;
}
