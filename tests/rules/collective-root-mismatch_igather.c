/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Nonblocking, of structures: the ranks name the one beside them as the root. */
/* Twin: nonblocking, of structures: all name rank 1 as the root. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    struct {
        int number;
        float value;
    } mine = {1, 2}, all[2];
    MPI_Datatype pair;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, sizeof(int)}, (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &pair);
    MPI_Type_commit(&pair);
#ifdef TWIN
    MPI_Igather(&mine, 1, pair, all, 1, pair, 1, MPI_COMM_WORLD, &request);
#else
    MPI_Igather(&mine, 1, pair, all, 1, pair, 1 - rank, MPI_COMM_WORLD, &request); /* @collective-root-mismatch */
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
