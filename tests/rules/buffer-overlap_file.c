/* SPDX-License-Identifier: BSD-3-Clause */
/* A file is written from memory that a receive is to fill. */
/* Twin: a file is written from memory beside that which a receive is to fill. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {1, 2};
    MPI_File file;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    if (rank == 0) {
        MPI_Irecv(&x[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
#ifdef TWIN
        MPI_File_iwrite(file, &x[1], 1, MPI_INT, &r[1]);
#else
        MPI_File_iwrite(file, &x[0], 1, MPI_INT, &r[1]); /* @buffer-overlap */
#endif
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&x[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_File_close(&file);
    MPI_Finalize();
}
