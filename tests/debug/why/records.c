/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of an array of structures, by a structure type whose blocks are told in another order. */
/* @ask 3: focus 0; why shelf[1].price; why; why */
#include <mpi.h>
#include <stddef.h>

struct item {
    char name[5];
    double price;
    short count;
};

static MPI_Datatype item_type(void)
{
    int lengths[] = {1, 5, 1};
    MPI_Aint places[] = {offsetof(struct item, count), offsetof(struct item, name),
                         offsetof(struct item, price)};
    MPI_Datatype types[] = {MPI_SHORT, MPI_CHAR, MPI_DOUBLE}, made, resized;
    MPI_Type_create_struct(3, lengths, places, types, &made);
    MPI_Type_create_resized(made, 0, sizeof(struct item), &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&made);
    return resized;
}

int main(int argc, char **argv)
{
    int rank;
    struct item shelf[3] = {{"a", 1, 1}, {"b", 2, 2}, {"c", 3, 3}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = item_type();
    if (rank == 2) {
        shelf[2].price = -3; /* @wrong 2 */
        MPI_Ssend(&shelf[1], 2, type, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(shelf, 3, type, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(shelf, 3, type, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(shelf, 3, type, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return shelf[1].price > 100;
}
