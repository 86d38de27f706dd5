/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The root gives structures of an integer and a double; rank 2 takes floats for the integers. */
/* Twin: the root gives structures of an integer and a double. */
#include <mpi.h>
#include <stddef.h>

struct pair {
    int number;
    double value;
};

int main(int argc, char **argv)
{
    int rank, lengths[2] = {1, 1}, counts[3] = {2, 1, 3}, at[3] = {0, 2, 3};
    MPI_Aint places[2] = {offsetof(struct pair, number), offsetof(struct pair, value)};
    MPI_Datatype kinds[2] = {MPI_INT, MPI_DOUBLE}, inner, pair;
    struct pair all[6] = { {0, 0} }, mine[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    if (0) {
#else
    if (rank == 2) {
#endif
        kinds[0] = MPI_FLOAT;
    }
    MPI_Type_create_struct(2, lengths, places, kinds, &inner);
    MPI_Type_create_resized(inner, 0, sizeof(struct pair), &pair);
    MPI_Type_commit(&pair);
    MPI_Scatterv(all, counts, at, pair, mine, counts[rank], pair, 0, MPI_COMM_WORLD); /* @type-mismatch */
    MPI_Type_free(&inner);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
