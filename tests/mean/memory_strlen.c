/* SPDX-License-Identifier: BSD-3-Clause */
/* strlen of a string that ends just before the buffer of a pending receive: the library reads whole
 * vectors, which is nobody's access (MPI-4.0, section 3.7.2, is about the program). The copy in the wrong
 * form reads the buffer. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char name[8];
    double value;
} data = {"abc", 0};

int main(int argc, char **argv)
{
    int rank, length = 0;
    char copy[16] = "";
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&data.value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
        length = (int)strlen(data.name);
#ifndef TWIN
        memcpy(copy, &data, sizeof data < 16 ? sizeof data : 16); /* @receive-buffer-accessed */
#endif
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        double value = 1.5;
        MPI_Send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return length + copy[0] < 0;
}
