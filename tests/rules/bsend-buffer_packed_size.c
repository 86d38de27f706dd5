/* SPDX-License-Identifier: BSD-3-Clause */
/* The attached buffer has room for two of three columns that are pending. */
/* Twin: the attached buffer has room for the three columns that are pending. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, i, size, one;
    static int matrix[3][3];
    static char buffer[3000], *old;
    MPI_Datatype column;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &pair);
    MPI_Type_vector(3, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Pack_size(1, column, pair, &one);
#ifdef TWIN
    MPI_Buffer_attach(buffer, 3 * (one + MPI_BSEND_OVERHEAD));
#else
    MPI_Buffer_attach(buffer, 2 * (one + MPI_BSEND_OVERHEAD));
#endif
    for (i = 0; i < 3; i++)
        if (rank == 0)
            MPI_Bsend(&matrix[0][i], 1, column, 1, i, pair); /* @bsend-buffer */
    MPI_Barrier(pair);
    for (i = 0; i < 3; i++)
        if (rank == 1)
            MPI_Recv(&matrix[0][i], 1, column, 0, i, pair, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&old, &size);
    MPI_Type_free(&column);
    MPI_Comm_free(&pair);
    MPI_Finalize();
}
