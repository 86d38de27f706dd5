/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses in the datatypes and MPI_BOTTOM: two members of a structure, received at once. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    struct { int a; double b; int c; } x = {1, 2, 3};
    int one = 1;
    MPI_Aint at[2];
    MPI_Datatype type[2];
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_address(&x.a, &at[0]);
    MPI_Get_address(&x.c, &at[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Type_create_hindexed(1, &one, &at[i], MPI_INT, &type[i]);
        MPI_Type_commit(&type[i]);
        if (rank == 0)
            MPI_Isend(MPI_BOTTOM, 1, type[i], 1, i, MPI_COMM_WORLD, &r[i]);
        else
            MPI_Irecv(MPI_BOTTOM, 1, type[i], 0, i, MPI_COMM_WORLD, &r[i]);
        MPI_Type_free(&type[i]);
    }
    x.b = 4;
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
}
