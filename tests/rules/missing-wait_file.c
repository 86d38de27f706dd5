/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A nonblocking write is never waited for before the file is closed. */
/* Twin: the write is waited for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "missing-wait.tmp", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_iwrite_at(file, 4 * rank, &rank, 1, MPI_INT, &r); /* @missing-wait */
#ifdef TWIN
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    MPI_File_close(&file); /* @io-misuse */
    MPI_Finalize();
    return 0;
}
