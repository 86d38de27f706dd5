/* SPDX-License-Identifier: BSD-3-Clause */
/* The same members at the same places, listed in another order. */
/* Twin: four structures, received as two pairs of them. */
#include <mpi.h>
#include <stddef.h>

struct particle {
    int kind;
    double place[3];
    char name;
};

/* The signature is the order of the list, not that of the addresses. */
static MPI_Datatype make(const int order[3])
{
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    const int lengths[] = {1, 3, 1};
    const MPI_Aint places[] = {offsetof(struct particle, kind), offsetof(struct particle, place),
                               offsetof(struct particle, name)};
    MPI_Datatype t[3], bare, type;
    MPI_Aint p[3];
    int n[3];
    for (int i = 0; i < 3; i++)
        t[i] = types[order[i]], p[i] = places[order[i]], n[i] = lengths[order[i]];
    MPI_Type_create_struct(3, n, p, t, &bare);
    MPI_Type_create_resized(bare, 0, sizeof(struct particle), &type);
    MPI_Type_free(&bare);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    int rank;
    struct particle x[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    MPI_Datatype one = make((int[]){0, 1, 2});
#else
    MPI_Datatype one = make(rank == 0 ? (int[]){0, 1, 2} : (int[]){2, 1, 0});
#endif
    if (rank == 0) {
        MPI_Send(x, 4, one, 1, 0, MPI_COMM_WORLD);
    } else {
#ifdef TWIN
        MPI_Datatype two;
        MPI_Type_contiguous(2, one, &two);
        MPI_Type_commit(&two);
        MPI_Recv(x, 2, two, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&two);
#else
        MPI_Recv(x, 4, one, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @type-mismatch */
#endif
    }
    MPI_Type_free(&one);
    MPI_Finalize();
    return 0;
}
