/* SPDX-License-Identifier: BSD-3-Clause */
/* Twelve doubles by every constructor, received as twelve doubles; and the pair type of MPI_MAXLOC as the structure that it is. */
#include <assert.h>
#include <mpi.h>

enum { KINDS = 10 };

static MPI_Datatype make(int kind)
{
    int sizes[] = {6, 6}, some[] = {3, 4}, from[] = {2, 1}, lengths[] = {5, 0, 7}, places[] = {9, 1, 20};
    int how[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}, by[] = {1, MPI_DISTRIBUTE_DFLT_DARG}, grid[] = {3, 1};
    MPI_Aint far[] = {72, 8, 160};
    MPI_Datatype type, old, members[] = {MPI_DOUBLE, MPI_INT, MPI_DOUBLE};
    switch (kind) {
    case 0: MPI_Type_contiguous(12, MPI_DOUBLE, &type); break;
    case 1: MPI_Type_vector(3, 4, 6, MPI_DOUBLE, &type); break;
    case 2: MPI_Type_create_hvector(4, 3, 40, MPI_DOUBLE, &type); break;
    case 3: MPI_Type_indexed(3, lengths, places, MPI_DOUBLE, &type); break;
    case 4: MPI_Type_create_hindexed(3, lengths, far, MPI_DOUBLE, &type); break;
    case 5: MPI_Type_create_struct(3, lengths, far, members, &type); break; /* of the int there is none */
    case 6: MPI_Type_create_subarray(2, sizes, some, from, MPI_ORDER_C, MPI_DOUBLE, &type); break;
    case 7: MPI_Type_create_darray(3, 1, 2, sizes, how, by, grid, MPI_ORDER_FORTRAN, MPI_DOUBLE, &type); break;
    case 8: MPI_Type_create_f90_real(15, MPI_UNDEFINED, &old), MPI_Type_create_indexed_block(2, 6, places, old, &type); break;
    default: MPI_Type_contiguous(12, MPI_DOUBLE, &old), MPI_Type_create_resized(old, -8, 256, &type), MPI_Type_free(&old);
    }
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    struct { double value; int place; } best = {1.5, 7};
    int rank, lengths[] = {1, 1};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype members[] = {MPI_DOUBLE, MPI_INT}, pair;
    double x[64] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int kind = 0; kind < KINDS; kind++) { /* MPI gives the handle of the type that was freed to the next one */
        MPI_Datatype type = make(kind);
        if (rank == 0)
            MPI_Send(x, 1, type, 1, kind, MPI_COMM_WORLD);
        else
            MPI_Recv(x, 12, MPI_DOUBLE, 0, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&type);
    }
    MPI_Type_create_struct(2, lengths, places, members, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0)
        MPI_Send(&best, 1, MPI_DOUBLE_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&best, 1, pair, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(best.place == 7);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
