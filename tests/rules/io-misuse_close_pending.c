/* SPDX-License-Identifier: BSD-3-Clause */
/* A file is closed while a nonblocking write is under way on it; on a communicator of one rank. */
/* Twin: a file is closed when a nonblocking write is complete; on a communicator of one rank. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 5;
    MPI_File file;
    MPI_Request request;
    char name[] = "io-misuse-0.dat";

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    name[10] += (char)rank;
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_iwrite(file, &n, 1, MPI_INT, &request);
#ifdef TWIN
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
#else
    MPI_File_close(&file); /* @io-misuse */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
