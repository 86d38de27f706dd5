/* SPDX-License-Identifier: BSD-3-Clause */
/* A column of a matrix is being sent on a copy of the communicator, and changed meanwhile. */
/* Twin: a column of a matrix is being sent on a copy of the communicator; the next column may be changed
 * meanwhile. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, matrix[6][6] = {{1, 2}, {3, 4}};
    MPI_Comm copy;
    MPI_Datatype column;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_rank(copy, &rank);
    MPI_Type_vector(6, 1, 6, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Isend(&matrix[0][1], 1, column, 1, 0, copy, &request);
        for (int i = 0; i < 6; i++)
#ifdef TWIN
            matrix[5 - i][2] += 1;
#else
            matrix[5 - i][1] += 1; /* @send-buffer-modified */
#endif
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&matrix[0][1], 1, column, 0, 0, copy, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&column);
    MPI_Comm_free(&copy);
    MPI_Finalize();
}
