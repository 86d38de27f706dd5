/* SPDX-License-Identifier: BSD-3-Clause */
/* Interlaced structures by a resized type: the extent of one item reaches into the next. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, i;
    struct { int a, b; } x[4];
    MPI_Datatype a;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < 4; i++)
        x[i].a = x[i].b = i;
    MPI_Type_create_resized(MPI_INT, 0, sizeof x[0], &a);
    MPI_Type_commit(&a);
    if (rank == 0) {
        MPI_Send(&x[0].a, 4, a, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&x[0].b, 4, a, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&x[0].a, 4, a, 0, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&x[0].b, 4, a, 0, 1, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Type_free(&a);
    MPI_Finalize();
}
