/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparisons and searches of what lies before the buffer of a pending receive (MPI-4.0, section 3.7.2); the
 * wrong form stores into the buffer by memset. */
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
        length = strcmp(data.name, argv[0]) + memcmp(data.name, argv[0], 8) + (memchr(data.name, 1, 8) != NULL);
        length += (strchr(data.name, 1) != NULL) + (strrchr(data.name, 99) != NULL) + (int)strnlen(data.name, 8);
        length += strncmp(data.name, "abd", 8);
        strcpy(copy, data.name);
        memset(data.name, argc, 7);
#ifndef TWIN
        memset(&data, 1, 12); /* @receive-buffer-accessed */
#endif
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        double value = 1.5;
        MPI_Send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return length + copy[0] < 0;
}
